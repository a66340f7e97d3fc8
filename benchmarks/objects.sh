#!/usr/bin/env bash
# What fingerprints of object code cost: all objects of yaml-cpp and its tests, and one that changed (CPU time).
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/subjects/yaml-cpp.sh

work=$PWD/build/bench/objects
subject=$work/$subject_package
raw=$work/raw.jsonl
reader=$PWD/build/release/benchmarks/morph_objects
mkdir -p "$work"
cmake --build build/release --target morph_objects >/dev/null

echo "yaml-cpp with -O0 -g: building it"
if [ ! -d "$subject" ]; then subject_get "$subject"; fi
cmake -S "$subject" -B "$subject/build" -G Ninja "${subject_configure[@]}" -DCMAKE_BUILD_TYPE= \
  "-DCMAKE_CXX_FLAGS=-O0 -g -ffunction-sections" >/dev/null
cmake --build "$subject/build" --target "$subject_target" >/dev/null

# The last object is compiled once more, with a change.
changed=$subject/build/CMakeFiles/yaml-cpp.dir/src/node_data.cpp.o
mapfile -t objects < <(find "$subject/build" -name '*.o' ! -path "$changed" | sort)
cp "$changed" "$work/original.o"
sed 's/m_isDefined = true;/m_isDefined = !m_isDefined || true;/' "$subject/src/node_data.cpp" >"$work/node_data.cpp"
g++ -std=c++11 -O0 -g -ffunction-sections -I "$subject/include" -I "$subject/src" -c "$work/node_data.cpp" -o "$work/changed.o"

: >"$raw"
for _ in 1 2 3 4 5 6 7; do
  rm -rf "$work/kept"
  cp "$work/original.o" "$changed"
  # Stamps are believed once they are two seconds old.
  sleep 2.1
  "$reader" "$work/kept" "$work/changed.o" "${objects[@]}" "$changed" >>"$raw"
done
cp "$work/original.o" "$changed"

of() { jq -s "map($1) | sort | .[length / 2 | floor]" "$raw"; }
row() { printf '  %-66s %10s\n' "$1" "$2"; }
echo
row "objects" $((${#objects[@]} + 1))
row "their size, MB" "$(of '.bytes / 1e5 | round / 10')"
row "functions" "$(of .functions)"
row "fingerprints of all, CPU ms (goal 300)" "$(of '.cold_ms + .link_ms')"
row "fingerprints again when one object changed, CPU ms (goal 30)" "$(of .changed_ms)"
row "  nothing changed" "$(of .warm_ms)"
row "  their symbols and data as a whole" "$(of .link_ms)"
row "comparing both builds, with that, CPU ms" "$(of .compare_ms)"
row "changes found" "$(of .changes)"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson bytes "$(of .bytes)" --argjson cold "$(of '.cold_ms + .link_ms')" \
  --argjson changed "$(of .changed_ms)" --argjson link "$(of .link_ms)" --argjson compare "$(of .compare_ms)" \
  '{bench: "objects",
    figures: {object_bytes: $bytes, fingerprint_cold_cpu_ms: $cold, fingerprint_changed_cpu_ms: $changed, link_cpu_ms: $link, compare_cpu_ms: $compare},
    conditions: ($conditions + {n: 7}),
    raw: $raw}'
