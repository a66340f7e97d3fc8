// Runs each test of this program in a process of its own and streams the gcov counters that the test moved.
//
// For adapters. All functions but the two that tell of a request may only be called if there is one. What the
// supervisor executes between start() and end_stream() is in no row, unless count_between_tests() was called.
#ifndef MORPH_RUNTIME_CAPTURE_H
#define MORPH_RUNTIME_CAPTURE_H

#include <stddef.h>

#include "stream_format.h"

namespace morph_runtime {

const int exit_unsupported = 86;        // nothing was measured; stderr says why
const int exit_threads = 88;            // there are threads before the first test, and fork() would lose them
const int exit_incomplete_stream = 87;  // the stream has no reader any more, or fork() failed

// Whether `morph measure` started this program: MORPH_COVERAGE_FD named a stream. The variables are gone by now. A
// program may have two adapters: MORPH_COVERAGE_TEST is empty for a row of each of its tests, and else the name of the
// one row of the whole process. Without that variable both are meant.
bool requested();
bool requested_as_one_test();

// Whether the list in MORPH_COVERAGE_TESTS, names with a zero after each, contains `test`; true for every test if there
// is no list.
bool wanted(const char* test);

// Which of the tests that are left runs next: the first one, or, to show that rows do not depend on it, one by the seed
// in MORPH_COVERAGE_ORDER.
size_t next_of(size_t left);

// Whether the tests are to stay in this process (MORPH_COVERAGE_ISOLATION=none): what only the first test of a program
// executes, which makes a cache or a function's static, is in that test's row alone. Instead of run_test() and what
// follows, adapters call begin_here() and end_here() around each test, and between_tests_here() around what belongs to
// several.
bool requested_in_process();
void begin_here(const char* test);
void end_here(const char* test, morph_stream::outcome outcome);
void between_tests_here();

// MORPH_COVERAGE_TEST, else the program's name.
const char* program_test();

// Writes what the program executed so far. Ends the program with exit_unsupported if its counters cannot be read, and
// one that has a row for each of its tests with exit_threads.
void start();

// The framework calls listeners of the program in the supervisor, too: what they have executed so far is in the row of
// each test that follows.
void count_between_tests();

enum class verdict_from { framework, exit_status };

struct turn {
  bool in_test;     // this is the test's process: return to the framework and run the test
  int wait_status;  // in the supervisor, after the test's row was written
  size_t number;    // in the test's process: which test
};

// Forks. The supervisor returns when the test process and all that it left behind are dead. Costs a fork, a copy of the
// pages that hold counters and variables, and one pass over the counters.
turn run_test(const char* test, verdict_from source);

// The same for an adapter that can choose the test in the test's process: by `number`, the adapter's own. A process in
// which a test had no lasting effect is restored to its snapshot (morph_snapshot.h) and runs the next test.
turn run_numbered_test(const char* test, size_t number);

// After the last test: a process that runs what main() does then, and the destructors of static objects, with no test
// before it. Its counts are one more start-up record, for they too belong to every test. True in that process, which
// has to return to main().
bool run_rest_of_main();

// In the test process, once the framework has finished the test. Ignored in processes that the test forked.
void set_verdict(morph_stream::outcome outcome);

// Ends the stream: every requested test has its row.
void end_stream();

}  // namespace morph_runtime

#endif
