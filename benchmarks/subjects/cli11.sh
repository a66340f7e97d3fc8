# CLI11 2.1.2: 19 programs of 821 Catch2 2 cases; the library is headers only, and the programs link a `catch_main` of the
# project's own.
subject_package=cli11
subject_configure=(-DBUILD_TESTING=ON -DCLI11_BUILD_TESTS=ON -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF)
subject_suite=all  # a suite a program: AppTest, ..., TransformTest, link_test_2
subject_kind='Catch2, its own main library'
subject_target=all
subject_tests=821

# Each program is one test of ctest; a suite takes its place. No target says Catch2, therefore FRAMEWORK.
subject_add_morph() {
  sed -i 's/^find_package(Catch2 REQUIRED)/&\nfind_package(Morph REQUIRED)/' "$1/tests/CMakeLists.txt"
  sed -i 's/^  add_test(${TESTNAME} ${TESTNAME})/  morph_add_suite(${TESTNAME} TARGET ${TESTNAME} FRAMEWORK catch2 TEST_PREFIX "${TESTNAME}.")/' \
    "$1/tests/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The same factor by another way, in CLI::AsSizeValue::init_mapping().
subject_change() { sed -i 's|            m\[p + "ib"\] = ki;|            m[p + "ib"] = m[p + "i"];|' "$1/include/CLI/Validators.hpp"; }

# Worked out by reading the sources: init_mapping() is private and called by get_mapping(), that by the constructor of
# AsSizeValue; nothing else in include/CLI names the class, and of the tests two do (tests/TransformTest.cpp).
subject_affected=(TransformTest.AsSizeValue1000_1024 TransformTest.AsSizeValue1024)

# kib becomes 1000 where kb is 1000.
subject_fault() { sed -i 's|            m\[p + "ib"\] = m\[p + "i"\];|            m[p + "ib"] = k;|' "$1/include/CLI/Validators.hpp"; }
