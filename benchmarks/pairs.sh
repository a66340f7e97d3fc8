#!/usr/bin/env bash
# Which coupled branches of two classes each search takes, on real projects: `morph generate --pair CALLER:CALLEE --compare`.
# pairs.sh [--subjects "NAME..."] [--first N] [--pairs N] [--budget SECONDS] [--seed N] [--ways WAY,...] [--prefix DIR] [--mutants N] [--sequences N]
#   --subjects  of tinyxml2, yaml-cpp, jsoncpp, leveldb, pugixml, cli11 (default: all)
#   --pairs     of each subject, the first N that `morph generate --pairs list` prints: most decisions and calls (default: 12)
#   --first     the rank among these to begin with (default: 1)
#   --budget    CPU seconds of each search of each pair (default: 10)
#   --ways      the searches (default: all; see `morph generate --help`, --compare)
#   --prefix    an installed Morph (default: that of build/release)
#   --mutants   of the first N pairs of each subject: which mutants of the callee tests of the pair kill, and which ones unit tests
#               of both classes, of as many sequences (default: 0); not of cli11, whose tests are of Catch2
#   --sequences of each of these (default: 20000)
# No inputs are taken out of the developers' tests. A row of each pair goes to build/bench/pairs/SUBJECT-SEED.jsonl: the pairs of branches,
# which ones each search took, sequences and CPU seconds, and each generation.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

# The program that judges mutants is of GoogleTest; generated tests of cli11 are of Catch2.
declare -A library_of=([tinyxml2]=tinyxml2 [yaml-cpp]=yaml-cpp [jsoncpp]=jsoncpp_static [leveldb]=leveldb [pugixml]=pugixml-static)

subjects="tinyxml2 yaml-cpp jsoncpp leveldb pugixml cli11" first=1 pairs=12 budget=10 seed=1 ways=pairs,both,branches,mosa,whole-suite,novelty,random prefix='' mutants=0 sequences=20000
while [ $# -gt 0 ]; do
  case $1 in
    --subjects) subjects=$2 ;;
    --first) first=$2 ;;
    --pairs) pairs=$2 ;;
    --budget) budget=$2 ;;
    --seed) seed=$2 ;;
    --ways) ways=$2 ;;
    --prefix) prefix=$2 ;;
    --mutants) mutants=$2 ;;
    --sequences) sequences=$2 ;;
    *) sed -n '3,13s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/pairs
mkdir -p "$work"
subject_find_morph "$work"

raw_of() { echo "$work/$1-$seed.jsonl"; }

# One subject, in a process of its own: what its recipe sets ends with it.
compare() {
  local source=$work/$1
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$source"
  subject_build "$source" "$source/build" >"$work/$1.build.log" 2>&1 || { tail -n 20 "$work/$1.build.log" >&2; return 1; }
  python3 benchmarks/pairs.py compare --subject "$1" --morph "$prefix/bin/morph" --build "$source/build" --first "$first" --pairs "$pairs" --ways "$ways" --budget "$budget" --seed "$seed" \
    --raw "$(raw_of "$1")" --log "$work/$1.log"
  if [ "$mutants" -gt 0 ] && [ -n "${library_of[$1]:-}" ]; then
    local options=() each
    for each in "${subject_configure[@]}" "-DCMAKE_PREFIX_PATH=$prefix"; do options+=("--configure=$each"); done
    python3 benchmarks/pairs_mutants.py --subject "$1" --morph "$prefix/bin/morph" --source "$source" --library "${library_of[$1]}" --pairs "$mutants" \
      --sequences "$sequences" --seed "$seed" --raw "$(raw_of "$1")" --folder "$work/$1-mutants" "${options[@]}"
  fi
}

for subject in $subjects; do (compare "$subject"); done

rows=()
for subject in $subjects; do rows+=("$(raw_of "$subject")"); done
echo
python3 benchmarks/pairs.py summary --json "$work/figures.json" "${rows[@]}"
echo
jq -c --argjson conditions "$(conditions)" --arg raw "${work#"$root/"}" --argjson budget "$budget" --argjson seed "$seed" '
  {bench: "pairs", figures: ., conditions: ($conditions + {$budget, $seed}), $raw}' "$work/figures.json"
