#!/usr/bin/env bash
# ./dev bench incremental --history DIR [--commits N]: consecutive commits of yaml-cpp, each measured incrementally and
# in full: are the rows equal, and what does a refresh cost? DIR is a clone of github.com/jbeder/yaml-cpp.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
source "$root/benchmarks/lib.sh"
source "$root/benchmarks/subjects/lib.sh"
source "$root/benchmarks/subjects/yaml-cpp.sh"

history='' commits=8 last=HEAD
while [ $# -gt 0 ]; do
  case $1 in
    --history) history=$2; shift ;;
    --commits) commits=$2; shift ;;
    --last) last=$2; shift ;;
    --full) ;;
    *) echo "usage: ./dev bench incremental --history DIR [--commits N] [--last REV]" >&2; exit 2 ;;
  esac
  shift
done
work=${MORPH_BENCH_WORK:-$root/build/bench/incremental}
raw=$work/raw.txt
if [ -z "$history" ]; then
  jq -nc --arg raw "$raw" \
    '{bench: "incremental", figures: {commits: null, equal: null, mean_measured_pct: null, cpu_ratio: null},
      conditions: {reason: "no --history"}, raw: $raw}'
  exit 0
fi
prefix=${MORPH_BENCH_PREFIX:-$work/prefix}
[ -n "${MORPH_BENCH_PREFIX:-}" ] || cmake --install "$root/build/release" --prefix "$prefix" >/dev/null
export PATH=$prefix/bin:$PATH
tree=$work/yaml-cpp store=$work/yaml-cpp/.morph/evidence.db
mkdir -p "$work"
rm -rf "$tree" && mkdir "$tree"
: >"$raw"
git -C "$tree" init -q

# $1: a commit of the history, which becomes the next one here.
take() {
  find "$tree" -mindepth 1 -maxdepth 1 ! -name .git ! -name .morph ! -name build -exec rm -rf {} +
  git -C "$history" archive "$1" | tar -C "$tree" -x
  subject_add_morph "$tree"
  subject_commit "$tree" "$1"
}
facts() {
  morph store export --store "$store" --without-times |
    awk -v tree="$(git -C "$tree" rev-parse 'HEAD^{tree}')" '/^\{"measurement"/ {head = index($0, tree) > 0} head'
}
# CPU seconds of what follows, with children.
cpu_of() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$work/said" 2>"$work/errors"; } 2>&1 | awk '{print $1 + $2}'
}

mapfile -t list < <(git -C "$history" rev-list --no-merges -n $((commits + 1)) "$last" -- src include test | tac)
take "${list[0]}"
cmake -S "$tree" -B "$tree/build" -G Ninja -DMORPH_EVIDENCE=twin -DCMAKE_PREFIX_PATH="$prefix" "${subject_configure[@]}" >"$work/configure.log"
morph measure --build "$tree/build" -q >/dev/null
printf '%-12s %8s %8s %10s %10s  %s\n' commit tests measured 'incr. CPU' 'full CPU' rows
for commit in "${list[@]:1}"; do
  take "$commit"
  # The build of the twin is in neither: both need it.
  cmake "$tree/build" >/dev/null
  cmake --build "$tree/build/morph-twin/coverage" >/dev/null 2>&1 || true
  incremental=$(cpu_of morph measure --build "$tree/build" --json)
  said=$(cat "$work/said")
  facts >"$work/incremental.txt"
  cp "$store" "$work/kept.db"
  rm "$store"
  full=$(cpu_of morph measure --fresh --build "$tree/build" --json)
  facts >"$work/full.txt"
  mv "$work/kept.db" "$store"
  if cmp -s "$work/incremental.txt" "$work/full.txt"; then equal=equal; else equal=different; fi
  if [ $equal = different ]; then diff "$work/incremental.txt" "$work/full.txt" >"$work/$commit.diff" || true; fi
  echo "$commit $(jq -r '[.tests, .measured, .carried] | join(" ")' <<<"$said") $incremental $full $equal" | tee -a "$raw" |
    awk '{printf "%-12s %8d %8d %10.1f %10.1f  %s\n", substr($1, 1, 10), $2, $3, $5, $6, $7}'
done
awk -v raw="$raw" '{n++; equal += $7 == "equal"; share += 100 * $3 / $2; i += $5; f += $6}
  END {printf "{\"bench\":\"incremental\",\"figures\":{\"commits\":%d,\"equal\":%d,\"mean_measured_pct\":%.1f,\"cpu_ratio\":%.2f},", n, equal, share / n, i / f}' "$raw"
printf '"conditions":%s,"raw":"%s"}\n' "$(conditions | jq -c .)" "$raw"
