// A series: tests of one program that starts once. At the entry of the framework's function that runs a test, or of
// main(), the process is forked or restored, so that each test begins in the state in which the first one began.
//
// MORPH_PROBES_SERIES=FILE: which tests, and what becomes of them: a header, a series_case for each, then texts. All
// processes and who started them share its memory.
//
// LD_BIND_NOW=1 is given beside it: a process that is restored would look up each symbol again.
//
// ROW/series is what the tests did, an entry each, only ever appended to by one write(). The row of a test is what the
// program's own ROW/KEY.entered has, the entries that belong to all, and its own.
//
// C++11 without a library, as recording.h.
#ifndef MORPH_SPOOL_SERIES_H
#define MORPH_SPOOL_SERIES_H

#include <stdint.h>

namespace morph_probe {

constexpr char series_magic[8] = {'m', 'o', 'r', 'p', 'h', 's', 'r', '2'};
constexpr char series_entries[] = "/series";  // in a row

enum series_state : uint32_t { untaken = 0, begun = 1, over = 2 };

struct series_case {
  uint32_t name;       // where it begins in the file, as the framework calls it; a zero ends it
  uint32_t record;     // likewise the name of its record
  uint32_t arguments;  // of main(), behind the program's name: likewise, one behind the other
  uint32_t argument_count;
  volatile uint32_t state;  // a series_state
  volatile int32_t status;  // as wait() says, when it is over
};

// Why no test can run in a process of its own here: each needs another start of the program.
enum class series_refusal : uint32_t {
  none = 0,
  no_framework,  // no function that runs a test is known, or no main()
  threads,       // fork() would leave them behind
  children,      // which of them a test has left behind could not be said
  handler,       // the program handles SIGCHLD
  no_room,       // no memory, or no process can be made
  no_row,        // no recorder grants one
};

struct series_header {
  char magic[8];
  uint32_t cases;
  volatile uint32_t running;  // 1 + the number of the case that runs; 0: none does
  volatile int32_t process;   // that runs it
  volatile series_refusal refusal;
  uint32_t runs_main;  // 1: main() is the boundary, with the arguments of each case; 0: the framework's function
  uint32_t unused;
};

enum series_flags : uint32_t {
  is_end = 1,           // the last entry of its case
  ended_by_itself = 2,  // its process came to its end by itself
  left_processes = 4,   // one that the case started lives on
  of_restored = 8,      // its process ran another case before
};

constexpr uint32_t of_every_case = ~0u;    // as the number of an entry
constexpr int series_refused_status = 89;  // of a program that did nothing, since no test could run

struct series_entry {
  uint32_t size;    // bytes of all of it, a multiple of 8
  uint32_t number;  // of the case
  uint32_t flags;
  int32_t status;  // as wait() says
  int64_t at;      // seconds since 1970: when it ended
  uint64_t wall_us;
  uint64_t output[2];      // begin and end in the file that is the standard output
  uint32_t variables[2];   // begin and end in ROW/variables of what is its own
  uint32_t incomplete[2];  // likewise in ROW/incomplete
  uint32_t tables;         // behind this, series_table each
  uint32_t unused;
};

// Behind it the table's key, filled up to four bytes, and numbers of functions, ascending.
struct series_table {
  uint32_t key;        // bytes
  uint32_t functions;  // how many
};

}  // namespace morph_probe

#endif
