#!/usr/bin/env bash
# What it costs to know which test runs which line: Morph beside gcov, gcovr and what fastcov does, test by test, on
# yaml-cpp; and the whole measuring run beside the plain run of a suite of longer tests.
# coverage.sh [N]: the others on N tests (default: 30), evenly spread.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

n=${1:-30}
work=$PWD/build/bench/coverage
morph=$work/prefix/bin/morph
raw=$work/raw.txt
collect=$PWD/benchmarks/like_fastcov.py
shares=$PWD/benchmarks/cost_shares.py
mkdir -p "$work"
: >"$raw"
memory=$(mktemp -d /dev/shm/morph-bench-XXXXXX)
trap 'rm -rf "$memory"' EXIT
cmake --install build/release --prefix "$work/prefix" >/dev/null

# Prints the JSON of one subject's figures. Stock is the subject without Morph, its whole code with the same flags as
# the twin; what it counts goes to memory, beside links to its notes.
in_subject() {
  . "benchmarks/subjects/$1.sh"
  subject=$work/$1
  stock=$subject/build-stock
  counts=$memory/$1
  subject_with_morph "$subject"
  cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null 2>&1
  cmake -S "$subject" -B "$stock" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" -DMORPH_ENABLED=OFF \
    -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS="-O0 --coverage" >/dev/null 2>&1
  cmake --build "$stock" --target "$subject_target" >/dev/null
  program=$(find "$stock" -type f -perm -u+x -name "$subject_target")
  mapfile -t tests < <("$program" --gtest_list_tests | awk '/^[^ ]/ {suite = $1} /^  / && (suite $1) !~ /DISABLED_/ {print suite $1}')
  "$morph" measure --build "$subject/build" --fresh -q >/dev/null
  directory=$(jq -r '.suites[0].working_directory // empty' "$subject/build/.morph/build.json")
  cd "${directory:-$(dirname "$program")}"
  export GCOV_PREFIX=$counts
  while read -r note; do
    mkdir -p "$counts$(dirname "$note")"
    ln -s "$note" "$counts$note"
  done < <(find "$stock" -name '*.gcno')
}
forget_counts() { find "$counts" -name '*.gcda' -delete; }
# Each of the chosen tests in a process of its own, and what "$@" makes of its counters.
each_alone() {
  local test
  for test in "${chosen[@]}"; do
    forget_counts
    "$program" --gtest_filter="$test"
    "$@"
  done
}
read_by_gcov() { find "$counts" -name '*.gcda' -print0 | xargs -0 gcov -b --json-format --stdout >"$memory/gcov.json"; }
read_by_gcovr() { gcovr --root "$subject" --json --output "$memory/gcovr.json" "$counts"; }
read_like_fastcov() { "$collect" "$counts" "$memory/fastcov.json"; }
plain_run() {
  forget_counts
  "$program"
}
from_empty_store() {
  rm -f "$subject/.morph/evidence.db"
  "$morph" measure --build "$subject/build" -q "$@"
}
# The twin's program, whose counters are read after each test, and the same with its .gcda at the end; the stream is
# not read.
twin_program() { find "$subject/build/morph-twin/coverage" -type f -perm -u+x -name "$subject_target"; }
in_process_run() {
  MORPH_COVERAGE_FD=3 MORPH_COVERAGE_TEST='' MORPH_COVERAGE_ISOLATION=none "$(twin_program)" 3>/dev/null
}
twin_plain_run() {
  forget_counts
  "$(twin_program)"
}
cost_shares() {
  if ! command -v perf >/dev/null; then
    echo "  not run: shares, which need perf" >&2
    echo null
    return
  fi
  perf record -q -e cpu-clock -F 2500 -g -o "$memory/perf.data" -- "$morph" measure --build "$subject/build" --fresh -q >/dev/null 2>&1
  perf script -i "$memory/perf.data" -F comm,ip,sym 2>/dev/null | "$shares" "$subject_target"
}

