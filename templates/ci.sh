#!/usr/bin/env bash
# What a CI job runs: `ci.sh` tests a change, `ci.sh measure` (on the main branch) measures it. Keep .morph/evidence.db from job
# to job, as a cache or an artifact. Copy this file into your project and change the first lines.
set -euo pipefail
build=build
generator=Ninja

cmake -S . -B "$build" -G "$generator"
cmake --build "$build"
if [ "${1:-}" = measure ]; then
  morph measure --build "$build"
  exit
fi
status=0
ctest --test-dir "$build" -L '^morph$' --output-on-failure --output-junit morph-junit.xml || status=$?
morph record --build "$build" "$build/morph-junit.xml"
exit "$status"
