# snappy 1.1.9: one program of 20 GoogleTest cases, C++11 without RTTI and exceptions, read-only test data.
subject_package=snappy
subject_configure=(-DBUILD_SHARED_LIBS=ON -DSNAPPY_USE_BUNDLED_GTEST=OFF -DSNAPPY_USE_BUNDLED_BENCHMARK_LIB=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF)
subject_suite=snappy_unittest
subject_kind='GoogleTest, C++11, no RTTI, no exceptions'
subject_target=snappy_unittest
subject_tests=20

# Its own add_test() of four lines runs all cases as one test in the source folder; the suite takes its place.
subject_add_morph() {
  subject_installed_googletest "$1/CMakeLists.txt"
  sed -i -e '/^  add_test($/,/snappy_unittest")$/c\  find_package(Morph REQUIRED)\n  morph_add_suite(snappy_unittest TARGET snappy_unittest PRODUCTION snappy WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"\n    DATA testdata/*)' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The same written otherwise, in GetUncompressedLength(Source*, uint32_t*) of snappy.cc.
subject_change() { sed -i '/^bool GetUncompressedLength(Source\* source, uint32_t\* result) {/,/^}/s|  return decompressor.ReadUncompressedLength(result);|  const bool known = decompressor.ReadUncompressedLength(result);\n  return known;|' "$1/snappy.cc"; }

# Worked out by reading the sources: the library itself does not call this overload. In snappy_unittest.cc CheckUncompressedLength()
# does, which the three tests of SnappyCorruption call, and CorruptedTest.VerifyCorrupted for every file testdata/baddata*.
subject_affected=(CorruptedTest.VerifyCorrupted SnappyCorruption.OverflowingVarint SnappyCorruption.TruncatedVarint SnappyCorruption.UnterminatedVarint)

# The opposite verdict.
subject_fault() { sed -i 's|^  return known;|  return !known;|' "$1/snappy.cc"; }
