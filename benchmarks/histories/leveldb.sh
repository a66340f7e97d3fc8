# leveldb since January 2022 (8f464e7): most tests are one program; the machine's GoogleTest.
. benchmarks/subjects/leveldb.sh
subject_configure=(-DLEVELDB_BUILD_BENCHMARKS=OFF -DCMAKE_CXX_STANDARD=17)   # some of it needs more than it asks for
subject_target='leveldb_tests c_test env_posix_test'
subject_add_morph() {
  subject_installed_googletest "$1/CMakeLists.txt"
  sed -i -e 's/^  add_test(NAME "leveldb_tests" COMMAND "leveldb_tests")/  find_package(Morph REQUIRED)\n  set(suite_of_c_test FRAMEWORK none)\n  morph_add_suite(leveldb_tests TARGET leveldb_tests PRODUCTION leveldb)/' \
    -e 's/^    add_test(NAME "${test_target_name}" COMMAND "${test_target_name}")/    morph_add_suite(${test_target_name} TARGET ${test_target_name} PRODUCTION leveldb ${suite_of_${test_target_name}})/' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}
