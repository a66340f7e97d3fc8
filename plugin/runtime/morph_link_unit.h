// What an executable or a shared object has of counters, in the words of the compilers that made it.
#ifndef MORPH_RUNTIME_LINK_UNIT_H
#define MORPH_RUNTIME_LINK_UNIT_H

#include <stdint.h>

struct gcov_root;  // libgcov's, one in each executable and shared object

namespace morph_runtime {

typedef int64_t counter;

// Hears of each object file, and then of each of its functions.
struct llvm_visitor {
  void* to;
  void (*object)(void* to, const char* gcda_path, uint32_t version, uint32_t stamp);
  void (*function)(void* to, uint32_t ident, uint32_t lineno_checksum, uint32_t cfg_checksum, uint32_t count,
                   counter* values);
};

// Pages that hold counters and nothing else, by morph_counters.ld; null if the linker was another than GNU's.
struct counter_pages {
  char* begin;
  char* end;
};

struct link_unit {
  gcov_root* gcov;                           // of GCC; null if it compiled nothing of it with counters
  void (*list_llvm)(const llvm_visitor* v);  // of Clang; null if it compiled nothing of it
  counter_pages pages;
  link_unit* next;  // among those that the program knows
};

}  // namespace morph_runtime

// In morph_llvm.cpp, one in each executable and shared object of a twin that Clang compiles.
extern "C" void morph_llvm_list(const morph_runtime::llvm_visitor* visitor) __attribute__((visibility("hidden")));

// Around the counters of the executable or shared object that asks.
extern "C" char morph_counters_begin[] __attribute__((weak, visibility("hidden")));
extern "C" char morph_counters_end[] __attribute__((weak, visibility("hidden")));

// For morph_module.cpp in each shared object of the twin.
extern "C" void morph_runtime_loaded(morph_runtime::link_unit* unit) __attribute__((visibility("default")));
extern "C" void morph_runtime_unloaded(morph_runtime::link_unit* unit) __attribute__((visibility("default")));

#endif
