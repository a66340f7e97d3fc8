#!/usr/bin/env bash
# What program mutants cost, and whether their verdicts are those of a rebuild: yaml-cpp and tinyxml2, each figure beside its goal.
# mutation.sh [--sample N] [--seed N] [--seconds N] [PART...]: all parts but matrix, operators, own, headers and stable, or these:
#   yaml-cpp   mutants a 1,000 lines, what does not compile, CPU of the analysis, of the build, and a mutant, by verdict
#   tinyxml2   CPU a mutant beside a plain run of its one test program
#   overhead   what the guards cost while no mutant is on: building and running both suites at -O0 and -O2, and loops of our own (hot_loops)
#   rebuild    a sample of N mutants (default: 100) rebuilt one at a time, as long as that takes less than so many seconds (default: 600);
#              what was rebuilt is kept: another run goes on
#   matrix     every test that kills beside the first one: CPU of the judging, and of the whole command from nothing
#   edits      morph mutate again: nothing changed, a comment, one function, both taken back
#   operators  by operator: what survives, is equivalent or subsumed; what finding every test that kills costs
#   own        what Morph's own unit tests notice: optimizer and coverage/gcov (benchmarks/own), as many mutants at once as there are processors
#   headers    mutants that tests reach, a line that gcov counts as executed, of libraries of headers beside yaml-cpp: CLI11, fmt and
#              nlohmann-json with some of their test programs
#   stable     five runs beside four busy processes: which verdicts differ (half an hour)
# CPU counts, user and system with all children; mutants one at a time (-j 1) where nothing else is said, since two processors may be
# threads of one core. Nothing comes from a compiler cache. What a part needs of an earlier one is kept in build/bench/mutation.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

sample=100 seed=1 seconds=600 parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    yaml-cpp | tinyxml2 | overhead | rebuild | matrix | edits | operators | own | headers | stable) parts+=("$1"); shift ;;
    *) echo "usage: mutation.sh [--sample N] [--seed N] [--seconds N] [yaml-cpp | tinyxml2 | overhead | rebuild | matrix | edits | operators | own | headers | stable]..." >&2; exit 2 ;;
  esac
