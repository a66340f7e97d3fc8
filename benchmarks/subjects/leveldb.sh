# leveldb 1.23: 25 programs of GoogleTest cases that write files and start threads, and one in C.
subject_package=leveldb
subject_configure=(-DLEVELDB_BUILD_BENCHMARKS=OFF -DCMAKE_CXX_STANDARD=17)
subject_kind='GoogleTest, many programs, threads, files; a program in C'
subject_tests=@TESTS@

# GoogleTest is the machine's; the suites take the place of its own add_test(), a suite a program.
subject_add_morph() {
  subject_installed_googletest "$1/CMakeLists.txt"
  sed -i '/^ *add_test(NAME/d' "$1/CMakeLists.txt"
  cat >>"$1/CMakeLists.txt" <<'CMAKE'
if(LEVELDB_BUILD_TESTS)
  find_package(Morph REQUIRED)
  get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER programs INCLUDE REGEX "_tests?$")
  foreach(program IN LISTS programs)
    if(program STREQUAL "c_test")
      morph_add_suite(${program} TARGET ${program} PRODUCTION leveldb FRAMEWORK none)
    else()
      morph_add_suite(${program} TARGET ${program} PRODUCTION leveldb)
    endif()
  endforeach()
endif()
CMAKE
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# One step of LRUCache::Prune() with a name for what it erases.
subject_change() { sed -i '/^void LRUCache::Prune() {/,/^}/s|    bool erased = FinishErase(table_.Remove(e->key(), e->hash));|    LRUHandle* const gone = table_.Remove(e->key(), e->hash);\n    bool erased = FinishErase(gone);|' "$1/util/cache.cc"; }

# Worked out by reading the sources: nothing but ShardedLRUCache::Prune() calls it, and of the tests one in util/cache_test.cc that.
subject_affected=(CacheTest.Prune)

# The same entry stays.
subject_fault() { sed -i '/^void LRUCache::Prune() {/,/^}/s|    bool erased = FinishErase(gone);|    bool erased = FinishErase(gone) \|\| gone == lru_.next;\n    break;|' "$1/util/cache.cc"; }
