# nlohmann-json 3.11.2: doctest programs, one a source and C++ standard, that use a copy of doctest.h in the project's
# tree. Not here: fifteen sources that need a data set which is not in the package; their tests stay as they are.
subject_package=nlohmann-json3
subject_configure=(-DJSON_BuildTests=ON)
subject_suite=all  # a suite a program: test-algorithms_cpp11, ...
subject_kind='doctest, 57 programs, header in its tree'
subject_target=all
subject_tests=123

# Each program is one test of ctest; a suite takes its place. The project runs the programs with --no-skip; doctest's
# listing, as doctest_discover_tests() takes it, leaves out the slow cases that are marked skip().
subject_add_morph() {
  local data='^test-(binary_formats|bjdata|bson|cbor|inspection|json_patch|msgpack|regression1|testsuites|ubjson|unicode[1-5])$'
  sed -i "0,/^    if (JSON_FastTests)/s//    if(NOT test_name MATCHES \"$data\")\n\
        find_package(Morph REQUIRED)\n\
        morph_add_suite(\${test_target} TARGET \${test_target} FRAMEWORK doctest TEST_PREFIX \${test_target}. WORKING_DIRECTORY \${CMAKE_SOURCE_DIR})\n\
        return()\n    endif()\n    if (JSON_FastTests)/" "$1/cmake/test.cmake"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# An object is made by the type's own constructor, in basic_json::merge_patch().
subject_change() {
  sed -i '/void merge_patch(/,/^    }/s|\*this = object();|*this = basic_json(value_t::object);|' "$1/include/nlohmann/json.hpp"
}

# Worked out by reading the sources: nothing in include/ calls merge_patch() but itself; of the tests, one source does.
subject_affected=("test-merge_patch_cpp11.JSON Merge Patch")

# A member that is to go stays.
subject_fault() {
  sed -i '/void merge_patch(/,/^    }/s|erase(it.key());|static_cast<void>(it.key());|' "$1/include/nlohmann/json.hpp"
}
