// In each executable and shared object of a twin that Clang compiles: takes the place of Clang's own profiling runtime,
// whose lists nobody can look at. It writes no files.
//
// Each object file announces itself before any constructor (those have priority 0) and brings a function that tells,
// by calls of llvm_gcda_*, its file, its functions and where their counters are.
#include <stdlib.h>
#include <unistd.h>

#include "morph_link_unit.h"

namespace {

typedef void (*teller)();

teller* tellers = nullptr;
size_t count = 0, capacity = 0;

const morph_runtime::llvm_visitor* visitor = nullptr;

struct function_head {
  uint32_t ident, lineno_checksum, cfg_checksum;
} head;

}  // namespace

#pragma GCC visibility push(hidden)

void morph_llvm_list(const morph_runtime::llvm_visitor* v) {
  visitor = v;
  for (size_t i = 0; i < count; ++i) tellers[i]();
  visitor = nullptr;
}

extern "C" {

void llvm_gcov_init(teller tell, teller) {
  if (count == capacity) {
    capacity = 2 * capacity + 64;
    tellers = static_cast<teller*>(realloc(tellers, capacity * sizeof(teller)));
    if (tellers == nullptr) abort();
  }
  tellers[count++] = tell;
}

void llvm_gcda_start_file(const char* gcda_path, uint32_t version, uint32_t stamp) {
  visitor->object(visitor->to, gcda_path, version, stamp);
}
void llvm_gcda_emit_function(uint32_t ident, uint32_t lineno_checksum, uint32_t cfg_checksum) {
  head = function_head{ident, lineno_checksum, cfg_checksum};
}
void llvm_gcda_emit_arcs(uint32_t counters, morph_runtime::counter* values) {
  visitor->function(visitor->to, head.ident, head.lineno_checksum, head.cfg_checksum, counters, values);
}
void llvm_gcda_summary_info() {}
void llvm_gcda_end_file() {}

// Around exec* in instrumented code, and for code that calls them itself.
void llvm_writeout_files() {}
void llvm_reset_counters() {}
void __gcov_dump() {}
void __gcov_reset() {}

// In place of fork() in instrumented code; pthread_atfork() sees to the counters.
pid_t __gcov_fork() {
  // Called by name it would be this function again, if the project has --coverage for all that it compiles.
  pid_t (*const volatile of_the_system)() = fork;
  return of_the_system();
}

}  // extern "C"

#pragma GCC visibility pop
