#!/usr/bin/env bash
# What a plan selects for each kind of change in tests/corpus/selection, with several compilers and frameworks.
# corpus.sh [PART]: only the kinds whose names hold PART.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

settings=("g++ -O0 gtest" "g++ -O0 gtest blocks" "g++ -O2 gtest probes" "g++ -O2 doctest" "clang++-19 -O0 doctest" "clang++-19 -O1 catch2" "clang++-19 -O2 doctest")
raw=$PWD/build/bench/corpus/raw.json
mkdir -p "$(dirname "$raw")"
: >"$raw"
cmake --build build/release --target morph_corpus >/dev/null
cmake --install build/release --prefix "$PWD/build/release/tests/end_to_end/prefix" >/dev/null

reasons='{}'
for setting in "${settings[@]}"; do
  read -r compiler flags framework evidence <<<"$setting"
  if ! command -v "$compiler" >/dev/null; then
    echo "$setting: not run: there is no $compiler"
    reasons=$(jq -c --arg setting "$compiler $flags${evidence:+ $evidence}" --arg why "there is no $compiler" '.[$setting] = $why' <<<"$reasons")
    continue
  fi
  echo "$setting"
  build/release/benchmarks/morph_corpus --compiler "$compiler" --flags "$flags" --framework "$framework" ${evidence:+--evidence "$evidence"} --only "${1:-}" >>"$raw"
done

echo
echo "a cell: tests that must be selected and are, of all that must; tests selected in vain, of all that should not be"
jq -rs '
  def cell: if .contradicted != [] then "WRONG" else
      (if .missed == [] then "" else "MISS " end) + "\(.must - (.missed | length))/\(.must) \(.too_many | length)/\(.must_not)" end;
  def pad(n): . + " " * ([n - length, 1] | max);
  (map(.setting) | reduce .[] as $s ([]; if index([$s]) then . else . + [$s] end)) as $settings |
  (["kind"] + $settings),
  (group_by(.kind)[] | . as $rows | [$rows[0].kind] + [$settings[] as $s | [$rows[] | select(.setting == $s)] | if . == [] then "-" else .[0] | cell end]) |
  (.[0] | pad(34)) + (.[1:] | map(pad(17)) | join(""))' "$raw"
echo
jq -r '.setting as $s | (.missed[] | "missed with \($s): \(.)"), (.missed_before_build[] | "missed before the build with \($s): \(.)"), (.contradicted[] | "contradicted with \($s): \(.)")' "$raw"
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson reasons "$reasons" '
  def percent(part; all): if all == 0 then null else (part / all * 10000 | floor) / 100 end;
  def must: percent((map(.must) | add) - (map(.missed | length) | add); map(.must) | add);
  def must_not: percent((map(.must_not) | add) - (map(.too_many | length) | add); map(.must_not) | add);
  . as $rows |
  {bench: "corpus",
   figures: {corpus_kinds: (map(.kind) | unique | length), corpus_must_pct: must,
             corpus_mustnot_pct: (map(select(.setting == "g++ -O0")) | must_not),
             corpus_contradicted: (map(.contradicted | length) | add),
             corpus_settings: (group_by(.setting) | map({(.[0].setting): {must_pct: must, mustnot_pct: must_not}}) | add)},
   conditions: ($conditions + {not_run: $reasons}),
   raw: $raw}' "$raw"
