// In each shared object of the twin: tells the program that loads it where its counters are, before any other
// constructor of the object and behind all its destructors.
#include <stdlib.h>
#include <sys/stat.h>

#include "morph_link_unit.h"

// Of this object alone; null if nothing in it is instrumented by GCC.
extern "C" gcov_root __gcov_root __attribute__((weak, visibility("hidden")));

extern "C" void morph_llvm_list(const morph_runtime::llvm_visitor* visitor) __attribute__((weak));

// Of the program; null if it is none of the twin.
extern "C" void morph_runtime_loaded(morph_runtime::link_unit* unit) __attribute__((weak));
extern "C" void morph_runtime_unloaded(morph_runtime::link_unit* unit) __attribute__((weak));

namespace {

morph_runtime::link_unit unit = {nullptr, nullptr, {nullptr, nullptr}, nullptr};

bool has_counters() {
  return unit.gcov != nullptr || unit.list_llvm != nullptr;
}

// Where nobody can share its counters, an empty folder in the place of the files that it may not live to write says so.
__attribute__((constructor(101))) void loaded() {
  unit.gcov = &__gcov_root;
  unit.list_llvm = &morph_llvm_list;
  unit.pages = morph_runtime::counter_pages{morph_counters_begin, morph_counters_end};
  if (!has_counters()) return;
  if (&morph_runtime_loaded != nullptr) {
    morph_runtime_loaded(&unit);
    return;
  }
  const char* const prefix = getenv("GCOV_PREFIX");
  if (prefix != nullptr) mkdir(prefix, 0777);
}

__attribute__((destructor(101))) void unloaded() {
  if (has_counters() && &morph_runtime_unloaded != nullptr) morph_runtime_unloaded(&unit);
}

}  // namespace
