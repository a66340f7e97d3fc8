#!/usr/bin/env bash
# The whole way on a real project: add Morph, measure, commit a change, run what it can affect, plant a fault. Checks itself.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/subjects/lib.sh
. benchmarks/subjects/yaml-cpp.sh

root=$PWD
work=$root/build/demo
subject=$work/$subject_package
morph=$work/prefix/bin/morph

step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }
fail() { printf 'demo: %s\n' "$*" >&2; exit 1; }
seconds() { local TIMEFORMAT=%R; { time "$@" >"$work/last.log" 2>&1; } 2>&1; }

rm -rf "$work"
mkdir -p "$work"
step "Morph is installed"
cmake --install build/release --prefix "$work/prefix" >/dev/null
show "$morph" --version

step "$subject_package from Debian's sources, as a git repository"
subject_get "$subject"
subject_git "$subject" init -q
cp -r "$subject" "$work/before"
cd "$subject"
cmake -S "$work/before" -B "$work/before/build" -G Ninja "${subject_configure[@]}" >/dev/null
cmake --build "$work/before/build" --target "$subject_target" >/dev/null
own=$(seconds ctest --test-dir "$work/before/build")

step "Morph is added to its CMakeLists.txt"
subject_commit . "As in Debian"
subject_add_morph .
git diff --stat
git diff test/CMakeLists.txt | grep '^[+-][^+-]'
subject_commit . "Select tests with Morph"

step "It is built as ever"
echo "\$ cmake -B build -G Ninja ${subject_configure[*]} -DCMAKE_PREFIX_PATH=$work/prefix"
cmake -B build -G Ninja "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
show cmake --build build --target "$subject_target" | tail -n 1

step "Nothing is known yet: everything runs, and says so"
ctest --test-dir build -L '^morph$' >"$work/first.log" 2>&1
grep -m 1 -A 2 'everything runs' "$work/first.log"
grep 'tests passed' "$work/first.log"

step "Every test is measured once"
show cmake --build build --target morph-measure | tail -n 1
show "$morph" store info
"$morph" plan --json | jq -c '{state, totals}'

step "One function changes"
subject_change .
git diff -U0 | grep '^[+-]'
subject_commit . "Reserve exactly what base64 needs"
show cmake --build build --target "$subject_target" | tail -n 1
show "$morph" plan
"$morph" plan --json >"$work/plan.json"
jq -c '{state, totals}' "$work/plan.json"
show "$morph" plan --why "${subject_affected[0]}"

expected=$(printf '%s\n' "${subject_affected[@]}" | sort)
selected=$(jq -r '.tests[] | select(.selected) | .name' "$work/plan.json" | sort)
total=$(jq .totals.total "$work/plan.json")
[ "$selected" = "$expected" ] || fail "selected is not what the recipe says: $selected"
[ "$total" -eq "$subject_tests" ] || fail "$total tests instead of $subject_tests"
[ $((total - $(wc -l <<<"$selected"))) -ge $((total * 9 / 10)) ] || fail "fewer than 90 % wait"
echo "selected = the set worked out by hand; $((total - $(wc -l <<<"$selected"))) of $total wait"

step "ctest -L morph runs them, likely failures first; the rest is listed as deferred"
show ctest --test-dir build -L '^morph$'
ctest --test-dir build -L '^deferred$' -N | tail -n 2

step "Three times side by side"
all=$(seconds ctest --test-dir build)
subset=$(seconds ctest --test-dir build -L '^morph$')
printf '%-44s %s s\n' "the project's own ctest, before Morph (1 entry)" "$own" "ctest (one entry a test)" "$all" "ctest -L morph" "$subset"

step "A fault in the same function: the subset fails"
subject_fault .
git diff -U0 | grep '^[+-][^+-]'
subject_commit . "A fault"
cmake --build build --target "$subject_target" | tail -n 1
if ctest --test-dir build -L '^morph$' >"$work/fault.log" 2>&1; then fail "the fault went unnoticed"; fi
tail -n 6 "$work/fault.log"
"$morph" plan | head -n 8

step "demo passed"