done
if [ ${#parts[@]} -eq 0 ]; then parts=(yaml-cpp tinyxml2 overhead rebuild edits); fi
root=$PWD
work=$root/build/bench/mutation
morph=$work/prefix/bin/morph
raw=$work/raw.txt
export CCACHE_DISABLE=1
mkdir -p "$work"
: >"$raw"
cmake --install build/release --prefix "$work/prefix" >/dev/null

configure() { cmake -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" "$@" >"$work/configure.log" 2>&1; }
# What `morph mutate` reports, into the file $1.
mutate_into() { "$morph" mutate --build "$subject/build" --json -q "${@:2}" >"$1" 2>"$1.log"; }
# In a process of its own: what the recipe sets ends with it. Of tinyxml2 the status judges, which is the number of failures.
in_subject() {
  . "$root/benchmarks/subjects/$1.sh"
  subject=$work/$1
  subject_with_morph "$subject"
  if grep -q ' PROPERTIES PASS_REGULAR_EXPRESSION' "$subject/CMakeLists.txt"; then
    sed -i 's/ PROPERTIES PASS_REGULAR_EXPRESSION ", Fail 0"//' "$subject/CMakeLists.txt"
    subject_commit "$subject" "By status"
  fi
  # An interrupted run may have left edits.
  if subject_git "$subject" rev-parse -q --verify start >/dev/null; then subject_git "$subject" reset -q --hard start; else subject_git "$subject" tag start; fi
}
# With a report of mutants and their twin, from an empty build tree unless this Morph has made them.
with_mutants() {
  in_subject "$1"
  if [ "$work/$1.json" -nt "$morph" ]; then return 0; fi
  from_nothing "$1.json" -j 1
}
from_nothing() {
  rm -rf "$subject/build" "$subject/.morph"
  configure -S "$subject" -B "$subject/build"
  measure_runs "$1" 1 mutate_into "$work/part.json" "${@:2}"
  jq -e .mutants "$work/part.json" >/dev/null || { cat "$work/part.json.log" >&2; return 1; }
  mv "$work/part.json" "$work/$1"
}
program_in() { find "$1" -type f -perm -u+x -name "${2:-$subject_target}" ! -path '*/morph-twin/*'; }
twin_program() { find "$subject/build/morph-twin/mutation/build" -type f -perm -u+x -name "$1"; }
# Where the suite's tests run, else beside the program $1.
folder_of() {
  local folder
  folder=$(jq -r '.suites[0].working_directory // empty' "$subject/build/.morph/build.json")
  echo "${folder:-$(dirname "$1")}"
}
run_in() { (cd "$1" && "${@:2}"); }
often() { for ((k = 0; k < $1; ++k)); do "${@:2}"; done; }

# Of a report: what counts for every subject.
common_figures='
  def rounded: . * 1000 | round / 1000;
  def covered: map(select(.state != "not covered"));
  (.mutants | covered | length) as $covered | .cpu_seconds as $cpu |
  {mutants: (.mutants | length), covered: $covered, not_compilable, rejected_by_compiler, rejected_units: (.rejected_units | length),
   left_out_tests: (.left_out_tests | length), not_run,
   cpu_seconds: ($cpu | map_values(rounded)), ms: (($cpu.baseline + $cpu.judge) / $covered * 1000 | rounded), ms_judging: ($cpu.judge / $covered * 1000 | rounded),
   ms_supervising: (($cpu.judge - (.mutants | map(.cpu_us) | add) / 1e6) / $covered * 1000 | rounded),
   verdicts: (.mutants | group_by(.state) | map({key: .[0].state, value: {mutants: length, ms: (map(.cpu_us) | add / length / 1000 | rounded)}}) | from_entries),
   same_code: (.mutants | map(select(.reason | startswith("the same code"))) | length),
   never_differ: (.mutants | map(select(.state == "survived" and .infected == 0 and .unobserved == 0)) | length)}'

part_yaml-cpp() {
  in_subject yaml-cpp
  echo "yaml-cpp: all mutants, from nothing, as many at once as there are processors" >&2
  from_nothing yaml-cpp-parallel.json
  echo "yaml-cpp: the same, one at a time" >&2
  from_nothing yaml-cpp.json -j 1
  local lines
  lines=$(find "$subject/src" "$subject/include" '(' -name '*.cpp' -o -name '*.h' ')' -exec cat {} + | wc -l)
  jq --argjson lines "$lines" --argjson all "$(total yaml-cpp.json cpu)" --argjson wall "$(total yaml-cpp-parallel.json wall)" \
    --slurpfile parallel "$work/yaml-cpp-parallel.json" "$common_figures"' +
    {lines: $lines, per_1000_lines: ((.mutants | map(select((.file | test("^(src|include)/")) and .state != "equivalent")) | length) / $lines * 1000 | round), cpu_all: ($all / 1000 | rounded), wall_all_parallel: ($wall / 1000 | rounded)} +
    ($parallel[0] | .cpu_seconds as $cpu | {ms_parallel: (($cpu.baseline + $cpu.judge) / (.mutants | covered | length) * 1000 | rounded)})' "$work/yaml-cpp.json"
}

part_tinyxml2() {
  in_subject tinyxml2
  echo "tinyxml2: all mutants, from nothing" >&2
  from_nothing tinyxml2.json -j 1
  cmake --build "$subject/build" >/dev/null
  local program folder
  program=$(program_in "$subject/build" xmltest)
  folder=$(folder_of "$program")
  measure_runs tinyxml2_plain 10 run_in "$folder" often 10 "$program"
  # Where the project asks for no optimization, the twin has -O1.
  configure -S "$subject" -B "$work/tinyxml2-O1" -DMORPH_ENABLED=OFF -DCMAKE_CXX_FLAGS=-O1
  cmake --build "$work/tinyxml2-O1" >/dev/null
  program=$(program_in "$work/tinyxml2-O1" xmltest)
  measure_runs tinyxml2_optimized 10 run_in "$folder" often 10 "$program"
  jq --argjson plain "$(median tinyxml2_plain cpu)" --argjson optimized "$(median tinyxml2_optimized cpu)" "$common_figures"' +
    {plain_ms: ($plain / 10 | rounded), optimized_ms: ($optimized / 10 | rounded)} |
    . + {plain_runs: (.ms / .plain_ms | rounded), optimized_runs: (.ms / .optimized_ms | rounded)}' "$work/tinyxml2.json"
}

# $1 compiled twice with $2, the twin's sources as the last run left them: {compile, run} as ratios.
inactive() {
  local stock=$work/$1$2-stock twin=$work/$1$2-twin build=$subject/build times=$3 label
  local place=$build/morph-twin/mutation
  label=$1$2
  rm -rf "$stock" "$twin"
  configure -S "$subject" -B "$stock" -DMORPH_ENABLED=OFF -DCMAKE_CXX_FLAGS="$2"
  configure -C "$build/.morph/mutation-cache.cmake" -DMORPH_INSTRUMENT=mutation -DMORPH_MIRROR_OF="$subject" -DCMAKE_CXX_FLAGS="$2" \
    -S "$place/source" -B "$twin"
  mkdir -p "$twin/.morph/mutants"
  cp "$place/build/.morph/mutants/morph_nodes.h" "$twin/.morph/mutants"
  measure_runs "$label-stock-build" 1 cmake --build "$stock" -j "$(nproc)" --target "$program_target"
  measure_runs "$label-twin-build" 1 cmake --build "$twin" -j "$(nproc)" --target "$program_target"
  local plain guarded folder
  plain=$(program_in "$stock" "$program_target")
  guarded=$(program_in "$twin" "$program_target")
  folder=$(folder_of "$plain")
  for _ in {1..11}; do
    measure_runs "$label-stock" 1 run_in "$folder" often "$times" "$plain"
    measure_runs "$label-twin" 1 run_in "$folder" often "$times" "$guarded"
  done
  jq -n --argjson one "$(total "$label-stock-build" cpu)" --argjson other "$(total "$label-twin-build" cpu)" --argjson run "$(median_ratio "$label-twin" "$label-stock")" \
    --argjson ms "$(median "$label-stock" cpu)" --argjson times "$times" '
    def rounded: . * 1000 | round / 1000;
    {compile: ($other / $one | rounded), compile_seconds: ($one / 1000), run: ($run | rounded), run_ms: ($ms / $times | rounded)}'
}
subject_overhead() {
  with_mutants "$1"
  program_target=${subject_target:-xmltest}
  echo "$1: compiled with and without mutants" >&2
  jq -n --argjson O0 "$(inactive "$1" -O0 "$2")" --argjson O2 "$(inactive "$1" -O2 "$2")" '{$O0, $O2}'
}
hot_loops() {
  subject=$work/hot_loops subject_configure=(-DCMAKE_CXX_FLAGS=-O2)
  echo "loops: compiled with and without mutants" >&2
  rm -rf "$subject"
  cp -r benchmarks/hot_loops "$subject"
  subject_git "$subject" init -q
  subject_commit "$subject" Loops
  from_nothing hot_loops.json -j 1
  cmake --build "$subject/build" >/dev/null
  local plain guarded loop
  plain=$(program_in "$subject/build" hot_loops)
  guarded=$(twin_program hot_loops)
  for loop in "checksum 300" "words 3000" "primes 800" "square 500" "sorted 1000"; do
    for _ in {1..7}; do
      # shellcheck disable=SC2086  # two arguments
      measure_runs "${loop% *}-plain" 1 "$plain" $loop
      # shellcheck disable=SC2086
      measure_runs "${loop% *}-guarded" 1 "$guarded" $loop
    done
  done
  for loop in checksum words primes square sorted; do
    jq -n --arg loop "$loop" --argjson ratio "$(median_ratio "$loop-guarded" "$loop-plain")" '{key: $loop, value: ($ratio * 1000 | round / 1000)}'
  done | jq -s from_entries
}
part_overhead() {
  local yaml tiny
  yaml=$(subject_overhead yaml-cpp 1)
  tiny=$(subject_overhead tinyxml2 10)
  jq -n --argjson yaml "$yaml" --argjson tiny "$tiny" --argjson loops "$(hot_loops)" '{"yaml-cpp": $yaml, tinyxml2: $tiny, hot_loops: $loops}'
}

# $1, for at most $2 seconds.
rebuild_of() {
  with_mutants "$1"
  local copy=$work/$1-rebuilt target=${subject_target:-xmltest} twin program folder
  rm -rf "$copy"
  mkdir "$copy"
  tar -C "$subject" --exclude=./build --exclude=./.git --exclude=./.morph -c . | tar -C "$copy" -x
  configure -S "$copy" -B "$copy/build" -DMORPH_ENABLED=OFF
  twin=$(twin_program "$target")
  echo "$1: $sample mutants, each rebuilt" >&2
  cmake --build "$copy/build" -j 1 --target "$target" >/dev/null
  program=$(program_in "$copy/build" "$target")
  folder=$(folder_of "$program")
  python3 benchmarks/mutation_rebuild.py --report "$work/$1.json" --source "$copy" --build "$copy/build" --target "$target" --program "$program" \
    --directory "${folder/#$subject/$copy}" --twin "$twin" --raw "$work/$1-rebuilt.json" --sample "$sample" --seed "$seed" --seconds "$2" >&2
  jq -s --slurpfile report "$work/$1.json" '
    def rounded: . * 1000 | round / 1000;
    def kill: . == "killed" or . == "crashed" or . == "timed out";
    ($report[0] | .cpu_seconds as $cpu | {
      ms: (($cpu.baseline + $cpu.judge) * 1000 / (.mutants | map(select(.state != "not covered")) | length)),
      all_ms: (($cpu | add) * 1000 / (.mutants | length))}) as $ours |
    map(select(.drawn)) | map(select(.sampled)) as $sampled | map(select(.theirs != "does not compile")) as $compared |
    {mutants: length, compared: ($compared | length), survivors: ($compared | map(select(.ours == "survived")) | length),
     does_not_compile: (map(select(.theirs == "does not compile")) | length), agree: ($compared | map(select(.agrees)) | length),
     not_covered: ($compared | map(select(.ours == "not covered")) | length), not_covered_agree: ($compared | map(select(.ours == "not covered" and .agrees)) | length),
     differences: (map(select(.agrees | not) | {file, line, column, operator, original, replacement, ours, ours_test, theirs, theirs_test, again, twin, twin_test})),
     header_mutants: ($sampled | map(select(.file | endswith(".h"))) | length),
     build_seconds: ($sampled | map(.build_seconds) | add / length | rounded), run_seconds: ($sampled | map(.run_seconds) | add / length | rounded),
     ratio: ($sampled | map(.build_seconds + .run_seconds) | add / length * 1000 / $ours.ms | round),
     ratio_all_in: ($sampled | map(.build_seconds + .run_seconds) | add / length * 1000 / $ours.all_ms | round)}' "$work/$1-rebuilt.json"
}
part_rebuild() {
  local yaml tiny
  yaml=$(rebuild_of yaml-cpp "$seconds")
  tiny=$(rebuild_of tinyxml2 $((seconds / 3)))
  jq -n --argjson yaml "$yaml" --argjson tiny "$tiny" '{"yaml-cpp": $yaml, tinyxml2: $tiny}'
}

# A row: what `morph mutate` did and cost.
edit_row() {
  measure_runs "edit-$1" 1 mutate_into "$work/edit-$1.json" -j 1
  jq --arg edit "$1" --argjson cpu "$(total "edit-$1" cpu)" --argjson wall "$(total "edit-$1" wall)" '
    def rounded: . * 100 | round / 100;
    {$edit, cpu: ($cpu / 1000 | rounded), wall: ($wall / 1000 | rounded), units_read, mutants: (.mutants | length),
      recalled: (.mutants | map(select(.recalled)) | length), parts: (.cpu_seconds | map_values(rounded))}' "$work/edit-$1.json"
}
part_edits() {
  with_mutants yaml-cpp
  echo "yaml-cpp: again after edits" >&2
  mutate_into "$work/edit-before.json" -j 1
  {
    jq '{edit: "from nothing", cpu: (.cpu_seconds | add * 100 | round / 100), wall: (.seconds * 100 | round / 100), units_read, mutants: (.mutants | length), recalled: 0,
      parts: (.cpu_seconds | map_values(. * 100 | round / 100))}' "$work/yaml-cpp.json"
    edit_row nothing
    sed -i '0,/^Emitter::Emitter/s//\/\/ Nothing is written yet.\n&/' "$subject/src/emitter.cpp"
    subject_commit "$subject" "A comment"
    edit_row comment
    subject_change "$subject"
    subject_commit "$subject" "One function"
    edit_row function
    subject_git "$subject" reset -q --hard start
    edit_row back
  } | jq -s .
}

# Every test that kills a mutant of yaml-cpp. The sources, their build and the code of survivors are the same with it.
with_every_killer() {
  if [ "$work/yaml-cpp-matrix.json" -nt "$work/yaml-cpp.json" ]; then return 0; fi
  echo "yaml-cpp: every test that kills" >&2
  mutate_into "$work/part.json" --all-killers --fresh -j 1
  mv "$work/part.json" "$work/yaml-cpp-matrix.json"
}
part_matrix() {
  with_mutants yaml-cpp
  with_every_killer
  jq -n --slurpfile first "$work/yaml-cpp.json" --slurpfile matrix "$work/yaml-cpp-matrix.json" '
    def judging: .baseline + .judge;
    $first[0].cpu_seconds as $first_cpu | ($first_cpu | add) as $all | ($matrix[0].cpu_seconds | judging) as $judging |
    {judging: ($judging / ($first_cpu | judging) * 100 | round / 100),
     whole: (($all - ($first_cpu | judging) + $judging) / $all * 100 | round / 100),
     judge: $judging, runs: ($matrix[0].mutants | map(.ran) | add), kills: ($matrix[0].mutants | map(.killers | length) | add)}'
}

# By operator. Of yaml-cpp with every test that kills; tinyxml2 has one.
part_operators() {
  (with_mutants tinyxml2)
  with_mutants yaml-cpp
  with_every_killer
  python3 "$root/benchmarks/mutation_operators.py" "$work/tinyxml2.json" "$work/yaml-cpp-matrix.json" | jq --slurpfile matrix "$work/yaml-cpp-matrix.json" '
    . + {matrix: ($matrix[0] | {judge: .cpu_seconds.judge, ran: (.mutants | map(.ran) | add), kills: (.mutants | map(.killers | length) | add)})}'
}

# Of a report: what the tests of the files that begin with $1 notice.
room_figures() {
  jq --arg room "$1" '
    .mutants | map(select((.file | startswith($room)) and .state != "equivalent")) | map(select(.state != "not covered")) as $covered |
    ($covered | group_by(.state) | map({key: .[0].state, value: length}) | from_entries) as $states |
    {mutants: length, covered: ($covered | length), killed: ($states.killed // 0), crashed: ($states.crashed // 0),
     timed_out: ($states."timed out" // 0), survived: ($states.survived // 0)} |
    . + {percent: ((.killed + .crashed + .timed_out) * 1000 / .covered | round / 10),
         percent_of_all: ((.killed + .crashed + .timed_out) * 1000 / .mutants | round / 10)}' "$work/own.json"
}
part_own() {
  subject=$work/own subject_configure=()
  rm -rf "$subject"
  cp -r benchmarks/own "$subject"
  cp -r --parents optimizer coverage/gcov cmake/MorphOwnTargets.cmake tests/floors.txt tests/gcov_answers.hpp tests/unit "$subject"
  subject_git "$subject" init -q
  subject_commit "$subject" "Rooms of Morph"
  echo "Morph's own: all mutants, from nothing" >&2
  from_nothing own.json --without optimizer/pagmo/
  jq -n --argjson optimizer "$(room_figures optimizer/)" --argjson gcov "$(room_figures coverage/gcov/)" --argjson wall "$(total own.json wall)" '
    {optimizer: $optimizer, "coverage/gcov": $gcov, minutes: ($wall / 60000 | round)}'
}

# Leaves the test programs of `headers` in the project in $subject.
fewer_tests() {
  local tests=$subject/tests/CMakeLists.txt
  case $subject_package in
    cli11)
      sed -i -e '/^set(CLI11_TESTS/,/)/c\set(CLI11_TESTS OptionalTest HelpersTest OptionTypeTest SimpleTest AppTest SetTest TransformTest)' \
        -e '/^target_compile_options(DeprecatedTest/d' "$tests" ;;
    fmtlib)
      sed -i -e '/^ *add_fmt_test(/{/(\(args\|ostream\|printf\)-test)/!d}' -e '/^target_compile_definitions(enforce-checks-test/,/)/d' \
        -e '/morph_add_suite(posix-mock-test/d' "$subject/test/CMakeLists.txt" ;;
    nlohmann-json3)
      sed -i -e 's/^foreach(file ${files})/list(FILTER files INCLUDE REGEX "unit-(algorithms|capacity|class_lexer|class_parser|json_pointer|merge_patch|modifiers|serialization)[.]cpp")\n&/' \
        -e '/^# test legacy comparison/,$d' "$tests"
      subject_configure+=(-DJSON_TestStandards=11) ;;
  esac
}
# {mutants, reached, lines, ratio}: nothing is judged.
density_of() {
  in_subject "$1"
  fewer_tests
  echo "$1: mutants that tests reach, lines that they execute" >&2
  from_nothing "$1-headers.json" --budget 0 --no-equivalence
  local counted=$work/$1-gcov program
  rm -rf "$counted"
  configure -S "$subject" -B "$counted" -DMORPH_ENABLED=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS='--coverage -O0'
  for program in $(jq -r '.suites[].programs[].target' "$subject/build/.morph/build.json"); do
    cmake --build "$counted" -j "$(nproc)" --target "$program" >/dev/null
    run_in "$(folder_of "$counted")" "$(program_in "$counted" "$program")" >/dev/null
  done
  gcovr --json-summary --output "$counted.json" --root "$subject" --filter "$subject/(src|include)/" "$counted"
  subject_git "$subject" reset -q --hard start
  jq --slurpfile lines "$counted.json" '
    (.mutants | map(select(.covering > 0)) | length) as $reached | $lines[0].line_covered as $executed |
    {mutants: (.mutants | length), reached: $reached, lines: $executed, ratio: ($reached / $executed * 100 | round / 100),
     compile_time_only: (.compile_time_only | add // 0), rejected_by_compiler}' "$work/$1-headers.json"
}
part_headers() {
  local subject_name
  for subject_name in yaml-cpp cli11 fmt nlohmann-json; do
    (density_of "$subject_name") | jq --arg name "$subject_name" '{key: $name, value: .}'
  done | jq -s 'from_entries | ."yaml-cpp".ratio as $of | map_values(. + {percent: (.ratio / $of * 100 | round)})'
}

# Verdicts of five runs while others are at work.
part_stable() {
  with_mutants yaml-cpp
  local busy=() i
  for ((i = 0; i < 4; ++i)); do
    (while :; do :; done) &
    busy+=($!)
  done
  trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT
  for i in 1 2 3 4 5; do
    echo "yaml-cpp: beside four busy processes, run $i" >&2
    rm -f "$subject/build/.morph/mutation/verdicts.json"
    measure_runs stable 1 mutate_into "$work/stable-$i.json"
  done
  kill "${busy[@]}" 2>/dev/null || true
  jq -s '
    map(.mutants) | add | map({key: "\(.file):\(.line):\(.column) \(.begin)-\(.end) \(.operator) \(.replacement)", state}) | group_by(.key) |
    map({mutant: .[0].key, states: map(.state)}) |
    {runs: 5, mutants: length, timed_out: map(select(.states | index("timed out"))) | length,
     differ: map(select(.states | length != 5 or (unique | length) > 1)) | length,
     differ_in_kill: map(select(.states | map(. == "killed" or . == "crashed" or . == "timed out") | unique | length > 1)) | length,
     between: (map(select(.states | unique | length > 1) | .states | unique | join(", ")) | group_by(.) | map({key: .[0], value: length}) | from_entries),
     list: map(select(.states | length != 5 or (unique | length) > 1))}' "$work"/stable-[1-5].json
}

figures='{}'
for part in "${parts[@]}"; do
  found=$("part_$part")
  printf '%s\n' "$found" >"$work/$part.figures.json"
  figures=$(jq -c --arg part "$part" --argjson found "$found" '. + {($part): $found}' <<<"$figures")
done

# A row a figure that was measured.
row() {
  local value
  value=$(jq -r "$2 | values" <<<"$figures")
  if [ -n "$value" ]; then printf '  %-76s %10s\n' "$1" "$value"; fi
}
echo
row "yaml-cpp: mutants" '."yaml-cpp".mutants'
row "  a 1,000 lines of src and include (goal 650)" '."yaml-cpp".per_1000_lines'
row "  rejected by Clang before the build" '."yaml-cpp".not_compilable'
row "  rejected by the project's compiler (goal 0)" '."yaml-cpp".rejected_by_compiler'
row "  reached by tests" '."yaml-cpp".covered'
row "  CPU ms a mutant that tests reach, with baseline and supervisor (goal 5)" '."yaml-cpp".ms'
row "    without the baseline" '."yaml-cpp".ms_judging'
row "    the supervisor's part of it" '."yaml-cpp".ms_supervising'
for verdict in killed crashed 'timed out' survived; do
  row "    $verdict" "[\"$verdict\"] as [\$v] | .\"yaml-cpp\".verdicts[\$v] | values | \"\\(.mutants): \\(.ms)\""
done
row "    survived without a run: their value never differs" '."yaml-cpp".never_differ'
row "  the same, as many at once as there are processors" '."yaml-cpp".ms_parallel'
row "  equivalent: compiled to the original's code" '."yaml-cpp".verdicts.equivalent.mutants'
row "  survivors compiled to the code of another" '."yaml-cpp".same_code'
row "  comparing their code, CPU s" '."yaml-cpp".cpu_seconds.compare'
row "  analysis from nothing, CPU s (goal 30)" '."yaml-cpp".cpu_seconds.sources'
row "  build of all mutants, CPU s" '."yaml-cpp".cpu_seconds.build'
row "  all in, CPU s" '."yaml-cpp".cpu_all'
row "tinyxml2: mutants" '.tinyxml2.mutants'
row "  CPU ms of a plain run" '.tinyxml2.plain_ms'
row "  CPU ms a mutant, with baseline and supervisor" '.tinyxml2.ms'
row "    as plain runs (goal 1.2)" '.tinyxml2.plain_runs'
row "    as plain runs with the optimization of the twin, -O1" '.tinyxml2.optimized_runs'
for subject in yaml-cpp tinyxml2; do
  row "$subject, guards without a mutant: compile CPU, -O0$([ $subject = yaml-cpp ] && echo ' (goal 1.6)')" ".overhead.\"$subject\".O0.compile"
  row "  -O2$([ $subject = yaml-cpp ] && echo ' (goal 1.6)')" ".overhead.\"$subject\".O2.compile"
  row "  run, -O0 (goal 1.25)" ".overhead.\"$subject\".O0.run"
  row "  run, -O2 (goal 1.4)" ".overhead.\"$subject\".O2.run"
done
for loop in checksum words primes square sorted; do row "hot loop at -O2: $loop (goal 2)" ".overhead.hot_loops.$loop"; done
for subject in yaml-cpp tinyxml2; do
  row "$subject, rebuilt one at a time: compared" ".rebuild.\"$subject\".compared"
  row "  survivors among them$([ $subject = yaml-cpp ] && echo ' (goal 30)')" ".rebuild.\"$subject\".survivors"
  row "  agree" ".rebuild.\"$subject\".agree"
  row "    no test reaches" ".rebuild.\"$subject\".not_covered"
  row "    of these agree" ".rebuild.\"$subject\".not_covered_agree"
  row "  do not compile alone" ".rebuild.\"$subject\".does_not_compile"
  row "  CPU s of a rebuild" ".rebuild.\"$subject\".build_seconds"
  row "  CPU s of its run, up to the first failure" ".rebuild.\"$subject\".run_seconds"
  row "  CPU, of ours a mutant that tests reach" ".rebuild.\"$subject\".ratio"
  row "  CPU, of ours a mutant with analysis and build" ".rebuild.\"$subject\".ratio_all_in"
  jq -r --arg subject $subject '.rebuild[$subject].differences // [] | .[] |
    "    \(.file):\(.line):\(.column) [\(.operator)] \(.original) -> \(.replacement): \(.ours)\(if .ours_test != "" then " by " + .ours_test else "" end), rebuilt " +
    "\(.theirs)\(if .theirs_test != "" then " by " + .theirs_test else "" end)\(if .twin then ", switched on in one process " + .twin else "" end)"' <<<"$figures"
done
row "yaml-cpp, every test that kills: CPU of the judging, of the first killers'" '.matrix.judging'
row "  of the whole command from nothing (goal 2)" '.matrix.whole'
row "  test runs" '.matrix.runs'
row "  kills" '.matrix.kills'
jq -r '.edits // [] | .[] | "  morph mutate, \(.edit): CPU \(.cpu) s, wall \(.wall) s, \(.units_read) units read, \(.recalled) verdicts kept; \(.parts | to_entries | map("\(.key) \(.value)") | join(", "))"' <<<"$figures"
for room in optimizer coverage/gcov; do
  row "$room of Morph's own: killed of what tests reach, % (goal 75)" ".own.\"$room\".percent"
  row "  of all, %" ".own.\"$room\".percent_of_all"
  for figure in mutants covered killed crashed timed_out survived; do row "    ${figure/_/ }" ".own.\"$room\".$figure"; done
done
for subject in yaml-cpp cli11 fmt nlohmann-json; do
  row "$subject: mutants" ".headers.\"$subject\".mutants"
  row "  that tests reach" ".headers.\"$subject\".reached"
  row "  lines that they execute" ".headers.\"$subject\".lines"
  row "  mutants a line" ".headers.\"$subject\".ratio"
  row "  of yaml-cpp's, % (goal 60)" ".headers.\"$subject\".percent"
  row "  left out: the compiler rejects them, or crashes" ".headers.\"$subject\".rejected_by_compiler"
  row "  compile-time only, not among them" ".headers.\"$subject\".compile_time_only"
done
row "five runs under load: verdicts that differ (goal 0)" '.stable.differ'
row "  mutants that are killed in some runs and not in others" '.stable.differ_in_kill'
row "  mutants that time out in a run" '.stable.timed_out'
jq -r '.stable.between // {} | to_entries[] | "    \(.key): \(.value)"' <<<"$figures"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --argjson figures "$figures" --argjson sample "$sample" --argjson seed "$seed" \
  '{bench: "mutation", $figures, conditions: ($conditions + {$sample, $seed}), $raw}'
