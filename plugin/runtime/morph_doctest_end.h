// doctest's listener of its end, see morph_end.h.
#ifndef MORPH_RUNTIME_DOCTEST_END_H
#define MORPH_RUNTIME_DOCTEST_END_H

#include <limits.h>

#include "morph_doctest_tests.h"
#include "morph_end.h"

namespace {

class end_teller : public doctest::IReporter {
 public:
  explicit end_teller(const doctest::ContextOptions&) {}

  void test_run_end(const doctest::TestRunStats&) override { morph_runtime::tell_end(); }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

__attribute__((constructor)) void listen_to_end() {
  if (morph_runtime::is_end_awaited()) doctest::registerReporter<end_teller>("morph_end", INT_MIN, false);
}

}  // namespace

#endif
