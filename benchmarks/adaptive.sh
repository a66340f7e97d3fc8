#!/usr/bin/env bash
# Adaptive execution: what choosing costs, and how many tests strategies need to notice faults in real C++ code.
# adaptive.sh [overhead | experiment]... [--wanted N] [--seeds N]: both parts, or one.
#   overhead    a draw and an update of each profile, nanoseconds of CPU a step, at 10, 100 and 1,000 partitions
#   experiment  four subjects (benchmarks/adaptive/*.spec.cpp); program mutants of `morph mutate` that 0.05 to 10 % of the pairs of
#               source and relation notice, --wanted of each subject (default 40 of jsoncpp, 30 of the others); each strategy
#               --seeds times (default 30). The table is printed as docs/specs/adaptive.md has it; a row for each scenario
#               (subject and mutant), strategy, measure and baseline goes to build/bench/adaptive/scenarios.csv.
#               Verdicts are those of one table a mutant, of 2,000 sources and all relations, made once with the mutant active
#               (table.cpp); the engine then runs on the table (replay.cpp). Faults are deterministic, so that this is exact.
#               Time is F times what a step costs with the real program, measured apart: the least CPU of three runs. Of
#               adaptive random testing the cost of a step grows with those before.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh

declare -A wanted_of=([double_conversion]=30 [jsoncpp]=40 [snappy]=30 [tinyxml2]=30)
wanted='' seeds=30 parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --wanted) wanted=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    overhead | experiment) parts+=("$1"); shift ;;
    *) echo "usage: adaptive.sh [overhead | experiment]... [--wanted N] [--seeds N]" >&2; exit 2 ;;
  esac
