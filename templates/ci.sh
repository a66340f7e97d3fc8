#!/usr/bin/env bash
# What a CI job runs: `ci.sh` tests a change, `ci.sh main` tests the main branch, `ci.sh nightly` runs every test and tells what plans
# would have missed. Keep .morph/evidence.db of the main branch as a cache or an artifact; jobs of a change read it.
# Copy this file into your project and change the first lines. BASE: the commit that a change starts from.
set -euo pipefail
build=build
generator=Ninja

# Of a change: in a store of its own, which can add tests to a plan and take none away.
if [ "${1:-}" = "" ]; then export MORPH_STORE_OVERLAY=${MORPH_STORE_OVERLAY:-.morph/overlay.db}; fi
cmake -S . -B "$build" -G "$generator"
cmake --build "$build"
status=0
if [ "${1:-}" = nightly ]; then
  ctest --test-dir "$build" --output-on-failure --output-junit morph-junit.xml || status=$?
  morph plan --build "$build" --audit --base "$(git rev-list -1 --before='1 day ago' HEAD)" || status=1
  morph spec refresh --build "$build" --if-any || status=1 # specs with a POOL: look at `git diff`, and commit
else
  ctest --test-dir "$build" -L '^morph$' --output-on-failure --output-junit morph-junit.xml || status=$?
fi
morph record --build "$build" "$build/morph-junit.xml"
# For a comment on the change: Markdown, at most 40 lines.
if [ "${1:-}" = "" ]; then morph report summary --build "$build" --since "${BASE:-}" -o "$build/morph-summary.md" || true; fi
exit "$status"
