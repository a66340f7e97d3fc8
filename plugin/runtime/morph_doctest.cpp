// doctest adapter: a listener that runs each test case of the program in a process of its own. doctest >= 2.3.
//
// MORPH_DOCTEST_HEADER names the header that the program itself uses; without it the installed one is taken.
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <iostream>

#include "morph_capture.h"
#include "morph_doctest_end.h"
#include "morph_doctest_tests.h"

namespace {

bool in_test = false;
bool in_rest = false;
bool in_process = false;
const char* here = "";
bool has_run = false;
bool has_failed = false;
bool has_crashed = false;
registered_test* current = nullptr;
doctest::detail::funcType current_function = nullptr;

// doctest calls a test case once for each path through its subcases. In the supervisor this stands in for it.
void in_place_of_test() {
  const char* const name = name_of(*current);
  if (in_rest || !morph_runtime::wanted(name)) return;
  in_test = morph_runtime::run_test(name, morph_runtime::verdict_from::framework).in_test;
  if (!in_test) return;
  current->m_test = current_function;
  current_function();
}

class test_per_process : public doctest::IReporter {
 public:
  explicit test_per_process(const doctest::ContextOptions& options)
      : options_(const_cast<doctest::ContextOptions&>(options)) {}

  void test_run_start() override {
    if (in_test || in_rest) return;
    std::cout.flush();
    in_process = morph_runtime::requested_in_process();
    morph_runtime::count_between_tests();
    morph_runtime::start();
  }

  void test_case_start(const doctest::TestCaseData& test) override {
    if (in_test) return;
    if (in_process) {
      here = name_of(test);
      if (morph_runtime::wanted(here)) {
        morph_runtime::begin_here(here);
      } else {
        registered(test).m_test = do_nothing;
      }
      return;
    }
    current = &registered(test);
    if (current->m_test != in_place_of_test) current_function = current->m_test;
    current->m_test = in_place_of_test;
  }

  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (in_process) {
      if (morph_runtime::wanted(here))
        morph_runtime::end_here(here, is_success(stats, 0) ? morph_stream::passed : morph_stream::failed);
      return;
    }
    if (!in_test) {
      current->m_test = current_function;
      return;
    }
    has_run = true;
    has_failed = !is_success(stats, 0);
    options_.first = options_.last = 1;  // of those behind this one, none
  }

  // The end of main() is not for a test process, see morph_gtest.cpp.
  void test_run_end(const doctest::TestRunStats&) override {
    if (in_process && !has_crashed) morph_runtime::end_stream();
    if (in_process || in_rest || has_crashed) return;
    if (in_test) {
      if (has_run) morph_runtime::set_verdict(has_failed ? morph_stream::failed : morph_stream::passed);
      exit(has_failed ? 1 : 0);
    }
    in_rest = morph_runtime::run_rest_of_main();
    if (in_rest) return;
    morph_runtime::end_stream();
    _exit(0);
  }

  // doctest handles signals: it ends the test case and the run before it lets the signal end the process.
  void test_case_exception(const doctest::TestCaseException& exception) override {
    if (exception.is_crash) has_crashed = true;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  doctest::ContextOptions& options_;
};

// The listener of least priority: at the start of a run the program's own listeners come before it, and at its end too.
__attribute__((constructor)) void listen() {
  if (morph_runtime::requested()) doctest::registerReporter<test_per_process>("morph", INT_MIN, false);
}

}  // namespace