side_by_side() {
  in_subject yaml-cpp
  chosen=()
  local i
  for ((i = 0; i < n; ++i)); do chosen+=("${tests[i * ${#tests[@]} / n]}"); done
  echo "yaml-cpp: ${#tests[@]} tests by Morph, ${#chosen[@]} by the others" >&2
  # In turns: a machine that is shared is fast and slow by the minute.
  local all=("${chosen[@]}") turn turns=6
  for ((turn = 0; turn < turns; ++turn)); do
    measure_runs morph 1 from_empty_store
    measure_runs morph_none 1 from_empty_store --isolation none
    for _ in 1 2 3; do
      measure_runs in_process 1 in_process_run
      measure_runs twin_plain 1 twin_plain_run
    done
    measure_runs plain 1 plain_run
    chosen=()
    for ((i = turn; i < ${#all[@]}; i += turns)); do chosen+=("${all[i]}"); done
    measure_runs alone 1 each_alone true
    measure_runs gcov 1 each_alone read_by_gcov
    measure_runs gcovr 1 each_alone read_by_gcovr
    measure_runs fastcov 1 each_alone read_like_fastcov
  done
  local file
  for file in gcov gcovr fastcov; do [ -s "$memory/$file.json" ] || { echo "$file left no report" >&2; return 1; }; done
  jq -n --argjson tests "${#tests[@]}" --argjson n "${#all[@]}" --argjson morph "$(median morph cpu)" --argjson plain "$(median plain cpu)" \
    --argjson alone "$(total alone cpu)" --argjson gcov "$(total gcov cpu)" --argjson gcovr "$(total gcovr cpu)" \
    --argjson fastcov "$(total fastcov cpu)" --argjson none "$(median morph_none cpu)" --argjson in_process "$(median_ratio in_process twin_plain)" --argjson twin_plain "$(median twin_plain cpu)" \
    --argjson shares "$(cost_shares)" '
    def rounded: . * 1000 | round / 1000;
    ($morph / $tests) as $each | {$tests, compared_tests: $n, morph_ms: ($each | rounded), plain_ms: ($plain / $tests | rounded),
      alone_ms: ($alone / $n | rounded), gcov_ms: ($gcov / $n | rounded), gcovr_ms: ($gcovr / $n | rounded), fastcov_ms: ($fastcov / $n | rounded),
      times_alone: ($alone / $n / $each | rounded), times_gcov: ($gcov / $n / $each | rounded), times_gcovr: ($gcovr / $n / $each | rounded),
      times_fastcov: ($fastcov / $n / $each | rounded), none_ms: ($none / $tests | rounded),
      in_process_to_plain: ($in_process | rounded), times_plain: ($each * $tests / $twin_plain | rounded), $shares}'
}

# A suite whose mean test takes 5 ms or more.
longer_tests() {
  in_subject snappy
  echo "snappy: ${#tests[@]} tests, each some hundred times as long" >&2
  for _ in 1 2 3; do
    measure_runs long_plain 1 plain_run
    measure_runs long_morph 1 from_empty_store
  done
  jq -n --argjson tests "${#tests[@]}" --argjson morph "$(median long_morph cpu)" --argjson plain "$(median long_plain cpu)" --argjson ratio "$(median_ratio long_morph long_plain)" --argjson shares "$(cost_shares)" '
    def rounded: . * 1000 | round / 1000;
    {$tests, morph_ms: ($morph / $tests | rounded), plain_ms: ($plain / $tests | rounded), to_plain: ($ratio | rounded), $shares}'
}

yaml=$(side_by_side)
long=$(longer_tests)
of() { jq -r "$2" <<<"$1"; }
row() { printf '  %-66s %10s\n' "$1" "$2"; }
echo
row "yaml-cpp, CPU ms a test: Morph, all in (goal 2)" "$(of "$yaml" .morph_ms)"
row "  times the plain run of the same program" "$(of "$yaml" .times_plain)"
row "  plain run of the instrumented program" "$(of "$yaml" .plain_ms)"
row "  a process a test, .gcda to memory" "$(of "$yaml" .alone_ms)"
row "    times Morph (goal 8)" "$(of "$yaml" .times_alone)"
row "  and gcov -b --json-format" "$(of "$yaml" .gcov_ms)"
row "    times Morph" "$(of "$yaml" .times_gcov)"
row "  and gcovr --json" "$(of "$yaml" .gcovr_ms)"
row "    times Morph (goal 1700)" "$(of "$yaml" .times_gcovr)"
row "  and what fastcov does" "$(of "$yaml" .fastcov_ms)"
row "    times Morph" "$(of "$yaml" .times_fastcov)"
row "  Morph without isolation, all in" "$(of "$yaml" .none_ms)"
row "    its run alone, to the plain one of the same program (goal 1.12)" "$(of "$yaml" .in_process_to_plain)"
row "snappy, CPU ms a test: plain run" "$(of "$long" .plain_ms)"
row "  Morph, all in" "$(of "$long" .morph_ms)"
row "    to the plain run (goal 1.5)" "$(of "$long" .to_plain)"
echo "  where Morph's time goes, yaml-cpp: $(of "$yaml" '.shares // {} | to_entries | map("\(.key) \(.value * 100 | round) %") | join(", ")')"
echo "  where Morph's time goes, snappy: $(of "$long" '.shares // {} | to_entries | map("\(.key) \(.value * 100 | round) %") | join(", ")')"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson yaml "$yaml" --argjson long "$long" \
  '{bench: "coverage", figures: {"yaml-cpp": $yaml, snappy: $long}, $conditions, $raw}'
