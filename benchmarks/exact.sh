#!/usr/bin/env bash
# Whether counters are read as gcov reads them, and whether a stored row is what a process of that test executes.
# exact.sh [--full]: every 10th test (--full: every test) of three real projects.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

every=10
if [ "${1:-}" = --full ]; then every=1; fi
names=(yaml-cpp fmt snappy)
work=$PWD/build/bench/exact
morph=$work/prefix/bin/morph
raw=$work/raw.json
gcov=gcov-$(g++ -dumpversion)
mkdir -p "$work"
: >"$raw"

cmake --build build/release --target morph_exact >/dev/null
cmake --install build/release --prefix "$work/prefix" >/dev/null

# One subject, in a process of its own: what its recipe sets ends with it. The twin alone is built, by measuring.
compare() {
  . "benchmarks/subjects/$1.sh"
  local subject=$work/$1
  subject_with_morph "$subject"
  cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null 2>&1
  "$morph" measure --build "$subject/build" --fresh -q >/dev/null
  build/release/benchmarks/morph_exact --build "$subject/build" --store "$subject/.morph/evidence.db" --gcov "$gcov" --every $every
}

differs=0
for name in "${names[@]}"; do
  echo "$name: measuring it, then every ${every}th test in a process of its own, read by $gcov and by Morph"
  found=$work/$name.json
  (compare "$name") >"$found" || differs=1
  jq -c --arg name "$name" '{subject: $name} + .' "$found" >>"$raw"
done

row() { printf '  %-62s %12s\n' "$1" "$2"; }
sum() { jq -s "map(.$1) | add" "$raw"; }
echo
row "tests" "$(sum tests)"
row "  of which every line, count, branch and function is gcov's" "$(sum identical)"
row "lines compared; of these differ" "$(sum lines) $(sum lines_differ)"
row "lines with branches; of these differ" "$(sum lines_with_branches) $(sum branches_differ)"
row "functions; of these differ" "$(sum functions) $(sum functions_differ)"
row "stored rows compared with a process" "$(sum rows)"
row "  lines in them" "$(sum row_lines)"
row "  lines that gcov shows as executed and a row lacks" "$(sum row_missing)"
row "  lines more, since another block on them ran" "$(sum row_extra_any_block)"
row "  lines more, of functions that the compiler wrote" "$(sum row_extra_compiler_made)"
row "  lines more, where the test is written" "$(sum row_extra_registration)"
row "  lines more, unexplained" "$(sum row_unexplained)"
row "  lines that reports show and gcov does not, and the reverse" "$(sum shown_extra) $(sum shown_missing)"
row "  outcomes of branches; of these differ" "$(sum row_branches) $(sum row_branches_differ)"
row "CPU ms a test: gcov" "$(jq -s '(map(.gcov_cpu_ms_per_test * .tests) | add) / (map(.tests) | add) | round' "$raw")"
row "CPU ms a test: Morph's exact reading" "$(jq -s '(map(.morph_cpu_ms_per_test * .tests) | add) / (map(.tests) | add) | round' "$raw")"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson every $every \
  '{bench: "exact",
    figures: ({exact_tests: (map(.tests) | add), exact_identical: (map(.identical) | add)} +
              ([.[] | to_entries[] | select(.key | IN("subject", "tests", "identical") or endswith("per_test") | not)] |
               group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add)),
    conditions: ($conditions + {every: $every, subjects: map(.subject)}),
    raw: $raw}' "$raw"
exit $differs
