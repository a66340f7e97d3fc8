# fmt 9.1.0: 20 programs, 458 GoogleTest cases in 19 of them, and one program that only links GoogleTest.
subject_package=fmtlib
subject_configure=(-DFMT_DOC=OFF -DFMT_TEST=ON)
subject_suite=os-test   # one of twenty
subject_kind='GoogleTest, 20 programs'
subject_target=all
subject_tests=459

# A function registers the programs; posix-mock-test is registered on its own. enforce-checks-test has a main() that does
# not run GoogleTest.
subject_add_morph() {
  sed -i -e 's/^  add_test(NAME ${name} COMMAND ${name})/  morph_add_suite(${name} TARGET ${name} ${suite_of_${name}})/' \
    -e 's/^  add_test(NAME posix-mock-test COMMAND posix-mock-test)/  morph_add_suite(posix-mock-test TARGET posix-mock-test)/' \
    -e 's/^# Adds a test\.$/find_package(Morph REQUIRED)\nset(suite_of_enforce-checks-test FRAMEWORK none)\n\n&/' "$1/test/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The same condition written otherwise, in file::dup2(int, std::error_code&) of src/os.cc.
subject_change() { sed -i 's|  if (result == -1) ec = std::error_code(errno, std::generic_category());|  if (result < 0) ec = std::error_code(errno, std::generic_category());|' "$1/src/os.cc"; }

# Worked out by reading the sources: nothing in src/, include/ or the tests' helpers calls dup2() with two arguments; two
# tests of test/os-test.cc and one of test/posix-mock-test.cc, which includes src/os.cc, do.
subject_affected=(file_test.dup2_no_except_retry file_test.dup2_noexcept file_test.dup2_noexcept_error)

# After every change both tests of the name ostream_test.print run too (in os-test and ostream-test). The death test of
# assert-test does not fork: fmt is a Release build unless told otherwise.

# The error is not reported.
subject_fault() { sed -i 's|  if (result < 0) ec = std::error_code(errno, std::generic_category());|  if (result < -1) ec = std::error_code(errno, std::generic_category());|' "$1/src/os.cc"; }
