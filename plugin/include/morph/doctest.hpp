// Specs in a program of doctest: a spec is a test case, each relation a subcase of it, and CHECK and REQUIRE inside
// relations count.
#pragma once

#if __has_include(<doctest/doctest.h>)
#include <doctest/doctest.h>
#else
#include "doctest.h"
#endif

#include <string>

#include "morph/generate.hpp"    // IWYU pragma: export
#include "morph/host.hpp"        // IWYU pragma: export
#include "morph/near.hpp"        // IWYU pragma: export
#include "morph/statistics.hpp"  // IWYU pragma: export

namespace morph::host_doctest {

inline std::uint64_t& failed_assertions() {
  static std::uint64_t number = 0;
  return number;
}
inline std::uint64_t number_of_failures() {
  return failed_assertions();
}

struct failure_counter : doctest::IReporter {
  explicit failure_counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& assertion) override {
    if (assertion.m_failed) ++failed_assertions();
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
inline const int failure_counter_is_there = doctest::registerReporter<failure_counter>("morph_spec", 1, false);

inline void run(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line) {
  hosted_spec of(name, make, file, line);
  for (std::size_t t = 0; t < of.tests().size(); ++t) {
    const std::string relation = of.tests()[t].name;
    DOCTEST_SUBCASE(relation.c_str()) {
      const std::string text = [&] {
        const host_guard counted(number_of_failures);
        return of.run(t, true);
      }();
      if (!of.warnings().empty()) DOCTEST_MESSAGE(of.warnings());
      if (!text.empty()) DOCTEST_FAIL_CHECK(text);
    }
  }
}

}  // namespace morph::host_doctest

#undef MORPH_SPEC
/// As in spec.hpp, for doctest.
#define MORPH_SPEC(NAME, IN, OUT, s)                                                                             \
  static void morph_spec_##NAME(morph::spec<IN, OUT>&);                                                          \
  DOCTEST_TEST_CASE(#NAME) {                                                                                     \
    morph::host_doctest::run(#NAME, &morph::detail::make_spec<IN, OUT, &morph_spec_##NAME>, __FILE__, __LINE__); \
  }                                                                                                              \
  static void morph_spec_##NAME([[maybe_unused]] morph::spec<IN, OUT>& s)
