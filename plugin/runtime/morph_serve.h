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
void serve_mutants(const char* names, size_t name_bytes, uint32_t tests);

// ---- in such a process

// The tests to run, by their number in `names`; they may run in any order if the framework has its own.
const uint32_t* chosen_tests(size_t* count);

// Its limit of processor time begins.
void test_begins(uint32_t test);

// A mutant is killed: the process ends here. Ignored in processes that the test forked, which then fail by themselves.
void test_failed();

void test_was_skipped();

// All chosen tests are over, and none has failed.
__attribute__((noreturn)) void tests_passed();

// Tells the exit status of a program that is one test, at its exit: it decides there.
void ends_with_status();

}  // namespace morph_runtime

#endif
