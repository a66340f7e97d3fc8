#!/usr/bin/env bash
# The whole way on real projects: add Morph, run everything once, commit a change, run what it can affect, plant a fault. Checks itself.
# demo.sh [NAME...]: the recipes of that name in subjects/ (default: yaml-cpp). demo.sh --all: every one, then the table.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/build/demo
morph=$work/prefix/bin/morph

usage() { echo "usage: demo.sh [--all | NAME...]; there is: $(recipes | xargs)" >&2; exit 2; }
recipes() { find benchmarks/subjects -name '*.sh' ! -name lib.sh -printf '%f\n' | sed 's/\.sh$//' | sort; }
step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }
fail() { printf 'demo of %s: %s\n' "$name" "$*" >&2; exit 1; }
seconds() { local TIMEFORMAT=%R; { time "$@" >"$own/last.log" 2>&1; } 2>&1 | tail -n 1; }
build_subject() {
  # shellcheck disable=SC2086  # several targets, separated by blanks
  cmake --build build ${subject_target:+--target $subject_target} >"$own/build.log" 2>&1 || {
    tail -n 20 "$own/build.log"
    fail "it does not build"
  }
}
configure_subject() {
  cmake -B build -G Ninja "${subject_configure[@]}" "$@" >"$own/configure.log" 2>&1 || {
    tail -n 20 "$own/configure.log"
    fail "it cannot be configured"
  }
}
names() { jq -r "$1" "$own/plan.json" | sort -u; }

# One subject, in a process of its own: what its recipe sets ends with it.
demo() {
  name=$1
  own=$work/$name
  . benchmarks/subjects/lib.sh
  . "benchmarks/subjects/$name.sh"
  local subject=$own/source
  rm -rf "$own"
  mkdir -p "$own"

  step "$name: $subject_package from Debian's sources, as a git repository"
  subject_get "$subject"
  cd "$subject"
  subject_git . init -q
  subject_prepare .
  subject_commit . "As in Debian"
  configure_subject
  build_subject
  local before entries
  before=$(seconds ctest --test-dir build "${subject_ctest[@]}") || true
  entries=$(sed -n 's/^[0-9]*% tests passed, [0-9]* tests failed out of //p' "$own/last.log")
  echo "its own ctest: $entries entries, $before s"

  step "$name: Morph is added"
  subject_add_morph .
  local added
  added=$(git diff --numstat -- . ':!.gitignore' | awk '{sum += $1} END {print sum}')
  git diff -U0 -- . ':!.gitignore' | grep '^[+-][^+-]'
  subject_commit . "Select tests with Morph"
  echo "\$ cmake -B build -G Ninja ${subject_configure[*]} -DCMAKE_PREFIX_PATH=$work/prefix"
  configure_subject -DCMAKE_PREFIX_PATH="$work/prefix"
  build_subject

  step "$name: nothing is known yet: everything runs, and is recorded"
  "$morph" plan --json >"$own/plan.json"
  jq -c '{state, totals: {selected: .totals.selected, total: .totals.total}, note: .notes[0]}' "$own/plan.json"
  local total
  total=$(jq .totals.total "$own/plan.json")
  [ "$total" -eq "$subject_tests" ] || fail "$total tests instead of $subject_tests"
  [ "$(jq .totals.selected "$own/plan.json")" -eq "$total" ] || fail "not everything runs"
  local all
  all=$(seconds ctest --test-dir build -L '^morph$' "${subject_ctest_morph[@]}") || true
  grep 'tests passed' "$own/last.log"
  "$morph" plan --json >"$own/plan.json"
  jq -c '{state, totals: {selected: .totals.selected, total: .totals.total}}' "$own/plan.json"
  local incomplete
  incomplete=$(jq .totals.selected "$own/plan.json")

  step "$name: one function changes"
  subject_change .
  git diff -U0 | grep '^[+-][^+-]'
  subject_commit . "A change"
  build_subject
  "$morph" plan --json >"$own/plan.json"
  jq -c '{state, totals: {selected: .totals.selected, total: .totals.total}}' "$own/plan.json"
  "$morph" plan >"$own/plan.txt"
  head -n 12 "$own/plan.txt"
  show "$morph" plan --why "${subject_affected[0]}"
  printf '%s\n' "${subject_affected[@]}" | sort -u >"$own/expected"
  names '.tests[] | select(.selected) | .name' >"$own/selected"
  names '.tests[] | select(.selected) | select(all(.reasons[]; . == "incomplete-evidence" or . == "always")) | .name' >"$own/forced"
  local missed forced extra selected
  missed=$(comm -23 "$own/expected" "$own/selected" | wc -l)
  [ "$missed" -eq 0 ] || fail "not selected, though the recipe names them: $(comm -23 "$own/expected" "$own/selected" | head -n 5 | xargs)"
  selected=$(wc -l <"$own/selected")
  forced=$(comm -23 "$own/forced" "$own/expected" | wc -l)
  extra=$(comm -13 <(sort -u "$own/expected" "$own/forced") "$own/selected" | wc -l)
  echo "selected $selected of $total: ${#subject_affected[@]} worked out by hand, $forced for want of evidence, $extra more by the line rules"
  [ "$extra" -le "${subject_extra:-0}" ] || fail "$extra more than worked out by hand; the recipe allows ${subject_extra:-0}"

  step "$name: ctest -L morph runs them; the rest is listed as deferred"
  local subset
  subset=$(seconds ctest --test-dir build -L '^morph$' "${subject_ctest_morph[@]}") || { tail -n 20 "$own/last.log"; fail "the subset fails"; }
  grep 'tests passed' "$own/last.log"

  step "$name: a fault in the same function: the subset fails"
  subject_fault .
  git diff -U0 | grep '^[+-][^+-]'
  subject_commit . "A fault"
  build_subject
  if ctest --test-dir build -L '^morph$' "${subject_ctest_morph[@]}" >"$own/fault.log" 2>&1; then fail "the fault went unnoticed"; fi
  sed -n '/The following tests FAILED/,$p' "$own/fault.log" | head -n 5
  echo
  printf '%-52s %s s\n' "its own ctest, before Morph ($entries entries)" "$before" "ctest -L morph at first ($total tests)" "$all" \
    "ctest -L morph after the change ($selected tests)" "$subset"
  printf '| %s | %s | %s | %s | %s | %s | %s of %s | %s | %s | %s | %s |\n' "$name" "$subject_kind" "$added" "$entries" "$total" \
    "$incomplete" "$selected" "$total" "${#subject_affected[@]}" "$before" "$all" "$subset" >"$own/row"
}

