#!/usr/bin/env bash
# ctest's own runs as evidence, on yaml-cpp as it builds itself: what the first run costs beside a plain one and how long the second
# takes; a walk of faults, of which each state is learned and every failing test should have been selected; and runs that are killed,
# after which each row should be as in a run that was not. --full: a walk of half an hour and 1,000 kills.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

seconds=${SECONDS_OF_WALK:-180} kills=${KILLS:-60}
if [ "${1:-}" = --full ]; then seconds=1800 kills=1000; fi
work=$PWD/build/bench/learning
prefix=$PWD/build/bench/learning/prefix
mkdir -p "$work"
cmake --install build/release --prefix "$prefix" >/dev/null
. benchmarks/subjects/yaml-cpp.sh
subject=$work/yaml-cpp
subject_with_morph "$subject"
subject_git "$subject" checkout -q --force .
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S "$subject" -B "$subject/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMORPH_EVIDENCE=probes -DCMAKE_PREFIX_PATH="$prefix" \
  "${launcher[@]}" "${subject_configure[@]}" >/dev/null
found=$(python3 benchmarks/learning.py "$prefix/bin/morph" "$subject" test/yaml-cpp-tests $seconds $kills)
of() { jq -r "$1" <<<"$found"; }
echo "first run: $(of .first_cpu) CPU s, $(of .recorder_cpu) of them the recorder's; a plain run of all tests: $(of .plain_cpu); second run: $(of .second_wall) s"
echo "walk: $(of .states) states, $(of .failing) failing tests, $(of .missed) not selected; selected $(of .selected_pct) %"
echo "$(of .kills) kills: $(of .rows_compared) rows compared, $(of .rows_differ) differ; stores that are not sound: $(of .unsound)"
jq -c -n --argjson conditions "$(conditions)" --argjson figures "$found" \
  '{bench: "learning", $figures, $conditions}'
