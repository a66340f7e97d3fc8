#!/usr/bin/env bash
# What GRANULARITY costs and saves: yaml-cpp (980 short tests) by case, tier and suite; 10,000 generated tests in tiers, and
# with --full as entries of their own too (some minutes).
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/subjects/yaml-cpp.sh

full=${1:-}
work=$PWD/build/bench/granularity
subject=$work/$subject_package
raw=$work/raw.txt
mkdir -p "$work"
: >"$raw"
cmake --install build/release --prefix "$work/prefix" >/dev/null

echo "yaml-cpp: building it and its twin"
if [ ! -d "$subject/.git" ]; then
  subject_get "$subject"
  subject_git "$subject" init -q
  subject_add_morph "$subject"
  # Neither a changed file nor another configuration.
  sed -i 's|^morph_add_suite(yaml.*)$|morph_add_suite(yaml TARGET yaml-cpp-tests PRODUCTION yaml-cpp GRANULARITY $ENV{GRANULARITY})|' "$subject/test/CMakeLists.txt"
  subject_commit "$subject" "With Morph"
fi
subject_git "$subject" reset -q --hard "$(subject_git "$subject" rev-list --max-parents=0 HEAD)"
export GRANULARITY=case
configure() { cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null; }
configure
cmake --build "$subject/build" --target "$subject_target" >/dev/null
"$work/prefix/bin/morph" measure --build "$subject/build" -q >/dev/null

# In the parser's heart, which many tests execute.
sed -i 's|^  if (m_pScanner->empty()) {|  if (m_pScanner->empty() == true) {|' "$subject/src/parser.cpp"
cmake --build "$subject/build" --target "$subject_target" >/dev/null
for granularity in case tier suite; do
  export GRANULARITY=$granularity
  configure
  ctest --test-dir "$subject/build" -N >/dev/null 2>&1
  echo "ctest by $granularity"
  measure_runs "list_$granularity" 5 ctest --test-dir "$subject/build" -N
  measure_runs "all_$granularity" 5 ctest --test-dir "$subject/build"
  measure_runs "morph_$granularity" 5 ctest --test-dir "$subject/build" -L '^morph$'
done

echo "10,000 generated tests"
many=$work/many
mkdir -p "$many"
{
  echo '#include <gtest/gtest.h>'
  for s in $(seq 100); do for c in $(seq 100); do echo "TEST(Suite$s, Case$c) {}"; done; done
} >"$many/cases.cpp"
cat >"$many/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(many CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(many cases.cpp)
target_link_libraries(many GTest::gtest_main)
morph_add_suite(many TARGET many GRANULARITY $ENV{GRANULARITY})
CMAKE
for granularity in tier case; do
  export GRANULARITY=$granularity
  cmake -S "$many" -B "$many/build" -G Ninja -DMORPH_EVIDENCE=twin -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
  cmake --build "$many/build" >/dev/null
  ctest --test-dir "$many/build" -N >/dev/null 2>&1
  measure_runs "many_list_$granularity" 5 ctest --test-dir "$many/build" -N
  if [ $granularity = tier ]; then
    measure_runs many_all_tier 5 ctest --test-dir "$many/build"
  elif [ "$full" = --full ]; then
    measure_runs many_all_case 1 ctest --test-dir "$many/build"
  fi
done

row() { printf '  %-34s %12s %12s %12s\n' "$@"; }
if [ "$full" != --full ]; then echo "many_all_case null null" >>"$raw"; fi
number() { if grep -q "^$1 null" "$raw"; then echo -; else printf '%.0f' "$(median "$1" "$2")"; fi; }
echo
row "wall ms (CPU ms)" case tier suite
for what in list all morph; do
  cells=()
  for granularity in case tier suite; do cells+=("$(number ${what}_$granularity wall) ($(number ${what}_$granularity cpu))"); done
  row "yaml-cpp, $(case $what in list) echo 'ctest -N' ;; all) echo ctest ;; *) echo "ctest -L '^morph\$'" ;; esac)" "${cells[@]}"
done
for what in list all; do
  row "10,000 tests, $([ $what = list ] && echo 'ctest -N' || echo ctest)" "$(number many_${what}_case wall) ($(number many_${what}_case cpu))" \
    "$(number many_${what}_tier wall) ($(number many_${what}_tier cpu))" -
done
figures=$(for label in {list,all,morph}_{case,tier,suite} many_{list,all}_{case,tier}; do
  printf '{"%s_ms": %s, "%s_cpu_ms": %s}\n' "$label" "$(median "$label" wall)" "$label" "$(median "$label" cpu)"
done | jq -s add)
reason='{}'
if [ "$full" != --full ]; then
  figures=$(jq '.many_all_case_ms = null | .many_all_case_cpu_ms = null' <<<"$figures")
  reason='{"many_all_case_ms": "takes minutes: --full"}'
fi
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson figures "$figures" --argjson reason "$reason" \
  '{bench: "granularity", figures: $figures, conditions: ($conditions + {n: {yaml_cpp: 5, many: 5, many_all_case: 1}} + $reason), raw: $raw}'