chosen=()
table=""
case "${1:-}" in
  --all) mapfile -t chosen < <(recipes); table=yes ;;
  -*) usage ;;
  '') chosen=(yaml-cpp) ;;
  *) chosen=("$@") ;;
esac
for name in "${chosen[@]}"; do [ -f "benchmarks/subjects/$name.sh" ] || usage; done
if [ -z "${MORPH_DEMO_INSTALLED:-}" ]; then
  mkdir -p "$work"
  rm -rf "$work/prefix"
  cmake --install build/release --prefix "$work/prefix" >/dev/null
fi
show "$morph" --version

failed=()
for name in "${chosen[@]}"; do
  # set -e does not hold in a condition: the subject runs in a bash of its own.
  if [ -n "$table" ]; then
    echo "$name ..."
    if MORPH_DEMO_INSTALLED=yes bash benchmarks/demo.sh "$name" >"$work/$name.log" 2>&1; then
      grep '^selected' "$work/$name.log"
    else
      failed+=("$name")
      tail -n 1 "$work/$name.log"
    fi
  else
    (demo "$name")
  fi
done
if [ -n "$table" ]; then
  {
    echo '| subject | kind | lines added | own entries | tests | incomplete | selected | by hand | own ctest, s | ctest -L morph at first, s | ctest -L morph after the change, s |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    for name in "${chosen[@]}"; do cat "$work/$name/row" 2>/dev/null || true; done
  } | tee "$work/subjects.md"
fi
if [ ${#failed[@]} -gt 0 ]; then
  echo "demo failed on: ${failed[*]}; its output is in build/demo/NAME.log" >&2
  exit 1
fi
step "demo passed"
