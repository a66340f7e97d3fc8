# cctz: four programs of GoogleTest cases over civil time and time zones; the GoogleTest of the machine.
subject_configure=(-DBUILD_TOOLS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_BENCHMARK=OFF)
subject_suite=civil_time_test   # one of four
subject_add_morph() {
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
find_package(Morph REQUIRED)
foreach(program civil_time_test time_zone_lookup_test time_zone_format_test time_zone_posix_test)
  if(TARGET ${program})
    morph_add_suite(${program} TARGET ${program} PRODUCTION cctz TEST_PREFIX ${program}.
      ENVIRONMENT TZDIR=${CMAKE_CURRENT_SOURCE_DIR}/testdata/zoneinfo)
  endif()
endforeach()
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
