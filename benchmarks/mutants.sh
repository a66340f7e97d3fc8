#!/usr/bin/env bash
# Faults planted in the sources of real projects, each as a change: whether every test that fails is selected, and how many are.
# mutants.sh [--sample N] [--seed N] [--evidence probes|blocks] [--history DIR]... [NAME...]: N faults a project (default: 20) of the recipes in subjects/, or of the
# checkout DIR as it is (default: yaml-cpp and snappy). What is done is kept: a larger sample of the same seed is another one, but no fault
# is tried twice. With --evidence probes, the build is optimized (Release), with blocks it is not (Debug), and `ctest -L morph` learns before the
# first fault.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/histories/lib.sh

sample=20 seed=1 evidence=twin names=()
declare -A histories
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --evidence) evidence=$2; shift 2 ;;
    --history) names+=("$(history_name "$(realpath "$2")")"); histories[${names[-1]}]=$(realpath "$2"); shift 2 ;;
    *) names+=("$1"); shift ;;
  esac
done
if [ ${#names[@]} -eq 0 ]; then names=(yaml-cpp snappy); fi
work=$root/build/bench/mutants
if [ $evidence != twin ]; then work+=-$evidence; fi
mkdir -p "$work"
cmake --install build/release --prefix "$work/prefix" >/dev/null
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

# One subject, in a process of its own: what its recipe sets ends with it.
try_mutants() {
  local subject=$work/$1 history=${histories[$1]:-}
  . "$(if [ -n "$history" ]; then history_recipe "$1"; else echo "benchmarks/subjects/$1.sh"; fi)"
  if [ -n "$history" ] && [ ! -d "$subject/.git" ]; then
    git clone -q --no-hardlinks "$history" "$subject"
    subject_add_morph "$subject"
    subject_commit "$subject" "With Morph"
  fi
  subject_with_morph "$subject"
  # An interrupted run may have left a fault in the sources.
  subject_git "$subject" reset -q --hard
  local type=()
  case $evidence in probes) type=(-DCMAKE_BUILD_TYPE=Release) ;; blocks) type=(-DCMAKE_BUILD_TYPE=Debug) ;; esac
  cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=$evidence "${type[@]}" "${subject_configure[@]}" "${launcher[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null 2>&1
  # shellcheck disable=SC2086  # several targets, separated by blanks
  cmake --build "$subject/build" ${subject_target:+--target $subject_target} >/dev/null
  if [ $evidence != twin ]; then
    ctest --test-dir "$subject/build" -L '^morph$' -j "$(nproc)" >/dev/null || true # some subjects have tests that fail
    "$work/prefix/bin/morph" record --build "$subject/build" >/dev/null
    rm -rf "$subject/build/Testing" # else plans run what has failed
  else
    "$work/prefix/bin/morph" measure --build "$subject/build" -q >/dev/null
  fi
  python3 benchmarks/mutants.py --build "$subject/build" --target "$subject_target" --mutated "$subject_mutated" --morph "$work/prefix/bin/morph" \
    --raw "$work/$1.json" --sample "$sample" --seed "$seed"
}

for name in "${names[@]}"; do
  echo "$name"
  (try_mutants "$name")
done

raw=$work/raw.json
for name in "${names[@]}"; do jq -c --arg subject "$name" '{$subject} + .' "$work/$name.json"; done >"$raw"
echo
jq -rs 'def pad(n): tostring | . + " " * ([n - length, 1] | max);
  def mean: if length == 0 then "-" else add / length * 1000 | round / 10 end;
  def median: if length == 0 then "-" else sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 * 1000 | round / 10 end;
  ["subject", "mutants", "do not compile", "survive", "killed", "% selected", "median", "% of killed", "missed"],
  (group_by(.subject)[] | . as $all | map(select(.tests)) as $run |
    [$all[0].subject, ($all | length), ($all | map(select(.status == "does not compile")) | length),
     ($run | map(select(.failing == 0)) | length), ($run | map(select(.failing > 0)) | length),
     ($run | map(.selected / .tests) | mean), ($run | map(.selected / .tests) | median),
     ($run | map(select(.failing > 0) | .selected / .tests) | mean), ($run | map(.missed | length) | add)])
  | (.[0] | pad(20)) + (.[1:] | map(pad(15)) | join(""))' "$raw"
jq -r 'select(.missed) | select(.missed != []) | "missed: \(.subject) \(.file):\(.line) \(.old) -> \(.new): \(.missed[:3])"' "$raw"
echo
jq -c -s --argjson conditions "$(conditions)" --arg raw "${raw#"$root/"}" --argjson sample "$sample" --argjson seed "$seed" --arg evidence $evidence '
  map(select(.tests)) as $run |
  {bench: "mutants",
   figures: {mutants: length, mutants_run: ($run | length), mutants_killed: ($run | map(select(.failing > 0)) | length),
             mutants_failing_tests: ($run | map(.failing) | add), mutants_missed: ($run | map(.missed | length) | add),
             mutants_seconds_to_failure_pct:
               ($run | map(select(.seconds_to_failure_declared // 0 > 0)) | if . == [] then null
                else (map(.seconds_to_failure) | add) / (map(.seconds_to_failure_declared) | add) * 10000 | round / 100 end),
             mutants_mean_pct: (if $run == [] then null else ($run | map(.selected / .tests) | add / length * 10000 | round / 100) end)},
   conditions: ($conditions + {$sample, $seed, $evidence, subjects: (map(.subject) | unique)}), raw: $raw}' "$raw"
