#!/usr/bin/env bash
# The five strategies that breed pools, on examples/triangle: what they reach with equally many mutants, and what they
# lose again. And a pool of 100,000 cases down to the fewest that cover as much.
# breed.sh [--seeds N] [--cases N] [--measure-for S]: runs of each strategy (default 5); cases of the large pool (default
# 100000), which are measured for so many seconds (default 600); what is left then gets made up rows, each what two
# measured cases have executed. That is kept in build/bench/breed.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

seeds=5 cases=100000 measure_for=600
while [ $# -gt 0 ]; do
  case $1 in
    --seeds) seeds=$2 ;;
    --cases) cases=$2 ;;
    --measure-for) measure_for=$2 ;;
    *) echo "breed.sh [--seeds N] [--cases N] [--measure-for S]" >&2; exit 2 ;;
  esac
  shift 2
done
work=$PWD/build/bench/breed
prefix=$work/prefix
raw=$work/runs.txt
mkdir -p "$work"
cmake --build build/release --target morph morph_spec_main morph_source_program morph_pagmo_module morph_optimizer morph_large_rows >/dev/null
cmake --install build/release --prefix "$prefix" >/dev/null
morph=$prefix/bin/morph

# A copy that git knows, configured and built.
start_project() {
  local from=$1 to=$2
  shift 2
  rm -rf "$to"
  cp -r "$from" "$to"
  (
    cd "$to"
    echo build >.gitignore
    git init -q . && git add -A
    git -c user.name=bench -c user.email=bench@localhost commit -qm start
    cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMORPH_EVIDENCE=twin -DCMAKE_PREFIX_PATH="$prefix" "$@" >/dev/null
    cmake --build build >/dev/null
  )
}

# ---- five strategies: counting, from four seeds, towards kills and coverage
# The strategy filter takes away by the set filters of the spec: one is added, so that there is something to compare.
rm -rf "$work/source" && cp -r examples/triangle "$work/source"
sed -i 's|^  s.analyser("cases by kind"|  s.set_filter("three of a kind at most", [](auto\& pool) {\n    std::map<Kind, int> seen;\n    std::vector<morph::case_index> stay;\n    for (const auto\& each : pool)\n      if (++seen[each.output] <= 3) stay.push_back(each.position());\n    return stay;\n  });\n&|' \
  "$work/source/triangle.spec.cpp"
start_project "$work/source" "$work/triangle"
cd "$work/triangle"
"$morph" mutate -q >/dev/null
"$morph" spec seed --spec counting --seeds typical --pool "$work/seeds.jsonl" >/dev/null
: >"$work/bred.jsonl"
for strategy in elitist filter weakest-removal random-removal strongest-mutant; do
  for ((seed = 1; seed <= seeds; ++seed)); do
    "$morph" spec breed --pool "$work/seeds.jsonl" --out "$work/bred-pool.jsonl" --towards mutation-score,coverage --strategy $strategy \
      --seed $seed --budget 200 --generations 200 --stagnation 15 --change 0 --ratio 0.25 --json 2>/dev/null >>"$work/bred.jsonl"
  done
done
cd - >/dev/null
table=$(jq -sc 'def mean: add / length; group_by(.strategy) | map({strategy: .[0].strategy, runs: length,
  score: (map(.front[0].values[0]) | mean), coverage: (map(.front[0].values[1]) | mean), cases: (map(.front[0].cases | length) | mean),
  best: (map(.generations[-1].best[0]) | mean), lost: (map(select(.generations[-1].best[0] > .front[0].values[0])) | length),
  made: (map(.generations[-1].made) | mean)})' "$work/bred.jsonl")
echo "examples/triangle, spec counting, 4 seeds, $seeds runs of each, 200 mutants at most (means)"
printf '%-18s %9s %9s %7s %9s %9s %7s\n' strategy kills coverage cases 'best ever' 'lost it' mutants
jq -r '.[] | [.strategy, .score, .coverage, .cases, .best, .lost, .made] | @tsv' <<<"$table" |
  while IFS=$'\t' read -r strategy score coverage n best lost made; do
    printf '%-18s %9.4f %9.4f %7.1f %9.4f %9d %7.0f\n' "$strategy" "$score" "$coverage" "$n" "$best" "$lost" "$made"
  done

# ---- a large pool
if [ ! -e "$work/large/.morph/evidence.db" ] || [ "$(cat "$work/large.cases" 2>/dev/null)" != "$cases" ]; then
  start_project benchmarks/large_pool "$work/large" -DCASES="$cases"
  (cd "$work/large" && timeout --signal=INT "$measure_for" "$morph" measure -q >/dev/null 2>&1) || true
  build/release/benchmarks/morph_large_rows "$work/large/.morph/evidence.db" | tee "$work/large.rows"
  echo "$cases" >"$work/large.cases"
fi
cd "$work/large"
MORPH_SPEC_CASES=$cases "$morph" spec seed --pool pool.jsonl >/dev/null
: >"$raw"
for ((i = 0; i < 3; ++i)); do measure_runs minimize 1 "$morph" spec filter --by minimize --pool pool.jsonl --out small.jsonl; done
said=$("$morph" spec filter --by minimize --pool pool.jsonl --out small.jsonl | tail -n 1)
cd - >/dev/null
cat "$work/large.rows"
echo "$said"
printf '%-52s %10s\n' 'morph spec filter --by minimize (ms of CPU, median)' "$(median minimize cpu)"
jq -nc --argjson conditions "$(conditions)" --argjson strategies "$table" --argjson cases "$cases" --arg said "$said" \
  --argjson minimize_s "$(median minimize cpu)" '{bench: "breed", $cases, minimize_s: ($minimize_s / 1000), $said, $strategies, $conditions}'
