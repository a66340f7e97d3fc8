#!/usr/bin/env bash
# What studio's page costs in real Chromium: ready, a plan of 10,000 tests in view, a key among 100,000, 5,000 events, its bytes.
# studio.sh [--runs N] [--modules DIR] [--prefix DIR]
#   --runs     of each (default: 9)
#   --modules  with node_modules of playwright-core and axe-core (default: build/node, where `./dev test` puts them)
#   --prefix   an installed Morph (default: that of build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

runs=9 modules=$root/build/node prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=$2 ;;
    --modules) modules=$2 ;;
    --prefix) prefix=$2 ;;
    *) sed -n '3,6s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
work=$root/build/bench/studio
mkdir -p "$work"
subject_find_morph "$work"

node benchmarks/studio.mjs --morph "$prefix/bin/morph" --work "$work" --modules "$modules" --runs "$runs" >"$work/figures.json"
jq -r '"ready: \(.ready_ms) ms (aim: 200)",
  "10,000 tests in view: \(.document_of_10000_ms) ms (aim: 300)",
  "a key among 100,000: \(.key_of_100000_ms) ms, the slowest \(.slowest_key_ms) ms (aim: 50)",
  "5,000 events in a second: \(.events_kept) kept, drawn \(.draws_per_s) times a second (aim: 10)",
  "what a page loads: \(.bundle_kb) kB compressed (aim: 120)"' "$work/figures.json"
jq -c --argjson conditions "$(conditions)" '
  {bench: "studio", figures: ., $conditions}' "$work/figures.json"
