#!/usr/bin/env bash
# How soon orders find failures: recorded faults as commits (by what they change, and knowing nothing of it), recorded runs of
# continuous integration (by what failed before); how often the part of an order that risk=P runs finds a fault; whether orders gain by
# what tests found before; and how long an order of 10,000 tests takes.
# orders.sh [--places] [DIR]: the recorded data (default: ../shared/data). --places: only where faults were found, for
# plugin/selection/reference_faults.cpp.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

places=
if [ "${1:-}" = --places ]; then
  places=1
  shift
fi
data=${1:-../shared/data}
raw=$PWD/build/bench/orders/raw.json
mkdir -p "$(dirname "$raw")"
: >"$raw"
shopt -s nullglob
cmake --build build/release --target morph_faults morph_risks morph_histories morph_optimizer_bench >/dev/null
for set in "$data"/nemo_*; do
  zstdcat "$set/coverage_line.txt.zst" | build/release/benchmarks/morph_faults "$set" |
    jq -c --arg set "${set##*/}" '{$set, what: (if .kills then "kills" else "fault" end)} + .' >>"$raw"
done
if [ -n "$places" ]; then
  jq -rs 'group_by(.set)[] | map(.place | select(.)) | sort | map("{\(.[0]), \(.[1])}") | join(", ")' "$raw"
  exit 0
fi
jq -c 'select(.place)' "$raw" | build/release/benchmarks/morph_risks | jq -c '{what: "risk"} + .' >>"$raw.risks"
cat "$raw.risks" >>"$raw"
rm "$raw.risks"
for set in "$data"/ci_*.csv; do
  build/release/benchmarks/morph_histories <"$set" | jq -c --arg set "$(basename "$set" .csv)" '{$set, what: "history"} + .' >>"$raw"
done
build/release/benchmarks/morph_optimizer_bench big | jq -c '{what: "big"} + .' >>"$raw"

jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def mean: add / length;
  def hundredths: . * 100 | round / 100;
  def line: (.[0] | pad(26)) + (.[1:] | map(pad(13)) | join(""));
  def apfd(place): (1 - place / .tests + 0.5 / .tests) * 100;
  def within(part): map(if .first <= part * .tests then 100 else 0 end) | mean | hundredths;
  "mean APFD of recorded faults as commits: in the order of the plan, in that of a plan that knows of no change, by chance; first failing test within",
  (["set", "faults", "plan", "change-blind", "chance", "5 %", "10 %", "25 %"] | line),
  (map(select(.what == "fault")) | (group_by(.set) + [.])[] | select(. != []) |
    [(if map(.set) | unique | length > 1 then "all" else .[0].set end), length, (map(apfd(.first)) | mean | hundredths), (map(apfd(.first_change_blind)) | mean | hundredths),
     (map(apfd(.first_random)) | mean | hundredths), within(0.05), within(0.1), within(0.25)] | line),
  "", "mean APFD of recorded runs; weighted: by an exponentially weighted failure rate, equals as declared; chance: the same, equals by chance",
  (["set", "cycles", "half", "ours", "weighted", "chance", "best", "closes %", "of chance %", "no gain", "of chance"] | line),
  (.[] | select(.what == "history") | . as $h | ("all", "second_half") | . as $half | $h[$half] |
    [$h.set, $h.cycles, ($half | sub("_half"; ""))] + ([.ours, .weighted, .weighted_by_chance, .best] | map(. * 100 | hundredths)) +
    [((.ours - .weighted) / (.best - .weighted) * 100 | hundredths), ((.ours - .weighted_by_chance) / (.best - .weighted_by_chance) * 100 | hundredths)] +
    (if $half == "all" then ["", ""] else [$h.no_gain, $h.no_gain_by_chance] end) | line),
  "", "risk=P: which part of the tests affected by code runs, and how often it has one that fails, in percent: known are half of the faults, the others judge; known are those of the other sets",
  (["P", "run", "found", "others: " ] + [.[] | select(.what == "risk")][0:1] | if length == 4 then .[0:3] else .[0:3] + (.[4].others | keys) end | line),
  (.[] | select(.what == "risk") | [.asked * 100, (.halves.run * 100 | hundredths), (.halves.found * 100 | hundredths)] + (.others | map_values("\(.run * 100 | hundredths) \(.found * 100 | hundredths)") | [.[]]) | line),
  "", "what single tests found of half of the faults: error (Brier) on the other half beside that of the rate of all tests; mean APFD of the other half without and with it",
  (["set", "learned", "all alike", "APFD", "with it"] | line),
  (.[] | select(.what == "kills") | [.set, (.kills.brier * 10000 | round / 10000), (.kills.base_brier * 10000 | round / 10000), (.kills.apfd * 100 | hundredths), (.kills.apfd_learned * 100 | hundredths)] | line),
  "", (.[] | select(.what == "big") | "an order of \(.tests) tests that cover \(.pairs) pairs: \(.order_s * 100 | round / 100) s")' "$raw"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" '
  def mean: if length == 0 then null else add / length * 100 | round / 100 end;
  def apfd(place): (1 - place / .tests + 0.5 / .tests) * 100;
  map(select(.what == "fault")) as $faults | ($faults | group_by(.set)) as $sets | (map(select(.what == "history")) | map({(.set | sub("^ci_"; "")): .}) | add // {}) as $h |
  def within(part): $faults | map(if .first <= part * .tests then 100 else 0 end) | mean;
  def closed(which): if which == null then null else which.second_half | (.ours - .weighted) / (.best - .weighted) * 1000 | round / 10 end;
  {bench: "orders",
   figures: {apfd_changed: ($sets | map(map(apfd(.first)) | mean) | mean), apfd_changed_min: ($sets | map(map(apfd(.first)) | mean) | min),
             apfd_blind: ($sets | map(map(apfd(.first_change_blind)) | mean) | mean), apfd_chance: ($sets | map(map(apfd(.first_random)) | mean) | mean),
             found_5_pct: within(0.05), found_10_pct: within(0.1), found_25_pct: within(0.25),
             apfd_history_closed_pct: ($h | map_values(closed(.))), apfd_history: ($h | map_values(.all.ours * 10000 | round / 100)),
             risk_calibration_points: (map(select(.what == "risk") | ((.halves.found - .asked) * 100 | fabs)) | max | if . == null then . else . * 100 | round / 100 end),
             brier_gain: (map(select(.what == "kills") | {(.set): (.kills.base_brier - .kills.brier | . * 10000 | round / 10000)}) | add),
             order_10k_s: (map(select(.what == "big"))[0].order_s)},
   conditions: ($conditions + (if $faults == [] then {reason: "no recorded data; orders.sh DIR names it"} else {} end)), raw: $raw}' "$raw"
