// The files between `morph` and the runtime of probes: a table for each program and shared library, and what a test
// entered.
//
// FOLDER/KEY.probes is a table: a header; addresses (ascending, of the load bias), first bytes and kinds of functions;
// hooks; then, from `text_offset` on, the executable segment with a probe at each armed function. The kernel
// maps that part in the place of the program's own text. KEY is the build id in hexadecimal, without one the file's
// number, size and time.
//
// ROW/KEY.entered is what the processes of a test entered of it: a byte a function, 0 or 1. ROW/incomplete: why that
// may not be all, a line a reason. ROW/variables: names of the environment that were asked for, each with a zero behind
// it.
//
// C++11 without a library: the runtime reads and writes all of this inside of programs that it knows nothing of.
#ifndef MORPH_COVERAGE_PROBE_FORMAT_H
#define MORPH_COVERAGE_PROBE_FORMAT_H

#include <stdint.h>

namespace morph_probe {

// What stands where a function begins.
enum class probe_kind : uint8_t {
  none,       // nothing: who enters it is not noted
  trap,       // a breakpoint instruction
  call,       // x86-64: a call within 8 aligned bytes, which one store puts there and takes away
  long_call,  // x86-64: one across such a border; other threads meet a breakpoint while it goes
};

constexpr char table_magic[8] = {'m', 'o', 'r', 'p', 'h', 'p', 'b', '4'};
constexpr uint32_t page_size = 4096;

enum table_flags : uint32_t {
  has_text_relocations = 1,  // the loader writes to the text: it cannot be replaced
  has_early_code = 2,        // a resolver of an indirect function, or .preinit_array
  is_static = 4,             // no library can be loaded into it: a tracer sees breakpoints (plugin/tracer)
};

// Functions by which a process runs each test of many in one of its own
// (plugin/spool/series.h).
enum class hook_role : uint32_t {
  run_test = 1,   // GoogleTest: testing::TestInfo::Run()
  run_suite,      // testing::TestSuite::Run()
  destroy_suite,  // its destructors
  print,          // of the printer: what it says when tests have ended
  report,         // testing::TestResult::AddTestPartResult(): of a test that fails or is skipped
  run_main,       // main(), of any program
  get_variable,   // of a static program: getenv(), whose breakpoint stays
};

struct hook {
  uint32_t function;  // its number
  hook_role role;
};

struct table_header {
  char magic[8];
  uint32_t functions;
  uint32_t flags;
  uint64_t text_address;  // where the executable segment begins, of the load bias; whole pages
  uint64_t text_size;
  uint64_t text_offset;  // in the table
  uint32_t slot;         // x86-64: jump_size free bytes, of text_address, that calls go through; 0: there are no calls
  uint32_t hooks;
};

constexpr uint32_t jump_size = 14;  // jmp *0(%rip), and the address

// In a program that is loaded: where the parts of its table are.
struct table_view {
  const table_header* header;
  const uint32_t* addresses;
  const uint64_t* first_bytes;
  const probe_kind* kinds;
  const hook* hooks;
};

constexpr uint64_t rounded_up(uint64_t n, uint64_t to) {
  return (n + to - 1) / to * to;
}

inline table_view view_table(const void* begin) {
  const char* at = static_cast<const char*>(begin);
  table_view v;
  v.header = reinterpret_cast<const table_header*>(at);
  at += sizeof(table_header);
  const uint64_t n = v.header->functions;
  v.addresses = reinterpret_cast<const uint32_t*>(at);
  at += rounded_up(4 * n, 8);
  v.first_bytes = reinterpret_cast<const uint64_t*>(at);
  at += 8 * n;
  v.kinds = reinterpret_cast<const probe_kind*>(at);
  at += rounded_up(n, 8);
  v.hooks = reinterpret_cast<const hook*>(at);
  return v;
}

}  // namespace morph_probe

#endif
