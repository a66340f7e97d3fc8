#!/usr/bin/env bash
# `morph generate` on real projects: what its tests cover, beside the developers' own and together with them, and whether they hold.
# generate.sh [--subjects "NAME..."] [--budget SECONDS] [--seed N] [--search random|novelty|whole-suite|mosa|dynamosa] [--units "UNIT..."] [--prefix DIR] [--mutants N] [--tests no]
#   --subjects  of tinyxml2, yaml-cpp, jsoncpp (default: all three); --units: of one subject, instead of the list below
#   --budget    seconds of search a unit (default: 300 of a subject, in equal parts); building the program of calls comes on top
#   --prefix    an installed Morph (default: that of build/release)
#   --mutants   mutation scores of the developers' tests, the generated ones and both, by N mutants of the subject (0: all)
#   --tests no  takes no inputs out of the developers' tests
# Lines and branches are those of the library's .cpp files, which are compiled with --coverage -O0, by gcovr, branches
# without those of exceptions; the same lines and branches are the whole for the developers' tests, which run by the same means.
# A row of each unit and one of each subject, with every failing test and finding, go to build/bench/generate/SUBJECT-SEARCH-SEED.jsonl.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

declare -A units_of=(
  [tinyxml2]="tinyxml2::XMLDocument tinyxml2::XMLElement tinyxml2::XMLNode tinyxml2::XMLAttribute tinyxml2::XMLPrinter tinyxml2::XMLUtil
    tinyxml2::StrPair"
  [yaml-cpp]="YAML::Emitter YAML::Node YAML::Parser YAML::Scanner YAML::SingleDocParser YAML::Stream YAML::EmitterState YAML::detail::node_data
    src/emitterutils.cpp src/emitfromevents.cpp"
  [jsoncpp]="Json::Value Json::Reader Json::OurReader Json::CharReaderBuilder Json::FastWriter Json::StyledWriter Json::StyledStreamWriter
    Json::BuiltStyledStreamWriter Json::StreamWriterBuilder Json::Path")
declare -A counted_of=([tinyxml2]='tinyxml2\.cpp' [yaml-cpp]='src/.*\.cpp' [jsoncpp]='src/lib_json/.*\.cpp')
declare -A library_of=([tinyxml2]=tinyxml2 [yaml-cpp]=yaml-cpp [jsoncpp]=jsoncpp_lib)
declare -A mutated_of=([tinyxml2]='tinyxml2.cpp tinyxml2.h' [yaml-cpp]='src/** include/**' [jsoncpp]='src/lib_json/** include/**')
declare -A tests_of=([tinyxml2]=xmltest [yaml-cpp]=yaml-cpp-tests [jsoncpp]=jsoncpp_test)

subjects="tinyxml2 yaml-cpp jsoncpp" budget='' seed=1 search=dynamosa units='' prefix='' tests='' mutants=''
while [ $# -gt 0 ]; do
  case $1 in
    --subjects) subjects=$2 ;;
    --budget) budget=$2 ;;
    --seed) seed=$2 ;;
    --search) search=$2 ;;
    --units) units=$2 ;;
    --prefix) prefix=$2 ;;
    --mutants) mutants=$2 ;;
    --tests) tests=$2 ;;
    *) sed -n '3,8s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/generate
mkdir -p "$work"
subject_find_morph "$work"

raw_of() { echo "$work/$1-$search-$seed.jsonl"; }

# Two build trees: build, which morph reads, and build-gcov, whose library counts.
build_trees() {
  {
    subject_build "$1" "$1/build" &&
      subject_build "$1" "$1/build-gcov" -DMORPH_ENABLED=OFF -DCMAKE_CXX_FLAGS="--coverage -O0" -DCMAKE_CXX_COMPILER_LAUNCHER=
  } >"$work/$2.build.log" 2>&1 || { tail -n 20 "$work/$2.build.log" >&2; return 1; }
}

