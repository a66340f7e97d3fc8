// Catch2 adapter: a listener that runs each test case of the program in a process of its own. Catch2 >= 2.2, and 3.
//
// MORPH_CATCH2_HEADER names the single header that the program itself uses; without it the installed headers are taken.
#include <stdlib.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "morph_capture.h"
#include "morph_catch2_end.h"
#include "morph_catch2_tests.h"

namespace {

struct do_nothing : invoker_base {
  void invoke() const override {}
};

void leave_wanted(test_list& tests) {
  test_list* const wanted = new test_list;
  for (const test_case& test : tests)
    if (morph_runtime::wanted(info_of(test).name.c_str())) wanted->push_back(test);
  wanted->swap(tests);
}

bool in_test = false;
bool in_rest = false;
bool in_process = false;
bool has_run = false;
bool has_crashed = false;
bool has_failed = false;
bool is_skipped = false;

class test_per_process : public listener_base {
 public:
  using listener_base::listener_base;

  void testRunStarting(const Catch::TestRunInfo&) override {
    if (!morph_runtime::requested()) return;
    test_list& tests = registered_tests(*m_config);
    if (in_rest) leave_only(tests, make_nothing(new do_nothing));
    if (in_test || in_rest) return;
    const test_list selected = Catch::filterTests(tests, m_config->testSpec(), *m_config);
    std::cout.flush();
    in_process = morph_runtime::requested_in_process();
    morph_runtime::start();
    if (in_process) {
      leave_wanted(tests);
      return;
    }
    // Not by number: Catch2 sets handlers of signals for each test, so that no process could be restored.
    for (const test_case& test : selected) {
      const char* const name = info_of(test).name.c_str();
      if (!morph_runtime::wanted(name)) continue;
      in_test = morph_runtime::run_test(name, morph_runtime::verdict_from::framework).in_test;
      if (!in_test) continue;
      leave_only(tests, test);
      return;
    }
    in_rest = morph_runtime::run_rest_of_main();
    if (in_rest) {
      leave_only(tests, make_nothing(new do_nothing));
      return;
    }
    morph_runtime::end_stream();
    _exit(0);
  }

  // Catch2 handles signals: it ends the test case and the run before it lets the signal end the process.
#if CATCH_VERSION_MAJOR >= 3
  void fatalErrorEncountered(Catch::StringRef) override {
    has_crashed = true;
  }
#else  // 2.13 does not pass that event on to listeners
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (stats.assertionResult.getResultType() == Catch::ResultWas::FatalErrorCondition) has_crashed = true;
    return false;
  }
#endif

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    if (in_process) morph_runtime::begin_here(name_of(test));
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (in_process)
      morph_runtime::end_here(name_of(stats.testInfo), stats.totals.assertions.failed != 0 ? morph_stream::failed
                                                       : all_skipped(stats.totals)         ? morph_stream::skipped
                                                                                           : morph_stream::passed);
    has_run = true;
    has_failed = stats.totals.assertions.failed != 0;  // what Catch2's exit status counts
    is_skipped = all_skipped(stats.totals);
  }

  // The end of main() is not for a test process, see morph_gtest.cpp.
  void testRunEnded(const Catch::TestRunStats&) override {
    if (in_process && !has_crashed) morph_runtime::end_stream();
    if (!in_test || !has_run || has_crashed) return;
    morph_runtime::set_verdict(has_failed   ? morph_stream::failed
                               : is_skipped ? morph_stream::skipped
                                            : morph_stream::passed);
    exit(has_failed ? 1 : 0);
  }
};

CATCH_REGISTER_LISTENER(test_per_process)

}  // namespace
