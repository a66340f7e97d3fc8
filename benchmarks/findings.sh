#!/usr/bin/env bash
# Crashes, hangs and ends of programs that `morph generate` meets in real projects: how many it calls likely faults, and some of these to read.
# findings.sh [--subjects "NAME..."] [--units N] [--budget SECONDS] [--seed N] [--draw N] [--prefix DIR]
#   --subjects  recipes of benchmarks/subjects (default: seven of them)
#   --units     sources of each subject, drawn by the seed (default: 6)
#   --budget    seconds of search for each (default: 15)
#   --draw      so many likely faults, at most one for each function, are printed with their tests (default: 30)
#   --prefix    an installed Morph (default: that of build/release)
# No inputs are taken out of the developers' tests. A row of each finding goes to build/bench/findings/SUBJECT-SEED.jsonl.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

subjects="box2d tinyxml2 jsoncpp pugixml yaml-cpp leveldb double-conversion" units=6 budget=15 seed=1 draw=30 prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --subjects) subjects=$2 ;;
    --units) units=$2 ;;
    --budget) budget=$2 ;;
    --seed) seed=$2 ;;
    --draw) draw=$2 ;;
    --prefix) prefix=$2 ;;
    *) sed -n '3,8s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/findings
mkdir -p "$work"
subject_find_morph "$work"

# One subject, in a process of its own: what its recipe sets ends with it.
find_faults() {
  local source=$work/$1
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$source"
  subject_build "$source" "$source/build" >"$work/$1.build.log" 2>&1 || { tail -n 20 "$work/$1.build.log" >&2; return 1; }
  python3 benchmarks/findings.py find --subject "$1" --morph "$prefix/bin/morph" --source "$source" --build "$source/build" \
    --units "$units" --budget "$budget" --seed "$seed" --raw "$work/$1-$seed.jsonl" --log "$work/$1.log"
}

rows=()
for subject in $subjects; do
  (find_faults "$subject") &  # in a condition it would go on behind an error
  if wait $!; then rows+=("$work/$subject-$seed.jsonl"); else echo "$subject: not searched; $work/$subject.log" >&2; fi
done
echo
python3 benchmarks/findings.py draw --draw "$draw" --seed "$seed" --json "$work/figures.json" "${rows[@]}"
echo
jq -c --argjson conditions "$(conditions)" --arg raw "${work#"$root/"}" --argjson budget "$budget" --argjson seed "$seed" '
  {bench: "findings", figures: ., conditions: ($conditions + {$budget, $seed}), $raw}' "$work/figures.json"
