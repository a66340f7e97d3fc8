#!/usr/bin/env bash
# What plans select on the commits of a real project, and whether they miss anything.
# selection.sh --history DIR [--commits N] [--recipe FILE] [--end REVISION] [--reverts | --carried | --saves [--evidence probes [--all-every N]]]
#
# DIR is a checkout with its history, which is only read. The last N commits (default: 10) that touch sources or build descriptions are
# put on top of each other, with Morph added to each by the recipe (default: the one in histories/ or subjects/ that is named like DIR; else `morph init --write`).
# A recipe sets subject_configure and subject_target and defines subject_add_morph, as subjects/lib.sh says. Each commit is built,
# planned from its predecessor, and measured; every test that executes something else afterwards, or ends otherwise, should have been
# selected. Where one was not, the commit is measured up to four times more, then its predecessor: what differs then too differs by itself,
# at other commits as well. What is done is kept: the same call goes on where it was interrupted.
# Beside that, what `ctest --out-of-date` (CMake 4.5) would run by its rule: tests whose program was linked anew.
#
# --reverts: among the last N commits (merges included) that say "fix" and touch both production sources and tests, each loses its
# production part; every test whose verdict in ctest changes should be selected.
#
# --carried: `ctest -L morph` runs at each commit. The rows that are there then, most of them carried from commits before, are compared with
# those of all tests measured anew by probes.
#
# --saves: what each commit costs with Morph (its build, the plan, the selected tests, the measurement refreshed once 5 % of the tests' time is affected) and without (its build,
# every program of the suites run once), in CPU seconds. With --evidence probes: its build, `ctest -L morph` with the plan and all that is
# recorded meanwhile, and `morph record`. With --all-every N all tests run at every Nth commit only; between them they count as at the one before.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/histories/lib.sh

history='' commits=10 recipe='' end=HEAD kind=history evidence=twin all_every=1
while [ $# -gt 0 ]; do
  case $1 in
    --history) history=$(realpath "$2"); shift 2 ;;
    --commits) commits=$2; shift 2 ;;
    --recipe) recipe=$2; shift 2 ;;
    --end) end=$2; shift 2 ;;
    --carried) kind=carried evidence=probes; shift ;;
    --reverts | --saves) kind=${1#--}; shift ;;
    --evidence) evidence=$2; shift 2 ;;
    --all-every) all_every=$2; shift 2 ;;
    *) sed -n '3s/^# /usage: /p' "$0" >&2; exit 2 ;;
  esac
done

figure_names=(selection_commits selection_missed selection_mean_pct selection_median_pct selection_time_mean_pct
  selection_executed_files_mean_pct selection_changed_lines_mean_pct selection_out_of_date_mean_pct)
if [ -z "$history" ]; then
  echo "not run: no history; --history DIR names a checkout of a project with its commits" >&2
  jq -c -n --argjson conditions "$(conditions)" \
    '{bench: "selection", figures: ($ARGS.positional | map({(.): null}) | add),
      conditions: ($conditions + {reason: "no history: --history DIR names a checkout"})}' --args "${figure_names[@]}"
  exit 0
fi

name=$(history_name "$history")
work=$root/build/bench/selection/$name-$kind
if [ $evidence != twin ]; then work+=-$evidence; fi
morph=$root/build/bench/selection/prefix/bin/morph
tool=$root/build/release/benchmarks/morph_history
source=$work/source
raw=$work/raw.json
mkdir -p "$work"
touch "$raw"
cmake --build build/release --target morph_history >/dev/null
cmake --install build/release --prefix "$root/build/bench/selection/prefix" >/dev/null

