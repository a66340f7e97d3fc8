#!/usr/bin/env bash
# What the evidence of 10,000 tests over a million lines costs: to take in, to keep, and to plan from. Synthetic
# (scale.cpp), written through the store's own writer, in a real repository with a real test program.
# Then the same number of tests by probes: a program that enters 10,000 functions, and that ctest runs once.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

work=$PWD/build/bench/scale
project=$work/project
generator=$PWD/build/release/benchmarks/morph_scale
morph=$work/prefix/bin/morph
raw=$work/raw.txt
cmake --build build/release --target morph_scale >/dev/null
rm -rf "$work"
mkdir -p "$work"
cmake --install build/release --prefix "$work/prefix" >/dev/null

echo "1,000 files of 1,000 executable lines, and a program of 10,000 tests"
"$generator" sources "$project"
subject_git "$project" init -q
subject_commit "$project" "Everything"
cmake -S "$project" -B "$project/build" -G Ninja -DMORPH_EVIDENCE=twin -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$project/build" >/dev/null

echo "writing the evidence of all tests"
: >"$work/ingest.jsonl"
for _ in 1 2 3; do "$generator" store "$project/build" >>"$work/ingest.jsonl"; done
of_ingest() { jq -s "sort_by(.$1) | .[1].$1" "$work/ingest.jsonl"; }

echo "plans after a change of 20 lines in 3 files"
"$generator" change "$project" >/dev/null
subject_commit "$project" "A change"
"$morph" plan --build "$project/build" --format names >"$work/selected.txt"
selected=$(wc -l <"$work/selected.txt")
if [ "$selected" -lt 500 ] || [ "$selected" -gt 5000 ]; then
  echo "the change selects $selected tests; this benchmark is about hundreds of 10,000" >&2
  exit 1
fi
measure_runs plan 21 "$morph" plan --build "$project/build" --format names
measure_runs plan_cmake 5 "$morph" plan --build "$project/build" --format cmake
"$morph" store verify --build "$project/build"

echo "10,000 tests by probes: ctest runs each of them once"
probed=$work/probed
"$generator" probed "$probed"
subject_git "$probed" init -q
subject_commit "$probed" "Everything"
cmake -S "$probed" -B "$probed/build" -G Ninja -DMORPH_EVIDENCE=probes -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$probed/build" >/dev/null
learn() { ctest --test-dir "$probed/build" -L '^morph$' -j "$(nproc)" >"$work/ctest.txt"; }
measure_runs learn 1 learn
"$morph" plan --build "$probed/build" --format names >"$work/unchanged.txt"   # takes in what ctest recorded
count_of() { wc -l <"$work/$1.txt"; }
if [ "$(count_of unchanged)" -ne 0 ]; then
  echo "without a change $(count_of unchanged) tests are selected" >&2
  exit 1
fi
measure_runs unchanged 21 "$morph" plan --build "$probed/build" --format names
measure_runs unchanged_cmake 5 "$morph" plan --build "$probed/build" --format cmake
"$generator" half "$probed"
cmake --build "$probed/build" >/dev/null
"$morph" plan --build "$probed/build" --format names >"$work/half.txt"
if [ "$(count_of half)" -lt 4500 ] || [ "$(count_of half)" -gt 5500 ]; then
  echo "the change selects $(count_of half) of 10,000 tests; it is meant to select half of them" >&2
  exit 1
fi
measure_runs half 21 "$morph" plan --build "$probed/build" --format names
measure_runs half_first 1 "$morph" plan --build "$probed/build" --format cmake   # makes the measurement of the next run
measure_runs half_cmake 5 "$morph" plan --build "$probed/build" --format cmake
probed_mb=$(stat -c %s "$probed/build/.morph/learned.db" | jq '. / 1e4 | round / 100')

row() { printf '  %-66s %10s\n' "$1" "$2"; }
echo
row "executed pairs of test and line, million" "$(of_ingest 'pairs / 1e6 | floor')"
row "density, % (goal 1.5)" "$(of_ingest 'density * 1000 | round / 10')"
row "classes of lines (goal: at least 60000)" "$(of_ingest line_classes)"
row "ingest, wall s (goal 10)" "$(of_ingest ingest_s)"
row "  the same, CPU s" "$(of_ingest ingest_cpu_s)"
row "  peak of the writing process, MB" "$(of_ingest peak_mb)"
row "on disk, MB (goal 100)" "$(of_ingest mb)"
row "bytes a pair (goal 0.25)" "$(of_ingest bytes_a_pair)"
row "tests selected by the change (goal: at least 500)" "$selected"
row "plan, wall ms (goal 1000)" "$(median plan wall)"
row "  the same, CPU ms" "$(median plan cpu)"
row "plan as code for ctest, wall ms" "$(median plan_cmake wall)"
row "by probes: the first run of ctest, s" "$(median learn wall | jq '. / 1000 | round')"
row "  what it taught, on disk, MB" "$probed_mb"
row "  plan where nothing changed, wall ms (goal 1000)" "$(median unchanged wall)"
row "  the same as code for ctest, wall ms" "$(median unchanged_cmake wall)"
row "  tests selected by a change of what half of them enter" "$(count_of half)"
row "  plan then, wall ms (goal 1000)" "$(median half wall)"
row "  the first as code for ctest, which prepares the run, wall ms" "$(median half_first wall)"
row "  a later one as code for ctest, wall ms" "$(median half_cmake wall)"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson ingest "$(of_ingest ingest_s)" \
  --argjson ingest_cpu "$(of_ingest ingest_cpu_s)" --argjson peak "$(of_ingest peak_mb)" --argjson mb "$(of_ingest mb)" \
  --argjson bytes "$(of_ingest bytes_a_pair)" --argjson classes "$(of_ingest line_classes)" --argjson selected "$selected" \
  --argjson plan "$(median plan wall)" --argjson plan_cpu "$(median plan cpu)" --argjson probed_mb "$probed_mb" \
  --argjson unchanged "$(median unchanged wall)" --argjson unchanged_cmake "$(median unchanged_cmake wall)" \
  --argjson half "$(median half wall)" --argjson half_cmake "$(median half_cmake wall)" --argjson half_first "$(median half_first wall)" \
  '{bench: "scale",
    figures: {ingest_s: $ingest, ingest_cpu_s: $ingest_cpu, ingest_peak_mb: $peak, store_mb: $mb, bytes_a_pair: $bytes,
              line_classes: $classes, selected: $selected, plan_ms_10k_1m: $plan, plan_cpu_ms_10k_1m: $plan_cpu,
              probed_store_mb: $probed_mb, probed_unchanged_ms: $unchanged, probed_unchanged_cmake_ms: $unchanged_cmake,
              probed_half_ms: $half, probed_half_cmake_ms: $half_cmake, probed_half_first_ms: $half_first},
    conditions: ($conditions + {n: {ingest: 3, plan: 21}}),
    raw: $raw}'
