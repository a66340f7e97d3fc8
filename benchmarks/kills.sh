#!/usr/bin/env bash
# Runs of ctest that are evidence, killed at random: ctest's process group, one test or the recorder, while sources change. No row that
# was recorded may be lost, and none may differ from that of a run that was not disturbed. KILLS (default: 100) and SEED; --full: 1,000.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

kills=${KILLS:-100}
if [ "${1:-}" = --full ]; then kills=1000; fi
work=$PWD/build/bench/kills
prefix=$work/prefix
mkdir -p "$work"
cmake --install build/release --prefix "$prefix" >/dev/null
found=$(python3 benchmarks/kills.py "$prefix/bin/morph" "$prefix" "$work/project" "$kills" "${SEED:-7}")
of() { jq -r "$1" <<<"$found"; }
echo "$(of .kills) kills, $(of .hit) of which hit a process: $(of .records) records, $(of .rows_compared) rows compared"
echo "wrong: $(of .rows_wrong), lost: $(of .rows_lost), run again: $(of .ran_again), not there at the end: $(of .not_at_the_end), stores that are not sound: $(of .unsound)"
jq -c -n --argjson conditions "$(conditions)" --argjson figures "$found" \
  '{bench: "kills", $figures, $conditions}'