subject_add_morph() {
  "$morph" init --write "$1" >"$work/init.log"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
if [ -z "$recipe" ]; then recipe=$(history_recipe "$name"); fi
if [ -n "$recipe" ]; then . "$recipe"; fi

if [ ! -d "$source/.git" ]; then git clone -q --no-hardlinks "$history" "$source"; fi
here() { subject_git "$source" "$@"; }

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

# Makes the work tree that of $1 with Morph added, and a commit of it on top of $2 (empty: of nothing): commit_with_morph REVISION PARENT
commit_with_morph() {
  here checkout -q --force --detach "$1"
  subject_add_morph "$source"
  commit_tree "$1" "$2"
}
commit_tree() {
  here add -A
  here reset -q --soft "$(here commit-tree "$(here write-tree)" ${2:+-p "$2"} -m "$1")"
  here rev-parse HEAD
}
# Whether it does: what does not build is left out.
build_source() {
  # shellcheck disable=SC2086  # several targets, separated by blanks
  {
    cmake -S "$source" -B "$source/build" -G Ninja -DMORPH_EVIDENCE=$evidence "${subject_configure[@]}" "${launcher[@]}" -DCMAKE_PREFIX_PATH="$root/build/bench/selection/prefix" &&
      cmake --build "$source/build" ${subject_target:+--target $subject_target}
  } >"$work/build.log" 2>&1
}
measure_source() {
  "$morph" measure --fresh "$@" --build "$source/build" -q >"$work/measure.log" 2>&1 || [ -s "$source/.morph/evidence.db" ] || {
    echo "nothing could be measured: see $work/measure.log; a recipe (--recipe) says how to build the tests" >&2
    return 1
  }
}
plan_source() { "$morph" plan --json --base "$1" --build "$source/build" >"$2" || [ $? -le 3 ]; }
descriptions=('*CMakeLists.txt' '*.cmake' '*.cmake.in')
sources=('*.c' '*.cc' '*.cpp' '*.cxx' '*.h' '*.hh' '*.hpp' '*.hxx' '*.inl' '*.ipp' '*.tpp')
done_already() { jq -e -s --arg commit "$1" 'any(.[]; .commit == $commit)' "$raw" >/dev/null; }
note() { jq -c --arg commit "$1" --arg subject "$(here log -1 --format=%s "$1" | cut -c1-60)" '{$commit, $subject} + .' >>"$raw"; }
last() { tail -n 1 "$raw" | jq -r "$1"; }

# How many tests of the plan are out of date since $work/built: their command is a file of the build that is newer.
out_of_date() {
  local tests=0 command
  while IFS= read -r command; do
    if [ "$command" -nt "$work/built" ]; then tests=$((tests + 1)); fi
  done < <(ctest --test-dir "$source/build" --show-only=json-v1 | jq -r --arg build "$source/build/" --slurpfile plan "$work/plan.json" \
    '($plan[0].tests | INDEX(.name)) as $of_plan | .tests[] | select($of_plan[.name]).command[0]? // empty | select(startswith($build))')
  echo "$tests"
}

touches_sources() { if here diff --quiet "$1" "$2" -- "${sources[@]}"; then echo false; else echo true; fi; }

# judge_rows FROM TO [AGAIN...]
judge_rows() {
  "$tool" rows "$source/.morph/evidence.db" "$(here rev-parse "$1^{tree}")" "$(here rev-parse "$2^{tree}")" "$work/plan.json" "${@:3}" <"$work/diff"
}

# on_each_commit BUILD STEP: each commit with Morph, on top of the one before, built by BUILD; then STEP REVISION COMMIT PREVIOUS, the
# last two with Morph, PREVIOUS empty of the first.
on_each_commit() {
  local revisions revision previous='' at
  mapfile -t revisions < <(here rev-list --first-parent --max-count=$((commits + 1)) "$(git -C "$history" rev-parse "$end")" -- "${sources[@]}" "${descriptions[@]}" | tac)
  for revision in "${revisions[@]}"; do
    if done_already "$revision"; then
      at=$(jq -r -s --arg commit "$revision" 'map(select(.commit == $commit))[0].with_morph // empty' "$raw")
      previous=${at:-$previous}
      continue
    fi
    at=$(commit_with_morph "$revision" "$previous")
    touch "$work/built"
    if ! "$1"; then
      echo "${revision:0:9} does not build"
      echo '{"skipped": "it does not build"}' | note "$revision"
      if [ -n "$previous" ]; then here reset -q --soft "$previous"; fi
      continue
    fi
    "$2" "$revision" "$at" "$previous"
    previous=$at
  done
}

is_missed() { jq -e '.missed + .missed_by_line_counts != []' "$work/rows.json" >/dev/null; }
# What is checked out, until stores of TIMES measurements are in $again: measure_while_missed TIMES. Every other time memory is handed out
# in another order, since what goes by the order of addresses is the same in all processes that are forked from one.
measure_while_missed() {
  while [ ${#again[@]} -lt "$1" ] && is_missed; do
    again+=("$work/again${#again[@]}.db")
    cp "$source/.morph/evidence.db" "${again[-1]}"
    GLIBC_TUNABLES=glibc.malloc.tcache_count=$((${#again[@]} % 2 * 7)) measure_source --fresh
    judge_rows "$previous" "$at" "${again[@]}" >"$work/rows.json"
  done
}

compare_with_previous() {
  local revision=$1 at=$2 previous=$3 out_of_date
  if [ -z "$previous" ]; then
    measure_source
    jq -n --arg with_morph "$at" '{$with_morph, first: true}' | note "$revision"
    return
  fi
  plan_source "$previous" "$work/plan.json"
  out_of_date=$(out_of_date)
  measure_source
  here diff -U0 --no-renames "$previous" "$at" >"$work/diff"
  judge_rows "$previous" "$at" >"$work/rows.json"
  local again=()
  measure_while_missed 4
  if is_missed; then
    here checkout -q --force --detach "$previous"
    build_source
    measure_while_missed 8
    here checkout -q --force --detach "$at"
    build_source
  fi
  jq -c --arg with_morph "$at" --argjson sources "$(touches_sources "$previous" "$at")" --argjson out_of_date "$out_of_date" \
    '. + {$with_morph, $sources, $out_of_date}' "$work/rows.json" | note "$revision"
  echo "${revision:0:9} $(last '"\(.selected) of \(.tests) selected (\(.out_of_date) out of date), \(.affected) affected, \(.missed | length) missed: \(.subject)"')"
}

# The CPU seconds of "$@", which may fail.
cpu_of() {
  local TIMEFORMAT='%U %S' row
  row=$({ time "$@" >"$work/run.log" 2>&1; } 2>&1 | tail -n 1)
  awk '{print $1 + $2}' <<<"$row"
}
# Where there is GoogleTest, every program as it is, or the tests of GoogleTest that the plan $1 names; else as ctest runs them.
run_programs() {
  local plan=${1:-} suite framework executable directory filter
  if ! jq -e 'any(.suites[]; .framework == "gtest")' "$source/build/.morph/build.json" >/dev/null; then
    ctest --test-dir "$source/build" -j "$(nproc)" ${plan:+-L '^morph$'}
    return
  fi
  while IFS=$'\t' read -r suite framework directory executable; do
    filter='*'
    if [ -n "$plan" ]; then
      filter=$(jq -r --arg suite "$suite" '[.tests[] | select(.selected and .suite == $suite) | .case] | join(":")' "$plan")
      if [ -z "$filter" ]; then continue; fi
    fi
    if [ "$framework" = gtest ]; then export GTEST_FILTER=$filter; else unset GTEST_FILTER; fi
    (cd "${directory:-$(dirname "$executable")}" && "$executable")
  done < <(jq -r '.suites[] | . as $s | .programs[] | [$s.name, $s.framework, $s.working_directory // "", .executable] | @tsv' "$source/build/.morph/build.json")
}

weigh_build() {
  build_seconds=$(cpu_of build_source)
  build_source
}
weigh() {
  local revision=$1 at=$2 previous=$3 plan selected refresh full
  plan=$(cpu_of plan_source "${previous:-$at}" "$work/plan.json")
  selected=$(cpu_of run_programs "$work/plan.json")
  refresh=$(cpu_of "$morph" measure --if-affected 5 --build "$source/build" -q)
  full=$(cpu_of run_programs)
  jq -c --arg with_morph "$at" --argjson first "$([ -z "$previous" ] && echo true || echo false)" --argjson build "$build_seconds" --argjson plan "$plan" \
    --argjson selected "$selected" --argjson refresh "$refresh" --argjson full "$full" \
    '{$with_morph, $first, tests: .totals.total, count: .totals.selected, $build, $plan, $selected, $refresh, $full}' "$work/plan.json" | note "$revision"
  echo "${revision:0:9} $(last '"\(.count) of \(.tests) selected; build \(.build), plan \(.plan), selected \(.selected), refresh \(.refresh); all \(.full): \(.subject)"')"
}

# What the process that records tests beside ctest has taken so far.
cpu_of_recorder() {
  local process
  for process in $(pgrep -f "morph-recorder $source/build"); do
    awk -v ticks="$(getconf CLK_TCK)" '{sub(/.*\) /, ""); print ($12 + $13) / ticks}' "/proc/$process/stat"
  done | awk '{sum += $1} END {print sum + 0}'
}
weigh_learning() {
  local revision=$1 at=$2 previous=$3 learning recorder record full
  plan_source "${previous:-$at}" "$work/plan.json"
  learning=$(cpu_of ctest --test-dir "$source/build" -L '^morph$' -j 1 --timeout 600)
  recorder=$(cpu_of_recorder)
  record=$(cpu_of "$morph" record --build "$source/build")
  if [ $(($(jq -s 'map(select(.full)) | length' "$raw") % all_every)) -eq 0 ]; then full=$(cpu_of run_programs); else full=$(jq -s 'map(.full // empty) | last' "$raw"); fi
  jq -c --arg with_morph "$at" --argjson first "$([ -z "$previous" ] && echo true || echo false)" --argjson build "$build_seconds" \
    --argjson selected "$learning" --argjson recorder "$recorder" --argjson record "$record" --argjson full "$full" \
    '{$with_morph, $first, tests: .totals.total, count: .totals.selected, $build, plan: 0, $selected, refresh: ($recorder + $record), $full}' "$work/plan.json" |
    note "$revision"
  echo "${revision:0:9} $(last '"\(.count) of \(.tests) selected; build \(.build), ctest \(.selected), recorder and record \(.refresh); all \(.full): \(.subject)"')"
}

# newest: the measurement that was made last
newest() { "$morph" store info --build "$source/build" --json | jq '[.measurements[].id] | max'; }
# The store is as it was afterwards: what is measured anew is no baseline.
compare_carried() {
  local revision=$1 at=$2 store=$source/.morph/evidence.db ran carried
  ctest --test-dir "$source/build" -L '^morph$' -j 1 --timeout 600 >"$work/ctest.log" 2>&1 || true
  ran=$(grep -c ' Test *#' "$work/ctest.log")
  "$morph" record --build "$source/build" >"$work/record.log" 2>&1 || true
  carried=$(newest)
  cp "$store" "$work/kept.db"
  measure_source
  "$root/build/release/benchmarks/morph_rows" "$store" "$carried" "$(newest)" probes >"$work/rows.txt" || true
  mv "$work/kept.db" "$store"
  rm -f "$store"-*
  jq -c -n --arg with_morph "$at" --argjson ran "$ran" --argjson row "$(tail -n 1 "$work/rows.txt" |
    jq -R 'split(" ") | {tests: .[1] | tonumber, extra: .[5] | tonumber, missed: .[7] | tonumber}')" '$row + {$with_morph, $ran}' | note "$revision"
  cp "$work/rows.txt" "$work/rows-${revision:0:9}.txt"
  echo "${revision:0:9} $(last '"\(.ran) of \(.tests) ran, \(.missed) missed, \(.extra) extra: \(.subject)"')"
}

# Every test in a process of its own, as ctest runs it, but none beside another: files of one name in one folder are not rare.
run_tests() { ctest --test-dir "$source/build" -j 1 --timeout 120 --output-junit "$1" >"$work/ctest.log" 2>&1 || true; }

undo_fixes() {
  local found=0 revision at production
  for revision in $(here rev-list --first-parent -i --grep='\bfix' "$(git -C "$history" rev-parse "$end")" -- "${sources[@]}"); do
    if [ $found -ge "$commits" ]; then break; fi
    mapfile -t production < <(here diff --name-only --diff-filter=M "$revision~" "$revision" -- "${sources[@]}" | grep -viE '(^|/)[^/]*tests?[^/]*(/|$)')
    if [ ${#production[@]} -eq 0 ]; then continue; fi
    if ! here diff --name-only "$revision~" "$revision" | grep -qiE '(^|/)[^/]*tests?[^/]*(/|$)'; then continue; fi
    found=$((found + 1))
    if done_already "$revision"; then continue; fi
    at=$(commit_with_morph "$revision" '')
    if ! build_source; then
      echo '{"skipped": "it does not build"}' | note "$revision"
      continue
    fi
    measure_source
    run_tests "$work/before.xml"
    here checkout -q "$revision~" -- "${production[@]}"
    commit_tree "without $revision" "$at" >/dev/null
    if ! build_source; then
      echo "${revision:0:9} does not build without its production part"
      echo '{"skipped": "it does not build without its production part"}' | note "$revision"
      continue
    fi
    plan_source "$at" "$work/plan.json"
    run_tests "$work/after.xml"
    "$tool" flips "$work/before.xml" "$work/after.xml" "$work/plan.json" | note "$revision"
    echo "${revision:0:9} $(last '"\(.flipped | length) verdicts change, \(.missed | length) missed, \(.selected) of \(.tests) selected: \(.subject)"')"
  done
}

if [ $kind = reverts ]; then
  undo_fixes
  echo
  jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --arg name "$name" '
    map(select(.flipped)) as $rows |
    {bench: "selection",
     figures: {reverts: ($rows | length), reverts_with_flips: ($rows | map(select(.flipped != [])) | length),
               reverts_flipped: ($rows | map(.flipped | length) | add), reverts_missed: ($rows | map(.missed | length) | add),
               reverts_skipped: (map(select(.skipped)) | length)},
     conditions: ($conditions + {project: $name}), raw: $raw}' "$raw"
  exit 0
fi

if [ $kind = carried ]; then
  cmake --build build/release --target morph_rows >/dev/null
  on_each_commit build_source compare_carried
  echo
  jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --arg name "$name" '
    map(select(.tests)) as $rows |
    {bench: "selection",
     figures: {carried_commits: ($rows | length), carried_rows: ($rows | map(.tests) | add), carried_ran: ($rows | map(.ran) | add),
               carried_missed: ($rows | map(.missed) | add), carried_extra: ($rows | map(.extra) | add)},
     conditions: ($conditions + {project: $name}), raw: $raw}' "$raw"
  exit 0
fi

if [ $kind = saves ]; then
  launcher=()
  export CCACHE_DISABLE=1   # for compilers that are links to it
  on_each_commit weigh_build "$(if [ $evidence = probes ]; then echo weigh_learning; else echo weigh; fi)"
  echo
  jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --arg name "$name" --arg evidence $evidence '
    def sum(f): map(f) | add // 0 | . * 10 | round / 10;
    map(select(.full and (.first | not))) as $rows |
    {bench: "selection",
     figures: {saves_commits: ($rows | length), saves_build: ($rows | sum(.build)), saves_plan: ($rows | sum(.plan)), saves_selected: ($rows | sum(.selected)),
               saves_refresh: ($rows | sum(.refresh)), saves_full: ($rows | sum(.full)),
               saves_pct: (if $rows == [] then null else ($rows | sum(.build + .plan + .selected + .refresh)) / ($rows | sum(.build + .full)) * 1000 | round / 10 end)},
     conditions: ($conditions + {project: $name, evidence: $evidence, unit: "CPU seconds"}), raw: $raw}' "$raw"
  exit 0
fi

on_each_commit build_source compare_with_previous
judged=$work/judged.json
jq -c -s '(map(.unsteady // []) | add // []) as $unsteady | .[] |
  if .missed then (.missed + .missed_by_line_counts | map(select(IN($unsteady[])))) as $also |
    .missed -= $also | .missed_by_line_counts -= $also | .unsteady = (.unsteady + $also | unique) else . end' "$raw" >"$judged"
echo
echo "selected tests in percent; missed: tests that execute other functions or branches, or end otherwise, and wait; *: no source changes"
jq -rs '
  def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def percent(x): if .tests == 0 then "-" else (x / .tests * 1000 | round) / 10 end;
  ["commit", "tests", "new", "plan", "% time", "lines", "files", "out of date", "affected", "missed", "state"],
  (.[] | select(.tests) | [.commit[:9] + (if .sources then "" else "*" end), .tests, .new, percent(.selected),
    (if .seconds > 0 then (.selected_seconds / .seconds * 1000 | round) / 10 else "-" end),
    percent(.changed_lines), percent(.executed_files), percent(.out_of_date // 0), .affected,
    (.missed | length), .state]) | (.[0] | pad(11)) + (.[1:] | map(pad(12)) | join(""))' "$judged"
jq -r 'select(.missed) | .commit[:9] as $c | .missed[:5][] | "missed in \($c): \(.)"' "$judged"
jq -r 'select(.skipped) | "not run: \(.commit[:9]): \(.skipped)"' "$judged"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --arg name "$name" '
  def mean: if length == 0 then null else (add / length * 100 | round) / 100 end;
  def median: sort | if length == 0 then null elif length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end
    | if . == null then . else (. * 100 | round) / 100 end;
  map(select(.tests)) as $all | ($all | map(select(.sources))) as $rows | ($rows | map(.selected / .tests * 100)) as $shares |
  {bench: "selection",
   figures: {selection_commits: ($rows | length), selection_commits_without_sources: (($all | length) - ($rows | length)),
             selection_missed: ($all | map(.missed | length) | add),
             selection_missed_by_line_counts: ($all | map(.missed_by_line_counts | length) | add),
             selection_unsteady: ($all | map(.unsteady // [] | length) | add),
             selection_mean_pct: ($shares | mean), selection_median_pct: ($shares | median),
             selection_time_mean_pct: ($rows | map(select(.seconds > 0) | .selected_seconds / .seconds * 100) | mean),
             selection_executed_files_mean_pct: ($rows | map(.executed_files / .tests * 100) | mean),
             selection_changed_lines_mean_pct: ($rows | map(.changed_lines / .tests * 100) | mean),
             selection_out_of_date_mean_pct: ($rows | map(select(.out_of_date) | .out_of_date / .tests * 100) | mean),
             selection_affected: ($rows | map(.affected) | add), selection_skipped: (map(select(.skipped)) | length)},
   conditions: ($conditions + {project: $name}), raw: $raw}' "$judged"
