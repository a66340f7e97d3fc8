// Adapter for programs of Morph's own specs: each relation, which is a test, runs in a process of its own.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "morph_capture.h"
#include "morph_spec_end.h"

// What a program of specs calls if it is there (plugin/spec/measured.h).
extern "C" {
int morph_spec_requested(void);
void morph_spec_start(void);
int morph_spec_begin_test(const char* name);
void morph_spec_end_test(const char* name, int failed);
void morph_spec_finish(void);
}

namespace {
bool in_process = false;
}

int morph_spec_requested(void) {
  return morph_runtime::requested();
}

void morph_spec_start(void) {
  fflush(nullptr);
  in_process = morph_runtime::requested_in_process();
  morph_runtime::start();
}

// Whether this process is the one that runs the test.
int morph_spec_begin_test(const char* name) {
  if (!morph_runtime::wanted(name)) return 0;
  if (in_process) {
    morph_runtime::begin_here(name);
    return 1;
  }
  return morph_runtime::run_test(name, morph_runtime::verdict_from::framework).in_test;
}

// The end of main() is not for a test process, see morph_gtest.cpp.
void morph_spec_end_test(const char* name, int failed) {
  const morph_stream::outcome outcome = failed ? morph_stream::failed : morph_stream::passed;
  if (in_process) {
    morph_runtime::end_here(name, outcome);
    return;
  }
  morph_runtime::set_verdict(outcome);
  exit(failed ? 1 : 0);
}

void morph_spec_finish(void) {
  if (in_process) {
    morph_runtime::end_stream();
    return;
  }
  if (morph_runtime::run_rest_of_main()) return;
  morph_runtime::end_stream();
  _exit(0);
}
