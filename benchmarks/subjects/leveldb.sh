# leveldb 1.23: 28 programs, 228 GoogleTest cases in 27 of them, and one program in C. Several run benchmarks before their tests.
subject_package=leveldb
subject_configure=(-DLEVELDB_BUILD_BENCHMARKS=OFF)
subject_suite=memenv_test   # one of 28
subject_kind='GoogleTest, 28 programs, files of their own'
subject_tests=229

# A function registers the programs. Google Benchmark takes its filter from the environment: none of its benchmarks is a test.
subject_add_morph() {
  sed -i -e 's/^    add_test(NAME "${test_target_name}" COMMAND "${test_target_name}")/    morph_add_suite(${test_target_name} TARGET ${test_target_name} PRODUCTION leveldb ${suite_of_${test_target_name}}\n      ENVIRONMENT BENCHMARK_FILTER=none)/' \
    -e 's/^  function(leveldb_test test_file)/  find_package(Morph REQUIRED)\n  set(suite_of_c_test FRAMEWORK none)\n\n&/' "$1/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# Another way to the same entry, in InMemoryEnv::GetFileSize() of helpers/memenv/memenv.cc.
subject_change() { sed -i 's|    \*file_size = file_map_\[fname\]->Size();|    *file_size = file_map_.find(fname)->second->Size();|' "$1/helpers/memenv/memenv.cc"; }

# Worked out by reading the sources: memenv_test.cc makes an InMemoryEnv, and so does ErrorEnv of util/testutil.h, which CorruptionTest has.
# Of MemEnvTest, Basics asks for sizes; DBTest would through the database only with Options::reuse_logs. Of CorruptionTest, those do that
# call Corrupt(), which asks itself, or RepairDB(), which asks for those of tables. (The first version of this list overlooked ErrorEnv.)
subject_affected=(MemEnvTest.Basics
  CorruptionTest.{Recovery,TableFile,TableFileRepair,TableFileIndexData,MissingDescriptor,SequenceNumberRecovery,CorruptedDescriptor}
  CorruptionTest.{CompactionInputError,CompactionInputErrorParanoid,UnrelatedKeys})

# One byte more.
subject_fault() { sed -i 's|    \*file_size = file_map_.find(fname)->second->Size();|    *file_size = file_map_.find(fname)->second->Size() + 1;|' "$1/helpers/memenv/memenv.cc"; }
