// In each shared object of the twin: tells the program that loads it where its counters are, before any other
// constructor of the object and behind all its destructors.
#include <stdlib.h>
#include <sys/stat.h>

struct gcov_root;

// Of this object alone; null if nothing in it is instrumented.
extern "C" gcov_root __gcov_root __attribute__((weak, visibility("hidden")));

// Of the program; null if it is none of the twin.
extern "C" void morph_runtime_loaded(gcov_root* root) __attribute__((weak));
extern "C" void morph_runtime_unloaded(gcov_root* root) __attribute__((weak));

namespace {

// Where nobody can share its counters, an empty folder in the place of the files that it may not live to write says so.
__attribute__((constructor(101))) void loaded() {
  if (&__gcov_root == nullptr) return;
  if (&morph_runtime_loaded != nullptr) {
    morph_runtime_loaded(&__gcov_root);
    return;
  }
  const char* const prefix = getenv("GCOV_PREFIX");
  if (prefix != nullptr) mkdir(prefix, 0777);
}

__attribute__((destructor(101))) void unloaded() {
  if (&__gcov_root != nullptr && &morph_runtime_unloaded != nullptr) morph_runtime_unloaded(&__gcov_root);
}

}  // namespace
