#!/usr/bin/env bash
# Recorded faults of real C programs as commits: whether the line rules select every test that fails.
# faults.sh [DIR]: the recorded data (default: ../shared/data). A row with far fewer lines than the others may have been cut off, and one
# that lacks what every other test has that executes the same may have been written over: such tests count as always selected, and the
# figures say what would be missed without that.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

data=${1:-../shared/data}
raw=$PWD/build/bench/faults/raw.json
mkdir -p "$(dirname "$raw")"
: >"$raw"
shopt -s nullglob
sets=("$data"/nemo_*)
if [ ${#sets[@]} -eq 0 ]; then
  echo "not run: no recorded faults in '$data'" >&2
  jq -c -n --argjson conditions "$(conditions)" --arg reason "no recorded faults in '$data'" \
    '{bench: "faults", figures: {faults: null, faults_missed: null, faults_missed_by_rows: null, faults_mean_pct: null},
      conditions: ($conditions + {$reason})}'
  exit 0
fi
cmake --build build/release --target morph_faults >/dev/null
for set in "${sets[@]}"; do
  zstdcat "$set/coverage_line.txt.zst" | build/release/benchmarks/morph_faults "$set" | jq -c --arg set "${set##*/}" 'select(.id) | {$set} + .' >>"$raw"
done
jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def mean: add / length * 1000 | round / 10;
  ["set", "faults", "tests", "short rows", "torn rows", "% selected", "% with both", "missed by rows", "missed"],
  (group_by(.set)[] | [.[0].set, length, .[0].tests, .[0].short_rows, .[0].torn_rows, (map(.selected / .tests) | mean),
    (map(.selected_with_short_rows / .tests) | mean), (map(.missed_by_rows | length) | add), (map(.missed | length) | add)])
  | (.[0] | pad(16)) + (.[1:] | map(pad(15)) | join(""))' "$raw"
jq -r 'select(.missed_by_rows != []) | "\(.set) fault \(.id) in \(.file): tests \(.missed_by_rows) did not execute it\(if .missed == [] then ", and have short or torn rows" else "" end)"' "$raw"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" '
  {bench: "faults",
   figures: {faults: length, faults_missed: (map(.missed | length) | add), faults_missed_by_rows: (map(.missed_by_rows | length) | add),
             faults_mean_pct: (map(.selected_with_short_rows / .tests) | add / length * 10000 | round / 100)},
   conditions: ($conditions + {short_row: "fewer than 30 % of the median", torn_row: "breaks 20 rules that all other rows keep"}), raw: $raw}' "$raw"
