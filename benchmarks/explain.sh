#!/usr/bin/env bash
# Why undetected extreme transformations of real projects survive: `morph mutate --operators xt`, then `morph explain`.
# explain.sh [--subjects "NAME..."] [--only "GLOB..."] [--most N] [--runs N] [--sample N] [--fix yes] [--prefix DIR]
#   --subjects  recipes of benchmarks/subjects (default: eight of them)
#   --only      judges these files alone, patterns as in .gitignore
#   --most      explain so many of each subject (default: 1000, which is all)
#   --runs      of each test, with and without a mutant (default: 10)
#   --sample    judge so many mutants of each subject (default: all)
#   --fix yes   applies what `morph explain --fix` proposes, and judges the same mutants again
#   --prefix    an installed Morph (default: that of build/release)
# A row of each undetected transformation and one of each subject go to build/bench/explain/SUBJECT.jsonl.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

subjects="box2d tinyxml2 jsoncpp yaml-cpp leveldb cli11 double-conversion pugixml" only='' most=1000 runs=10 sample='' fix='' prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --subjects) subjects=$2 ;;
    --only) only=$2 ;;
    --most) most=$2 ;;
    --runs) runs=$2 ;;
    --sample) sample=$2 ;;
    --fix) fix=$2 ;;
    --prefix) prefix=$2 ;;
    *) sed -n '3,10s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/explain
mkdir -p "$work"
subject_find_morph "$work"

# What judges mutants: no adopted tests, and the exit status alone.
judging_suites() {
  sed -i -e 's| *PROPERTIES PASS_REGULAR_EXPRESSION ", Fail 0"||' \
    -e "s|^morph_adopt_tests()|morph_add_suite($2 TARGET $subject_target FRAMEWORK none WORKING_DIRECTORY \${PROJECT_SOURCE_DIR})|" "$1/CMakeLists.txt"
  if [ -n "$(subject_git "$1" status --porcelain)" ]; then subject_commit "$1" "With suites that judge mutants"; fi
}

# One subject, in a process of its own: what its recipe sets ends with it.
explain() {
  local source=$work/$1 options=() parts=() each
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$source"
  subject_git "$source" checkout -q .
  judging_suites "$source" "$1"
  subject_build "$source" "$source/build" >"$work/$1.build.log" 2>&1 || { tail -n 20 "$work/$1.build.log" >&2; return 1; }
  read -ra parts <<<"$only"
  for each in "${parts[@]}"; do options+=("--only=$each"); done
  if [ -n "$sample" ]; then options+=("--sample=$sample"); fi
  if [ "$fix" = yes ]; then options+=(--fix); fi
  python3 benchmarks/explain.py explain --subject "$1" --morph "$prefix/bin/morph" --source "$source" --build "$source/build" --most "$most" \
    --runs "$runs" --raw "$work/$1.jsonl" --log "$work/$1.log" "${options[@]}"
}

rows=()
for subject in $subjects; do
  (explain "$subject") &  # in a condition it would go on behind an error
  if wait $!; then rows+=("$work/$subject.jsonl"); else echo "$subject: not explained; $work/$subject.log" >&2; fi
done
echo
python3 benchmarks/explain.py summary --json "$work/figures.json" "${rows[@]}"
echo
jq -c --argjson conditions "$(conditions)" --arg raw "${work#"$root/"}" --argjson runs "$runs" '
  {bench: "explain", figures: ., conditions: ($conditions + {$runs}), $raw}' "$work/figures.json"
