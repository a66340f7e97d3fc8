# double-conversion 3.2.1: nine tests, one program of its own harness with different arguments; they are adopted.
subject_package=double-conversion
subject_configure=(-DBUILD_TESTING=ON)
subject_suite=adopted
subject_kind='adopted: one program, many arguments'
subject_target=cctest
subject_tests=9

subject_add_morph() {
  printf 'find_package(Morph REQUIRED)\nmorph_adopt_tests()\n' >>"$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The condition behind the second loop of TrimZeros(), of a number that is never negative.
subject_change() { sed -i 's|  if (first_non_zero != 0) {|  if (first_non_zero > 0) {|' "$1/double-conversion/fixed-dtoa.cc"; }

# Worked out by reading the sources: TrimZeros() is static and ends FastFixedDtoa(), which test-fixed-dtoa.cc calls, and
# DoubleToStringConverter::DoubleToAscii() in mode FIXED (double-to-string.cc). That mode is asked for by test-dtoa.cc and,
# by ToFixed(), by test-conversions.cc; the other six files include neither header.
subject_affected=(test_conversions test_dtoa test_fixed_dtoa)

# The first digit is trimmed whatever it is.
subject_fault() { sed -i 's|  int first_non_zero = 0;|  int first_non_zero = 1;|' "$1/double-conversion/fixed-dtoa.cc"; }