done
if [ ${#parts[@]} -eq 0 ]; then parts=(overhead experiment); fi
root=$PWD
work=$root/build/bench/adaptive
project=$work/project
mkdir -p "$work"
subjects=(double_conversion jsoncpp snappy tinyxml2)

overhead() {
  cmake --build build/release --target morph_adaptive_overhead >/dev/null
  build/release/benchmarks/morph_adaptive_overhead >"$work/overhead.json"
  jq -r '.[] | "\(.rule), \(.m) partitions: \(.ns_per_step) ns a step"' "$work/overhead.json"
}

# The project of all subjects, and its mutation twin.
prepare() {
  cmake --build build/release --target morph_adaptive_replay >/dev/null
  cmake --install build/release --prefix "$work/prefix" >/dev/null
  mkdir -p "$project/subjects"
  for subject_package in double-conversion libjsoncpp snappy tinyxml2; do
    subject_get "$project/subjects/${subject_package#lib}"
  done
  cp benchmarks/adaptive/{CMakeLists.txt,table.cpp,*.spec.cpp} "$project"
  cmake -G Ninja -S "$project" -B "$project/build" -DMORPH_EVIDENCE=twin -DCMAKE_PREFIX_PATH="$work/prefix" -DMORPH_SOURCES="$root" >"$work/configure.log"
  cmake --build "$project/build" >"$work/build.log"
  # Their programs do nothing by themselves, so that no mutant is judged: what counts is the build with all of them.
  "$work/prefix/bin/morph" mutate --build "$project/build" --no-equivalence --json -q >"$work/mutants.json" || [ $? -eq 1 ]
}

# The mutants of the subject $1 in random order: node, alternative, function, name.
mutants_of() {
  jq -r --arg folder "subjects/${1//_/-}/" '.mutants[] | select(.file | startswith($folder)) |
    "\(.node) \(.alternative) \(.function_node) \(.file | ltrimstr("subjects/")):\(.line):\(.column) \(.operator) \(.replacement | gsub("\\s+"; " "))"' \
    "$work/mutants.json" | shuf --random-source=<(yes)
}

# Microseconds of CPU, the least of three runs.
cpu_of() {
  local TIMEFORMAT='%U %S' i
  for i in 1 2 3; do { time "$@" --seed "$i" >/dev/null 2>&1 || true; } 2>&1; done | awk '{ print ($1 + $2) * 1e6 }' | sort -g | head -n 1
}
# What a step costs with the real program; of adaptive random testing, what it costs more for each step before it.
cost_of() {
  local subject=$1 sources=$2 relations=$3 paper=$4 name=$5 few=100 many=5100
  if [ "$sources" = art ]; then few=50 many=200; fi
  local command=("$project/build/${subject}_table" "--adaptive=$sources" --relations "$relations" $paper --json --isolation none --steps)
  jq -nc --arg subject "$subject" --arg strategy "$name" --argjson n "$few" --argjson m "$many" \
    --argjson one "$(cpu_of "${command[@]}" 1)" --argjson few "$(cpu_of "${command[@]}" "$few")" --argjson many "$(cpu_of "${command[@]}" "$many")" \
    '(if $n == 50 then ([0, (($many - $one) / $m - ($few - $one) / $n) / ($m - $n)] | max) else 0 end) as $more |
     {$subject, $strategy, us: ([0, ($many - $few) / ($m - $n) - $more * ($m + $n)] | max), us_more_a_step: $more}'
}

experiment() {
  prepare
  local subject sources relations
  : >"$work/tables.log"
  for subject in "${subjects[@]}"; do
    mutants_of "$subject" >"$work/$subject.mutants"
    find "$project/build/morph-twin/mutation/build" -type f -perm -u+x -name "${subject}_table" -exec \
      {} table "$work/$subject.table" "$work/$subject.mutants" 2000 "${wanted:-${wanted_of[$subject]}}" \; >>"$work/tables.log"
  done
  cat "$work/tables.log"
  : >"$work/costs.json"
  for subject in "${subjects[@]}"; do
    for relations in uniform pbmr; do
      for sources in random art uniform drt mdrt mapt rapt; do
        cost_of "$subject" "$sources" "$relations" "" "$sources+$relations" >>"$work/costs.json"
      done
    done
    cost_of "$subject" mdrt m-amt --paper "mdrt+m-amt, as published" >>"$work/costs.json"
  done
  for subject in "${subjects[@]}"; do
    build/release/benchmarks/morph_adaptive_replay "$work/$subject.table" "$subject" "$seeds" 5000
  done >"$work/replays.tsv"
  python3 benchmarks/adaptive/statistics.py "$work/replays.tsv" "$work/costs.json" "$work/scenarios.csv" "$work/statistics.json"
}

for part in "${parts[@]}"; do "$part"; done
if [ ! -f "$work/overhead.json" ]; then echo null >"$work/overhead.json"; fi
if [ ! -f "$work/statistics.json" ]; then echo null >"$work/statistics.json"; fi
jq -nc --argjson conditions "$(conditions)" --slurpfile overhead "$work/overhead.json" --slurpfile found "$work/statistics.json" \
  --arg raw "$work/replays.tsv" --arg by_scenario "$work/scenarios.csv" '
  def row($measure; $strategy): ($found[0].by_strategy // [])[] | select(.measure == $measure and .strategy == $strategy);
  def percent($part): if $found[0] then 100 * $part / $found[0].scenarios else null end;
  {bench: "adaptive", figures: {
     scenarios: $found[0].scenarios,
     f_below_random_pct: percent(row("F"; "mdrt+pbmr")["random+uniform"].lower_mean),
     f_below_art_pct: percent(row("F"; "mdrt+pbmr")["art+uniform"].lower_mean),
     f2_below_random_pct: percent(row("F2"; "mdrt+pbmr")["random+uniform"].lower_mean),
     f_time_not_worse_pct: percent($found[0].scenarios - row("F-time"; "mdrt+pbmr")["random+uniform"].worse),
     selection_us_per_step: ($overhead[0] // [] | map(select(.m == 100) | .ns_per_step) | max | if . then . / 1000 else null end)
   }, $conditions, $raw, $by_scenario}'
