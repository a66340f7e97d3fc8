// Tells who runs this process for one test that the test framework came to its end. A test that leaves its process
// before, with whatever status, has not passed.
//
// Where tests are forked, morph_capture.h does it: this is for a process that has one test from its very start.
#ifndef MORPH_RUNTIME_END_H
#define MORPH_RUNTIME_END_H

namespace morph_runtime {

// Whether MORPH_COVERAGE_END asked for it.
bool is_end_awaited();

// The framework is done, all but what main() does afterwards. Ignored in processes that the test made.
void tell_end();

}  // namespace morph_runtime

#endif
