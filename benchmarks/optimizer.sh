#!/usr/bin/env bash
# How good the optimizer's sets of tests are: beside the optimum, beside pagmo's own algorithms, and how soon.
# optimizer.sh [--instance FILE.json]... [DIR]: the recorded data (default: ../shared/data), and what `morph optimize --write-instance
# FILE.json` has of a project, whose costs are made up, too. Times of its tests are not recorded; costs are made up (optimizer.cpp
# says how). Every CPU second is one thread's.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

instances=()
while [ "${1:-}" = --instance ]; do
  instances+=("$2")
  shift 2
done
data=${1:-../shared/data}
raw=$PWD/build/bench/optimizer/raw.json
mkdir -p "$(dirname "$raw")"
: >"$raw"
shopt -s nullglob
cmake --build build/release --target morph_optimizer_bench >/dev/null
tool=build/release/benchmarks/morph_optimizer_bench
for set in "$data"/nemo_*; do
  for what in front minima; do
    zstdcat "$set/coverage_line.txt.zst" | "$tool" $what $([ $what = minima ] && echo "$set") | jq -c --arg set "${set##*/}" --arg what $what '{$set, $what} + .' >>"$raw"
  done
done
for instance in "${instances[@]}"; do
  jq -r '(reduce .groups[] as $g ({at: 0, of: {}}; .of[$g.name] = .at | .at += $g.requirements) | .of) as $first |
    .tests[] | [.covers | to_entries[] | $first[.key] + .value[]] | join(" ")' "$instance" |
    "$tool" front | jq -c --arg set "$(basename "$instance" .json)" '{$set, what: "front"} + .' >>"$raw"
done
"$tool" big | jq -c '{set: "made up", what: "big"} + .' >>"$raw"

jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def part: if . == null then "-" else . * 1e6 | floor / 1e6 end;
  def line: (.[0] | pad(16)) + (.[1:] | map(pad(11)) | join(""));
  "parts of the optimum, over 20 budgets up to the cheapest set that covers everything; pagmo'"'"'s algorithms: 100 individuals, one CPU second, from greedy sets (+) and from random ones",
  (["set", "tests", "classes", "greedy", "20 ms", "1 s", "bound", "seeds", "nsga2+", "moead+", "maco+", "nspso+", "nsga2", "moead", "maco", "nspso", "optimum, s"] | line),
  (.[] | select(.what == "front") | [.set, .tests, .classes, (.greedy | part), (.at_20_ms | part), (.at_1_s | part), (.bound | part), (.seeds | part),
    (.nsga2_seeded | part), (.moead_seeded | part), (.maco_seeded | part), (.nspso_seeded | part), (.nsga2_random | part), (.moead_random | part), (.maco_random | part), (.nspso_random | part), (.exact_s * 100 | round / 100)] | line),
  "", "fewest tests that keep everything",
  (["set", "lines", "greedy", "proven, s", "and kills", "greedy", "proven, s"] | line),
  (.[] | select(.what == "minima") | [.set] + ([.lines, .lines_and_kills] | map([.tests, .greedy, (if .proven then .seconds * 1000 | round / 1000 else "-" end)]) | add) | line),
  "", (.[] | select(.what == "big") | "\(.tests) tests x \(.requirements) requirements, \(.pairs) pairs: \(.seconds * 100 | round / 100) s in pagmo (\(.fold_s * 100 | round / 100) of them folding), \(.mb | round) MB, \(.certificate | part) of the bound (\(.bound_s * 10 | round / 10) s more)")' "$raw"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" '
  map(select(.what == "front")) as $fronts | map(select(.what == "minima") | .lines, .lines_and_kills) as $minima | (map(select(.what == "big"))[0]) as $big |
  {bench: "optimizer",
   figures: {hv_20ms_min: ($fronts | map(.at_20_ms) | min), hv_1s_min: ($fronts | map(.at_1_s) | min),
             big_s: $big.seconds, big_mb: $big.mb, big_certificate: $big.certificate, big_bound_s: $big.bound_s,
             minima_proven: ($minima | map(select(.proven)) | length), minima_total: ($minima | length)},
   conditions: ($conditions + (if $fronts == [] then {reason: "no recorded coverage; optimizer.sh DIR names it"} else {} end)), raw: $raw}' "$raw"
