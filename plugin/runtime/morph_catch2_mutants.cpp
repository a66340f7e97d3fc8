// Catch2 adapter for program mutants: a listener that serves them where the first test would run.
#include <string>

#include "morph_catch2_tests.h"
#include "morph_serve.h"

namespace {

std::vector<const Catch::TestCaseInfo*>* known = nullptr;  // of the test cases that are served
bool has_crashed = false;
bool may_fail = false;

class tests_of_mutants : public listener_base {
 public:
  using listener_base::listener_base;

  void testRunStarting(const Catch::TestRunInfo&) override {
    if (!morph_runtime::serves_mutants()) return;
    test_list& tests = registered_tests(*m_config);
    const test_list* const selected = new test_list(
        Catch::filterTests(tests, m_config->testSpec(), *m_config));  // never freed, as those of GoogleTest
    known = new std::vector<const Catch::TestCaseInfo*>;
    std::string names, places;
    for (const test_case& test : *selected) {
      known->push_back(&info_of(test));
      names.append(info_of(test).name).push_back('\0');
      const Catch::SourceLineInfo& place = info_of(test).lineInfo;
      places.append(place.file).append(":").append(std::to_string(place.line)).push_back('\0');
    }
    morph_runtime::serve_mutants(names.data(), names.size(), places.data(), places.size(),
                                 static_cast<uint32_t>(selected->size()));
    size_t count;
    const uint32_t* const chosen = morph_runtime::chosen_tests(&count);
    test_list* const left = new test_list;
    for (size_t i = 0; i < count; ++i) left->push_back((*selected)[chosen[i]]);
    left->swap(tests);
  }

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    if (known == nullptr) return;
    may_fail = test.okToFail();
    for (size_t i = 0; i < known->size(); ++i)
      if ((*known)[i] == &test || (*known)[i]->name == test.name)
        return morph_runtime::test_begins(static_cast<uint32_t>(i));
  }

  // Catch2 handles signals: it ends the test case before it lets the signal end the process.
#if CATCH_VERSION_MAJOR >= 3
  void fatalErrorEncountered(Catch::StringRef) override {
    has_crashed = true;
  }
  void assertionEnded(const Catch::AssertionStats& stats) override {
    look_at(stats);
  }
#else
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    if (stats.assertionResult.getResultType() == Catch::ResultWas::FatalErrorCondition) has_crashed = true;
    look_at(stats);
    return false;
  }
#endif

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (known == nullptr || has_crashed) return;
    if (stats.totals.assertions.failed != 0 || stats.totals.testCases.failed != 0) morph_runtime::test_failed();
    if (all_skipped(stats.totals)) morph_runtime::test_was_skipped();
  }

  void testRunEnded(const Catch::TestRunStats&) override {
    if (known != nullptr && !has_crashed) morph_runtime::tests_passed();
  }

 private:
  static void look_at(const Catch::AssertionStats& stats) {
    if (known != nullptr && !has_crashed && !may_fail && !stats.assertionResult.isOk()) morph_runtime::test_failed();
  }
};

CATCH_REGISTER_LISTENER(tests_of_mutants)

}  // namespace
