// The server of program mutants, for adapters: a process for each request, in which the framework runs some tests with
// one mutant active.
#ifndef MORPH_RUNTIME_SERVE_H
#define MORPH_RUNTIME_SERVE_H

#include <stddef.h>
#include <stdint.h>

namespace morph_runtime {

// Whether `morph mutate` started this program: MORPH_MUTANTS_FD named a socket. The variable is gone by now.
bool serves_mutants();

// Serves until nobody asks any more, then ends the program; returns in each process that is to run tests. `names` has
// the tests with a zero after each.
// `places` says where they are defined, `file:line`, in the same way.
// `choose` is told in the server itself which tests the next process runs: it may change what each process would have
// to.
typedef void (*test_chooser)(const uint32_t* tests, size_t count);
void serve_mutants(const char* names, size_t name_bytes, const char* places, size_t place_bytes, uint32_t tests,
                   test_chooser choose = nullptr);

// The same for a framework that does not tell its tests before it runs them: a process goes through them without
// running any, and offers each to was_offered().
void serve_mutants_of_offered_tests();

// ---- in such a process

// The tests to run, by their number in `names`; they may run in any order if the framework has its own.
const uint32_t* chosen_tests(size_t* count);

// Whether the test is to run here; its limit of processor time has begun then.
bool was_offered(const char* test, const char* file = "", unsigned line = 0);

// Its limit of processor time begins.
void test_begins(uint32_t test);

// A mutant is killed: the process ends here, unless all failures are wanted and the test has had few. Ignored in
// processes that the test forked, which then fail by themselves.
void test_failed();

// Of the chosen ones, at least one; only while all failures are wanted.
bool a_test_has_failed();

void test_was_skipped();

// All chosen tests are over, and none has failed; or all were offered.
__attribute__((noreturn)) void tests_passed();

// Before serving: the program is one test, and its exit status decides.
void ends_with_status();

}  // namespace morph_runtime

#endif
