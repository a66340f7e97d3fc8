#!/usr/bin/env bash
# What fingerprints of object code cost: all objects of yaml-cpp and its tests (64 MB with -O0 -g), and one that changed (CPU time).
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

# Two objects are compiled once more, with a change: a small one of the library, and the largest, of tests.
small=CMakeFiles/yaml-cpp.dir/src/node_data.cpp.o
large=test/CMakeFiles/yaml-cpp-tests.dir/integration/gen_emitter_test.cpp.o
change() {  # OBJECT SOURCE SED-SCRIPT KEPT
  cp "$subject/build/$1" "$work/$4.original.o"
  cp "$subject/$2" "$work/$4.source"
  sed -i "$3" "$subject/$2"
  cmake --build "$subject/build" --target "$1" >/dev/null
  cp "$subject/build/$1" "$work/$4.changed.o"
  cp "$work/$4.source" "$subject/$2"
  cp "$work/$4.original.o" "$subject/build/$1"
}
change "$small" src/node_data.cpp 's/m_isDefined = true;/m_isDefined = m_scalar.size() < m_scalar.max_size();/' small
change "$large" test/integration/gen_emitter_test.cpp '0,/  Emitter out;/s//  Emitter out;\n  out << Comment("first");/' large

: >"$raw"
measure() {  # OBJECT KEPT
  local changed=$subject/build/$1 objects
  mapfile -t objects < <(find "$subject/build" -name '*.o' ! -path "$changed" | sort)
  rm -rf "$work/kept"
  cp "$work/$2.original.o" "$changed"
  # Stamps are believed once they are two seconds old.
  sleep 2.1
  "$reader" "$work/kept" "$work/$2.changed.o" "${objects[@]}" "$changed" | jq -c ". + {case: \"$2\"}" >>"$raw"
  cp "$work/$2.original.o" "$changed"
}
for _ in 1 2 3 4 5 6 7; do
  measure "$small" small
  measure "$large" large
done

of() { jq -s "map(select(.case == \"${2:-small}\") | $1) | sort | .[length / 2 | floor]" "$raw"; }
row() { printf '  %-66s %10s\n' "$1" "$2"; }
echo
row "objects" "$(find "$subject/build" -name '*.o' | wc -l)"
row "their size, MB" "$(of '.bytes / 1e5 | round / 10')"
row "their code, MB" "$(of '.code_bytes / 1e5 | round / 10')"
row "instructions" "$(of .instructions)"
row "functions" "$(of .functions)"
row "fingerprints of all, CPU ms (goal 300)" "$(of '.cold_ms + .link_ms | . * 10 | round / 10')"
row "  a MB of code" "$(of '(.cold_ms + .link_ms) / .code_bytes * 1e7 | round / 10')"
row "fingerprints again when one object changed, CPU ms (goal 30)" "$(of .changed_ms)"
row "  when it was the largest" "$(of .changed_ms large)"
row "  nothing changed" "$(of .warm_ms)"
row "  their symbols and data as a whole" "$(of .link_ms)"
row "comparing both builds, with that, CPU ms" "$(of .compare_ms)"
row "  when the largest changed" "$(of .compare_ms large)"
row "changes found" "$(of .changes) $(of .changes large)"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson bytes "$(of .bytes)" --argjson cold "$(of '.cold_ms + .link_ms | . * 10 | round / 10')" \
  --argjson changed "$(of .changed_ms)" --argjson link "$(of .link_ms)" --argjson compare "$(of .compare_ms)" \
  --argjson large "$(of .changed_ms large)" \
  '{bench: "objects",
    figures: {object_bytes: $bytes, fingerprint_cold_cpu_ms: $cold, fingerprint_changed_cpu_ms: $changed, fingerprint_changed_largest_cpu_ms: $large,
              link_cpu_ms: $link, compare_cpu_ms: $compare},
    conditions: ($conditions + {n: 7}),
    raw: $raw}'
