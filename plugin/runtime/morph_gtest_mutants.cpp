// GoogleTest adapter for program mutants: a listener that serves them where the first test would run.
#include <string>

#include "morph_gtest_tests.h"
#include "morph_serve.h"

namespace {

struct known_suite {
  test_suite* suite;
  bool is_chosen;
};
struct known_test {
  size_t suite;
  testing::TestInfo* test;
  bool is_chosen;
};

std::string place_of(const testing::TestInfo& test) {
#ifdef INSTANTIATE_TEST_SUITE_P  // since 1.10
  return std::string(test.file()) + ":" + std::to_string(test.line());
#else
  return static_cast<void>(test), std::string();
#endif
}

// Never freed: that would touch their pages in each process.
std::vector<known_test>* known = nullptr;
std::vector<known_suite>* suites = nullptr;

// Pages that each process would have to copy are written here, and as few of them as possible.
void choose(const uint32_t* tests, size_t count) {
  for (known_test& each : *known) each.is_chosen = false;
  for (known_suite& each : *suites) each.is_chosen = false;
  for (size_t i = 0; i < count; ++i)
    (*known)[tests[i]].is_chosen = (*suites)[(*known)[tests[i]].suite].is_chosen = true;
  for (const known_test& each : *known)
    if (should_run(*each.test) != each.is_chosen) should_run(*each.test) = each.is_chosen;
  for (const known_suite& each : *suites)
    if (should_run(*each.suite) != each.is_chosen) should_run(*each.suite) = each.is_chosen;
}

class tests_of_mutants : public testing::EmptyTestEventListener {
 public:
  void OnTestIterationStart(const testing::UnitTest& program, int) override {
    if (known != nullptr) return;
    forget_silence();
    known = new std::vector<known_test>;
    suites = new std::vector<known_suite>;
    std::string names, places;
    for (int s = 0; s < suite_count(program); ++s) {
      test_suite* const suite = const_cast<test_suite*>(suite_at(program, s));
      for (testing::TestInfo* const test : tests_of(*suite)) {
        if (should_run(*test)) {
          known->push_back(known_test{suites->size(), test, false});
          names.append(suite->name()).append(".").append(test->name()).push_back('\0');
          places.append(place_of(*test)).push_back('\0');
        }
        should_run(*test) = false;
      }
      should_run(*suite) = false;
      suites->push_back(known_suite{suite, false});
    }
    morph_runtime::serve_mutants(names.data(), names.size(), places.data(), places.size(),
                                 static_cast<uint32_t>(known->size()), choose);
    chosen_ = morph_runtime::chosen_tests(&count_);
  }

  // Verdicts on tests that come in another order each time would not be the same twice.
  void OnTestProgramStart(const testing::UnitTest&) override { testing::GTEST_FLAG(shuffle) = false; }

  // Nobody reads what it prints, and that is much of the time of a test that fails. The next listener in the list does
  // not hear of this event.
  void OnEnvironmentsSetUpStart(const testing::UnitTest&) override {
    testing::TestEventListeners& all = testing::UnitTest::GetInstance()->listeners();
    all.Release(all.default_result_printer());
  }

  void OnTestStart(const testing::TestInfo& test) override {
    for (size_t tried = 0; tried < count_; ++tried) {
      const uint32_t number = chosen_[next_++ % count_];  // most run in their order
      if ((*known)[number].test == &test) return morph_runtime::test_begins(number);
    }
  }

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) morph_runtime::test_failed();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Failed()) morph_runtime::test_failed();
    if (is_skipped(test)) morph_runtime::test_was_skipped();
  }

  void OnTestIterationEnd(const testing::UnitTest& program, int) override {
    if (program.Failed() && !morph_runtime::a_test_has_failed()) morph_runtime::test_failed();
    morph_runtime::tests_passed();
  }

 private:
  const uint32_t* chosen_ = nullptr;
  size_t count_ = 0;
  size_t next_ = 0;
};

__attribute__((constructor)) void listen() {
  if (!morph_runtime::serves_mutants()) return;
  testing::TestEventListeners& all = testing::UnitTest::GetInstance()->listeners();
  all.Append(new tests_of_mutants);
  all.Append(new testing::EmptyTestEventListener);  // the next one
}

}  // namespace
