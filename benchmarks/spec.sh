#!/usr/bin/env bash
# What specs cost: compiling the headers, mutants a second where they stream, memory where they are kept.
# spec.sh [n]: n compilations of each header file (default 9), in turns.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh

n=${1:-9}
folder=$PWD/build/bench/spec
raw=$folder/headers.txt
mkdir -p "$folder"
: >"$raw"
cmake --build build/release --target morph_spec_bench >/dev/null
echo '#include <morph/morph.hpp>' >"$folder/umbrella.cpp"
printf '#include <string>\n#include <vector>\n' >"$folder/least.cpp"
for ((i = 0; i < n; ++i)); do
  for what in umbrella least; do
    measure_runs $what 1 g++ -std=c++20 -O0 -Iplugin/include -c "$folder/$what.cpp" -o "$folder/$what.o"
  done
done
tool=build/release/benchmarks/morph_spec_bench
hundred=$("$tool" streamed 100)
many=$("$tool" streamed 3000)
small=$("$tool" kept 100)
large=$("$tool" kept 1001)

printf '%-52s %10s\n' 'umbrella header, -O0, g++ (ms of CPU, median)' "$(median umbrella cpu)"
printf '%-52s %10s\n' '  <string> and <vector> alone' "$(median least cpu)"
printf '%-52s %10s\n' '  ratio' "$(median_ratio umbrella least)"
for row in "$hundred" "$many"; do
  jq -r '"\(.points) points, \(.mutants) mutants made, executed and checked a second: \(.best_per_s) at best, \(.first_per_s) at first"' <<<"$row"
done
for row in "$small" "$large"; do
  jq -r '"a kept pool of \(.cases) cases: \(.seconds) s, \(.bytes_per_case) bytes a case (\(.pool_bytes_per_case) of them the pool'"'"'s own), peak \(.peak_mib) MiB, found by id in \(.lookup_ns) ns"' <<<"$row"
done
jq -nc --argjson conditions "$(conditions)" --argjson header_ms "$(median umbrella cpu)" --argjson header_ratio "$(median_ratio umbrella least)" \
  --argjson streamed "[$hundred, $many]" --argjson kept "[$small, $large]" \
  '{bench: "spec", header_s: ($header_ms / 1000), $header_ratio, streamed_per_s: ($streamed | map(.best_per_s) | min), pool_bytes_per_case: $kept[1].bytes_per_case, $streamed, $kept, $conditions}'
