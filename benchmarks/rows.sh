#!/usr/bin/env bash
# Whether a fork of the running program, and a process that was put back as it was, executes what a new process executes:
# rows of every test of two subjects, in two random orders; status 1 if any differs. And what is missing when all tests run
# in one process.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

work=$PWD/build/bench/rows
mkdir -p "$work"
cmake --build build/release --target morph_rows >/dev/null
rows=$PWD/build/release/benchmarks/morph_rows
cmake --install build/release --prefix "$work/prefix" >/dev/null
morph=$work/prefix/bin/morph

# Prints `tests N pairs N only_first N only_second N differing N` for each order, after the seconds of all runs.
compare() {
  local name=$1 subject=$work/$1
  . benchmarks/subjects/lib.sh
  . "benchmarks/subjects/$name.sh"
  subject_with_morph "$subject"
  cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
  # shellcheck disable=SC2086  # several targets, separated by blanks
  cmake --build "$subject/build" ${subject_target:+--target $subject_target} >/dev/null
  rm -f "$subject/.morph/evidence.db"
  for order in "${orders[@]}"; do
    TIMEFORMAT="fork, order $order: %U %S"
    time MORPH_COVERAGE_ORDER=$order "$morph" measure --build "$subject/build" --fresh --isolation fork >&2
  done 2>&1 | grep -E '^(measured|fork)' >&2
  TIMEFORMAT="process: %U %S"
  { time "$morph" measure --build "$subject/build" --fresh --isolation process >&2; } 2>&1 | grep -E '^(measured|process)' >&2
  TIMEFORMAT="none: %U %S"
  { time "$morph" measure --build "$subject/build" --fresh --isolation none >&2; } 2>&1 | grep -E '^(measured|none)' >&2
  local ids
  mapfile -t ids < <("$morph" store info --build "$subject/build" --json | jq '.measurements | sort_by(.id) | .[].id')
  local i
  for i in "${!orders[@]}"; do
    "$rows" "$subject/.morph/evidence.db" "${ids[$i]}" "${ids[-2]}" || true
  done
  echo "none $("$rows" "$subject/.morph/evidence.db" "${ids[-1]}" "${ids[-2]}" | grep '^tests ')"
}

figures='{}'
none='{}'
orders=(20241 7)  # seeds
[ $# -gt 0 ] || set -- yaml-cpp fmt
for name in "$@"; do
  echo "$name: every test forked in ${#orders[@]} random orders, and in a process of its own"
  result=$(compare "$name")
  echo "$result"
  while read -r _ tests _ pairs _ first _ second _ differing; do
    figures=$(jq -c --arg name "$name" --argjson tests "$tests" --argjson pairs "$pairs" --argjson fork "$first" --argjson process "$second" \
      --argjson differing "$differing" '.[$name] += [{$tests, $pairs, fork_only: $fork, process_only: $process, $differing}]' <<<"$figures")
  done < <(grep '^tests ' <<<"$result")
  read -r _ _ tests _ pairs _ first _ second _ differing < <(grep '^none ' <<<"$result")
  none=$(jq -c --arg name "$name" --argjson tests "$tests" --argjson pairs "$pairs" --argjson none "$first" --argjson process "$second" \
    --argjson differing "$differing" '.[$name] = {$tests, $pairs, none_only: $none, process_only: $process, $differing}' <<<"$none")
done
jq -c -n --argjson conditions "$(conditions)" --argjson figures "$figures" --argjson none "$none" --argjson orders "$(jq -c -n '$ARGS.positional' --args "${orders[@]}")" \
  '{bench: "rows", figures: ($figures + {without_isolation: $none}), conditions: ($conditions + {$orders})}'
jq -e 'flatten | all(.differing == 0)' <<<"$figures" >/dev/null
