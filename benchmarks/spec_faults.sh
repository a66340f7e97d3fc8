#!/usr/bin/env bash
# How many faults planted in the code of examples/intervals its relations notice, which relation notices how many, and how
# many it alone. spec_faults.sh [--sample N]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/build/bench/spec_faults
libraries=$PWD/build/release/plugin/spec
rm -rf "$folder"
mkdir -p "${folder%/*}"
cp -r examples/intervals "$folder"
cmake --build build/release --target morph_spec_main >/dev/null
g++ -std=c++20 -O1 -Iplugin/include -c "$folder/intervals.spec.cpp" -o "$folder/intervals.spec.o"
exec python3 benchmarks/spec_faults.py --folder "$folder" --sources interval_set.cpp \
  --build "g++ -std=c++20 -O0 {flags} interval_set.cpp intervals.spec.o $libraries/libmorph_spec_main.a $libraries/libmorph_spec.a -pthread -o program" \
  --run './program --json --no-shrink' "$@"
