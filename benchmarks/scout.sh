#!/usr/bin/env bash
# Relations in the tests of real projects: how many `morph scout` finds, what that costs beside reading the same sources
# without looking for them, and how many labelled tests it tells right.
# scout.sh [--subjects "NAME..."] [--labels FILE] [--specs yes] [--value N [--only GLOB]] [--prefix DIR]
#   --subjects  recipes of benchmarks/subjects (default: six of them)
#   --labels    tests with and without relations: JSON lines with project, file, line, section_line, set, mtc (yes, no,
#               unsure), fig2_echo, conditional, and instances with assert_line and also_lines
#   --specs yes builds the subjects, and says what becomes of their relations as specs instead; rows in .../specs.jsonl
#   --value N   writes them into the subject, and says what they kill and run beside its tests: of N mutants that are
#               drawn from files that match GLOB; rows in .../value.jsonl
#   --prefix    an installed Morph (default: that of build/release)
# A row for each subject goes to build/bench/scout/rows.jsonl, each disagreement with a label to .../disagreements.jsonl.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

subjects="yaml-cpp leveldb snappy fmt cli11 nlohmann-json" labels='' specs='' value='' only='' prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --subjects) subjects=$2 ;;
    --labels) labels=$(realpath "$2") ;;
    --specs) specs=$2 ;;
    --value) value=$2 ;;
    --only) only=$2 ;;
    --prefix) prefix=$2 ;;
    *) sed -n '4,12s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/scout
mkdir -p "$work"
subject_find_morph "$work"

# One subject, in a process of its own: what its recipe sets ends with it. Only specs need a build.
scout() {
  local source=$work/$1
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$source"
  cmake -S "$source" -B "$source/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${subject_configure[@]}" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log" >&2; return 1; }
  rm -rf "$source/build/.morph/scout"
  if [ "$specs" = yes ]; then
    cmake --build "$source/build" >>"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log" >&2; return 1; }
    python3 benchmarks/scout_specs.py --subject "$1" --morph "$prefix" --source "$source" --build "$source/build"
    return
  fi
  python3 benchmarks/scout.py --subject "$1" --morph "$prefix" --source "$source" --build "$source/build" \
    --disagreements "$work/disagreements.jsonl" ${labels:+--labels "$labels"}
}

# Written into a copy of its own, where lines are measured.
add_value() {
  local source=$work/$1-with-relations
  . "benchmarks/subjects/$1.sh"
  rm -rf "$source"
  subject_with_morph "$source"
  mkdir "$source/relations"
  {
    subject_build "$source" "$source/build" -DMORPH_EVIDENCE=twin
    (cd "$source" && "$prefix/bin/morph" scout --build build --write relations -q)
    subject_commit "$source" "With relations"
    cmake --build "$source/build"
    (cd "$source" && "$prefix/bin/morph" measure --build build -q)
    (cd "$source" && "$prefix/bin/morph" mutate --build build -q --all-killers --sample "$value" ${only:+--only "$only"}) || [ $? = 1 ]
  } >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log" >&2; return 1; }
  "$prefix/bin/morph" scout --build "$source/build" --rank --json -q | jq -c --arg subject "$1" '{$subject} + .'
}

if [ -n "$value" ]; then
  : >"$work/value.jsonl"
  for subject in $subjects; do
    (add_value "$subject") >>"$work/value.jsonl" &  # in a condition it would go on behind an error
    wait $! || echo "$subject: not tried" >&2
  done
  jq -cs --argjson conditions "$(conditions)" '
    {bench: "scout_value", figures: map({key: .subject, value: {relations: (.specs | length), mutants, lines}}) | from_entries, $conditions}' "$work/value.jsonl"
  exit
fi

if [ "$specs" = yes ]; then
  : >"$work/specs.jsonl"
  for subject in $subjects; do
    (scout "$subject") >>"$work/specs.jsonl" || echo "$subject: not tried" >&2
    tail -n 1 "$work/specs.jsonl" >&2
  done
  jq -cs --argjson conditions "$(conditions)" '
    def sum(f): map(f) | add // 0;
    {bench: "scout_specs", figures: (["specs", "compile", "ran", "with_valid_inputs", "of_core_types", "core_with_valid_inputs", "kept",
      "kept_with_drawn_inputs", "hold_for_fresh", "cpu_s"] as $names | . as $rows |
      reduce $names[] as $name ({}; .[$name] = ($rows | sum(.[$name])))), $conditions, raw: .}' "$work/specs.jsonl"
  exit
fi
: >"$work/rows.jsonl"
: >"$work/disagreements.jsonl"
for subject in $subjects; do
  (scout "$subject") >>"$work/rows.jsonl"
  tail -n 1 "$work/rows.jsonl" >&2
done
jq -cs --argjson conditions "$(conditions)" '
  def sum(f): map(f) | add // 0;
  def share(a; b): if b == 0 then null else (1000 * a / b | round) / 10 end;
  {bench: "scout", figures: {
    relations: sum(.relations), tests: sum(.tests), with_relations: sum(.with_relations),
    times_of_reading: ((100 * sum(.scout_cpu_s) / sum(.read_cpu_s) | round) / 100),
    labelled: (map(.labelled // {} | to_entries[]) | group_by(.key) | map({key: .[0].key, value: (map(.value) |
      {hit: sum(.hit), missed: sum(.missed), false: sum(.false), right_without: sum(.right_without)} |
      . + {precision: share(.hit; .hit + .false), recall: share(.hit; .hit + .missed)})}) | from_entries)},
   $conditions, raw: .}' "$work/rows.jsonl"
