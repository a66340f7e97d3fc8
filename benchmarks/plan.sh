#!/usr/bin/env bash
# What a plan, a listing and a measurement cost: on yaml-cpp (980 tests) and on 90 small suites.
set -euo pipefail
cd "$(dirname "$0")/.."
. benchmarks/lib.sh
. benchmarks/subjects/lib.sh
. benchmarks/subjects/yaml-cpp.sh

work=$PWD/build/bench/plan
subject=$work/$subject_package
morph=$work/prefix/bin/morph
raw=$work/raw.txt
list_script=$(cmake --system-information 2>/dev/null | sed -n 's/^CMAKE_ROOT "\(.*\)"/\1/p')/Modules/GoogleTestAddTests.cmake
mkdir -p "$work"
: >"$raw"

cmake --install build/release --prefix "$work/prefix" >/dev/null

# The listing that gtest_discover_tests() leaves for ctest, of programs that are built already: bare_listing DIR PROGRAM...
bare_listing() {
  local dir=$1 i=0 program
  shift
  mkdir -p "$dir"
  : >"$dir/CTestTestfile.cmake"
  for program in "$@"; do
    i=$((i + 1))
    cmake -D "TEST_EXECUTABLE=$program" -D "TEST_WORKING_DIR=$dir" -D "TEST_PREFIX=s$i." -D "TEST_LIST=L" -D "CTEST_FILE=$dir/$i.cmake" \
      -D TEST_DISCOVERY_TIMEOUT=60 -P "$list_script"
    echo "include([==[$dir/$i.cmake]==])" >>"$dir/CTestTestfile.cmake"
  done
}

echo "yaml-cpp: building it and its twin"
subject_with_morph "$subject"
subject_git "$subject" reset -q --hard "$(subject_git "$subject" rev-list --max-parents=0 HEAD)"
cmake -S "$subject" -B "$subject/build" -G Ninja -DMORPH_EVIDENCE=twin "${subject_configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$subject/build" --target "$subject_target" >/dev/null
"$morph" measure --build "$subject/build" -q >/dev/null

echo "measuring from an empty store, twin built"
from_empty_store() {
  rm -f "$subject/.morph/evidence.db"
  "$morph" measure --build "$subject/build" -q
}
measure_runs measure 5 from_empty_store

echo "a plan after a change to one function"
subject_change "$subject"
subject_commit "$subject" "A change"
cmake --build "$subject/build" --target "$subject_target" >/dev/null
"$morph" plan --build "$subject/build" >/dev/null
measure_runs plan 21 "$morph" plan --build "$subject/build" --format cmake

echo "a plan after a change to the largest object, of tests: the first one reads it"
objects=$subject/build/.morph/objects
rm -rf "$work/objects"
cp -a "$objects" "$work/objects"
sed -i '0,/  Emitter out;/s//  Emitter out;\n  out << Comment("first");/' "$subject/test/integration/gen_emitter_test.cpp"
subject_commit "$subject" "A change of a large test"
cmake --build "$subject/build" --target "$subject_target" >/dev/null
sleep 2.1  # what was written just now is read again
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
  rm -rf "$objects"
  cp -a "$work/objects" "$objects"
  measure_runs plan_large_first 1 "$morph" plan --build "$subject/build" --format cmake
  measure_runs plan_large 1 "$morph" plan --build "$subject/build" --format cmake
done

echo "ctest -N of 980 tests"
bare_listing "$work/bare-yaml" "$subject/build/test/$subject_target"
for _ in 1 2 3 4 5 6 7; do
  measure_runs list_bare 3 ctest --test-dir "$work/bare-yaml" -N
  measure_runs list_morph 3 ctest --test-dir "$subject/build" -N
done

echo "ctest -N of 90 suites of 10 tests"
suites=$work/suites
mkdir -p "$suites"
cat >"$suites/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(suites CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(cases OBJECT cases.cpp)
target_link_libraries(cases PRIVATE GTest::gtest)
foreach(i RANGE 1 90)
  add_executable(t${i} $<TARGET_OBJECTS:cases>)
  target_link_libraries(t${i} GTest::gtest_main)
  morph_add_suite(s${i} TARGET t${i} TEST_PREFIX s${i}.)
endforeach()
CMAKE
{
  echo '#include <gtest/gtest.h>'
  for i in 0 1 2 3 4 5 6 7 8 9; do echo "TEST(Suite, Case$i) {}"; done
} >"$suites/cases.cpp"
cmake -S "$suites" -B "$suites/build" -G Ninja -DMORPH_EVIDENCE=twin -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$suites/build" >/dev/null
bare_listing "$work/bare-suites" $(printf "$suites/build/t%s " $(seq 90))
"$morph" plan --build "$suites/build" >/dev/null
for _ in 1 2 3 4 5 6 7; do
  measure_runs suites_bare 1 ctest --test-dir "$work/bare-suites" -N
  measure_runs suites_morph 1 ctest --test-dir "$suites/build" -N
  measure_runs suites_plan 1 "$morph" plan --build "$suites/build" --format cmake
done

row() { printf '  %-58s %10s\n' "$1" "$2"; }
calc() { awk "BEGIN {printf \"%.3f\", $1}"; }
measure_cpu=$(calc "$(median measure cpu) / 1000")
plan_ms=$(median plan wall)
listing_ratio=$(calc "($(median list_morph wall) - $plan_ms) / $(median list_bare wall)")
extra=$(calc "$(median suites_morph wall) - $(median suites_bare wall) - $(median suites_plan wall)")
echo
row "measure yaml-cpp, CPU s incl. children (goal 5)" "$measure_cpu"
row "plan yaml-cpp, one-function change, wall ms (goal 100)" "$plan_ms"
row "  the same, CPU ms" "$(median plan cpu)"
row "  with a large test changed too, wall ms" "$(median plan_large wall)"
row "    the same, CPU ms" "$(median plan_large cpu)"
row "  the first one after that build, wall ms (goal 100)" "$(median plan_large_first wall)"
row "    the same, CPU ms" "$(median plan_large_first cpu)"
row "ctest -N yaml-cpp, bare, wall ms" "$(median list_bare wall)"
row "ctest -N yaml-cpp with Morph, wall ms" "$(median list_morph wall)"
row "  (with Morph - one plan) / bare (goal 1.1)" "$listing_ratio"
row "ctest -N 90 suites, bare, wall ms" "$(median suites_bare wall)"
row "ctest -N 90 suites with Morph, wall ms" "$(median suites_morph wall)"
row "plan 90 suites, wall ms" "$(median suites_plan wall)"
echo
jq -c -n --argjson conditions "$(conditions)" --arg raw "${raw#"$PWD/"}" --argjson measure "$measure_cpu" --argjson plan "$plan_ms" \
  --argjson large "$(median plan_large_first wall)" --argjson large_cpu "$(median plan_large_first cpu)" --argjson ratio "$listing_ratio" --argjson extra "$extra" \
  '{bench: "plan",
    figures: {measure_cpu_s_yaml_cpp: $measure, plan_ms_yaml_cpp: $plan, plan_large_first_ms: $large,
              plan_large_first_cpu_ms: $large_cpu, listing_ratio_yaml_cpp: $ratio,
              listing_extra_ms_90_suites: $extra},
    conditions: ($conditions + {n: {measure: 5, plan: 21, listing: 21}, plan_ms_10k_1m: "./dev bench scale"}),
    raw: $raw}'
