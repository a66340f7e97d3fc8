# nlohmann-json: a suite a program, one test each, with --no-skip as the project itself runs them. Not here: sources that read the
# project's data set, which is another repository; test-unicode4, which alone takes as long as all others; and tests that configure projects.
# unit-unicode2, 3 and 5 only ask whether the data set is there. Of the five C++ standards one.
subject_configure=(-DJSON_BuildTests=ON -DJSON_TestStandards=17 -DJSON_TestDataDirectory=no_data)
subject_mutated='include/nlohmann/**/*.hpp'
subject_suite=all
subject_add_morph() {
  local data='binary_formats|bjdata|bson|cbor|inspection|json_patch|msgpack|regression1|testsuites|ubjson|unicode[14]'
  sed -i -e "s/^file(GLOB files src.unit-.*/&\nlist(FILTER files EXCLUDE REGEX \"unit-($data)[.]cpp\")/" -e '/add_subdirectory(cmake_/d' "$1/tests/CMakeLists.txt"
  sed -i -e '/^add_test(NAME "download_test_data"/,/^)/d' -e '/^set_tests_properties(download_test_data/d' "$1/cmake/test.cmake"
  # shellcheck disable=SC2016 # CMake's variables
  sed -i '0,/^    if (JSON_FastTests)/s//    find_package(Morph REQUIRED)\n    morph_add_suite(${test_target} TARGET ${test_target} FRAMEWORK none EXTRA_ARGS --no-skip WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})\n    return()\n    if (JSON_FastTests)/' "$1/cmake/test.cmake"
  mkdir -p "$1/no_data"
  echo 'Nothing' >"$1/no_data/README.md"
  printf '\nbuild*/\n.morph/\n' >>"$1/.gitignore"
}
