# Google Benchmark, adopted: 60 to 80 programs, most of which benchmark something for as long as they are told to; the GoogleTest of the
# machine. Since f02794a8 (May 2025) programs execute themselves again.
subject_configure=(-DBENCHMARK_USE_BUNDLED_GTEST=OFF -DBENCHMARK_ENABLE_WERROR=OFF)
subject_suite=adopted
subject_add_morph() {
  printf 'find_package(Morph REQUIRED)\nmorph_adopt_tests()\n' >>"$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