# One subject, in a process of its own: what its recipe sets ends with it.
generate() {
  local source=$work/$1 budget=$budget folder=$work/$1
  . "benchmarks/subjects/$1.sh"
  subject_with_morph "$source"
  build_trees "$source" "$1"
  read -ra chosen <<<"${units:-${units_of[$1]//$'\n'/ }}"
  if [ -z "$budget" ]; then budget=$((300 / ${#chosen[@]})); fi
  rm -f "$(raw_of "$1")"
  python3 benchmarks/generate.py --subject "$1" --morph "$prefix/bin/morph" --source "$source" --build "$source/build" --gcov "$source/build-gcov" \
    --counted "${counted_of[$1]}" --developers "$(find "$source/build-gcov" -type f -perm -u+x -name "${tests_of[$1]}")" --developers-folder "$folder" \
    --folder "$work/$1-$search-$seed" --raw "$(raw_of "$1")" --budget "$budget" --seed "$seed" --search "$search" ${tests:+--without-tests} "${chosen[@]}"
  if [ -n "$mutants" ]; then judge "$1" "$source" "$work/$1-$search-$seed"; fi
}

# Mutation scores, into the same file.
judge() {
  local sources=() options=() words glob each
  for each in "$3"/*.cpp; do
    if [ -s "$each" ]; then sources+=("$each"); fi
  done
  read -ra words <<<"${mutated_of[$1]}"
  for glob in "${words[@]}"; do options+=(--only "$glob"); done
  for each in "${subject_configure[@]}" "-DCMAKE_PREFIX_PATH=$prefix"; do options+=("--configure=$each"); done
  if [ "$mutants" -gt 0 ]; then options+=(--sample "$mutants"); fi
  python3 benchmarks/generate_mutants.py --subject "$1" --morph "$prefix/bin/morph" --source "$2" --library "${library_of[$1]}" \
    --folder "$3" --raw "$(raw_of "$1")" "${options[@]}" "${sources[@]}"
}

for subject in $subjects; do (generate "$subject"); done

rows=()
for subject in $subjects; do rows+=("$(raw_of "$subject")"); done
echo
jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def share(a; b): if b then a / ([b, 1] | max) * 1000 | round / 10 else "-" end;
  (["unit", "branches", "%", "callables %", "tests", "rejected", "fail", "flaky", "lines", "seq./CPU s", "findings", "s"],
  (.[] | select(.row == "unit") | [.unit] +
    if .error then ["error: " + (.error | gsub("\\s+"; " ") | .[:100])]
    else ["\(.branches_reached)/\(.branches)", share(.branches_reached; .branches), share(.callables_now; .callables), .tests // 0, .tests_rejected // 0,
          .fail_at_once // 0, .flaky // 0, .median_lines // "-", .sequences_per_cpu_second, (.findings | add // 0), .seconds] end))
  | (.[0] | pad(32)) + (.[1:] | map(pad(12)) | join(""))' "${rows[@]}"
echo
jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def both: "\(.lines_pct) / \(.branches_pct)";
  (["lines / branches %", "generated", "developers", "together", "tests", "passing", "rejected", "fail", "flaky", "lines", "callables %", "seq./CPU s", "CPU s"],
  (.[] | select(.row == "subject") | [.subject, (.generated | both), (.developers | both), (.both | both), .tests, .passing, .tests_rejected, .fail_at_once, .flaky,
    .median_lines, .callables_pct, .sequences_per_cpu_second, .cpu]))
  | (.[0] | pad(20)) + (.[1:] | map(pad(14)) | join(""))' "${rows[@]}"
jq -r 'select(.row == "subject") | "\(.subject): " + (.findings | to_entries | map("\(.value) x \(.key)") | join(", ") | if . == "" then "no findings" else . end) + " (without a null pointer: \(.findings_without_null))"' "${rows[@]}"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${work#"$root/"}" --arg search "$search" --argjson seed "$seed" '
  {bench: "generate", figures: (map(select(.row == "subject")) | map({key: .subject, value: del(.row, .subject)}) | from_entries),
   mutants: (map(select(.row == "mutants")) | map({key: .subject, value: del(.row, .subject)}) | from_entries),
   conditions: ($conditions + {$search, $seed}), $raw}' "${rows[@]}"
