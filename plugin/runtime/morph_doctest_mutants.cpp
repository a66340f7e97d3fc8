// doctest adapter for program mutants: a listener that serves them where the first test would run.
#include <limits.h>

#include "morph_doctest_tests.h"
#include "morph_serve.h"

namespace {

class tests_of_mutants : public doctest::IReporter {
 public:
  explicit tests_of_mutants(const doctest::ContextOptions&) {}

  void test_run_start() override { morph_runtime::serve_mutants_of_offered_tests(); }

  void test_case_start(const doctest::TestCaseData& test) override {
    runs_ = morph_runtime::was_offered(name_of(test), text_of(test.m_file), test.m_line);
    if (!runs_) registered(test).m_test = do_nothing;
    may_fail_ = test.m_may_fail || test.m_should_fail || test.m_expected_failures != 0;
  }

  void log_assert(const doctest::AssertData& assertion) override {
    const bool warns = (assertion.m_at & doctest::assertType::is_warn) != 0;
    if (runs_ && !may_fail_ && !has_crashed_ && assertion.m_failed && !warns) morph_runtime::test_failed();
  }

  // doctest handles signals: it ends the test case and the run before it lets the signal end the process.
  void test_case_exception(const doctest::TestCaseException& exception) override {
    if (exception.is_crash) has_crashed_ = true;
  }

  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (runs_ && !has_crashed_ && !is_success(stats, 0)) morph_runtime::test_failed();
  }

  void test_run_end(const doctest::TestRunStats&) override {
    if (!has_crashed_) morph_runtime::tests_passed();
  }

  void report_query(const doctest::QueryData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  // Before 2.4.7 it is a plain one.
  static const char* text_of(const char* text) { return text; }
  static const char* text_of(const doctest::String& text) { return text.c_str(); }

  bool runs_ = false;
  bool may_fail_ = false;
  bool has_crashed_ = false;
};

// The listener of least priority, see morph_doctest.cpp.
__attribute__((constructor)) void listen() {
  if (morph_runtime::serves_mutants()) doctest::registerReporter<tests_of_mutants>("morph", INT_MIN, false);
}

}  // namespace
