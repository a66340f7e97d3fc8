// GoogleTest adapter: a listener that runs each test of the program in a process of its own. GoogleTest >= 1.8.1.
#include <stdlib.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "morph_capture.h"
#include "morph_gtest_end.h"
#include "morph_gtest_tests.h"

namespace {

struct selected_test {
  std::string name;
  test_suite* suite;
  testing::TestInfo* test;
};

// What the lists of a suite held.
struct forgotten_suite {
  test_list tests;
  index_list indices;
};

// Never freed: that would touch their pages in each process. Not members of the listener, which GoogleTest deletes:
// they would be leaks, and so would the tests that it has forgotten.
__attribute__((used)) test_list* every_test = nullptr;
__attribute__((used)) std::vector<selected_test>* selected_tests = nullptr;
__attribute__((used)) forgotten_suite* forgotten = nullptr;  // the next one, with room for all suites

// All tests that are wanted; none runs by itself then.
std::vector<selected_test> take_tests(const testing::UnitTest& program) {
  every_test = new test_list;
  forgotten = new forgotten_suite[static_cast<size_t>(suite_count(program)) + 1];
  std::vector<selected_test> tests;
  for (int s = 0; s < suite_count(program); ++s) {
    test_suite* const suite = const_cast<test_suite*>(suite_at(program, s));
    for (testing::TestInfo* const test : tests_of(*suite)) {
      const std::string name = std::string(suite->name()) + '.' + test->name();
      if (should_run(*test) && morph_runtime::wanted(name.c_str())) tests.push_back(selected_test{name, suite, test});
      should_run(*test) = false;
      every_test->push_back(test);
    }
    should_run(*suite) = false;
  }
  return tests;
}

// Leaves those that are wanted to GoogleTest.
void choose_tests(const testing::UnitTest& program) {
  for (int s = 0; s < suite_count(program); ++s) {
    test_suite* const suite = const_cast<test_suite*>(suite_at(program, s));
    bool any = false;
    for (testing::TestInfo* const test : tests_of(*suite)) {
      const std::string name = std::string(suite->name()) + '.' + test->name();
      should_run(*test) = should_run(*test) && morph_runtime::wanted(name.c_str());
      any = any || should_run(*test);
    }
    should_run(*suite) = any;
  }
}

// At the end of a test's process: to count, sort and destroy a thousand tests of which one ran is much of its work.
// Even to free their lists would be to write to as many pages.
void forget_tests(test_suite* suite) {
  forgotten_suite& from_now_on = *forgotten++;
  tests_of(*suite).swap(from_now_on.tests);
  indices_of(*suite).swap(from_now_on.indices);
}

void forget_tests_beside(const testing::UnitTest& program, const test_suite* suite) {
  for (int s = 0; s < suite_count(program); ++s)
    if (suite_at(program, s) != suite) forget_tests(const_cast<test_suite*>(suite_at(program, s)));
}

class test_per_process : public testing::EmptyTestEventListener {
 public:
  // Behind what GoogleTest does with every test before it runs one, and behind what listeners do once for all.
  void OnTestIterationStart(const testing::UnitTest& program, int) override {
    if (in_test_ || in_rest_ || in_process_) return;
    forget_silence();
    in_process_ = morph_runtime::requested_in_process();
    if (in_process_) {
      choose_tests(program);
      morph_runtime::start();
      return;
    }
    selected_tests = new std::vector<selected_test>(take_tests(program));
    const std::vector<selected_test>& tests = *selected_tests;
    std::vector<size_t> order(tests.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::cout.flush();
    morph_runtime::start();
    for (size_t i = 0; i < order.size(); ++i) {
      std::swap(order[i], order[i + morph_runtime::next_of(order.size() - i)]);
      const morph_runtime::turn now = morph_runtime::run_numbered_test(tests[order[i]].name.c_str(), order[i]);
      if (!now.in_test) continue;
      const selected_test& selected = tests[now.number];
      should_run(*selected.test) = should_run(*selected.suite) = true;
      ran_ = selected.suite;
      in_test_ = true;
      return;
    }
    in_rest_ = morph_runtime::run_rest_of_main();
    if (in_rest_) return;
    morph_runtime::end_stream();
    _exit(0);
  }

  void OnTestStart(const testing::TestInfo& test) override {
    has_run_ = true;
    if (!in_process_) return;
    const std::string suite = test.test_case_name();
    if (suite != suite_) morph_runtime::between_tests_here();  // the end of one, the set-up of the other
    suite_ = suite;
    morph_runtime::begin_here((suite_ + '.' + test.name()).c_str());
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    skipped_ = is_skipped(test);
    if (!in_process_) return;
    morph_runtime::end_here((suite_ + '.' + test.name()).c_str(), test.result()->Failed() ? morph_stream::failed
                                                                  : skipped_              ? morph_stream::skipped
                                                                                          : morph_stream::passed);
  }

  // GoogleTest's own printer comes after this.
  void OnTestIterationEnd(const testing::UnitTest& program, int) override {
    if (!in_test_) return;
    has_failed_ = program.Failed();
    forget_tests_beside(program, ran_);
  }

  // The end of main() is not for a test process: it would remove what the beginning of main(), which ran once, has set
  // up for all tests. It has a process of its own, after them. Ends of listeners come in reverse order, so those that
  // main() added are over.
  void OnTestProgramEnd(const testing::UnitTest& program) override {
    if (in_process_) {
      morph_runtime::between_tests_here();
      morph_runtime::end_stream();
    }
    if (!in_test_) return;
    has_failed_ = has_failed_ || program.Failed();
    morph_runtime::set_verdict(has_failed_             ? morph_stream::failed
                               : !has_run_ || skipped_ ? morph_stream::skipped
                                                       : morph_stream::passed);
    forget_tests(ran_);
    exit(has_failed_ ? 1 : 0);
  }

 private:
  test_suite* ran_ = nullptr;
  bool has_run_ = false;
  bool has_failed_ = false;
  bool skipped_ = false;
  bool in_test_ = false;
  bool in_rest_ = false;
  bool in_process_ = false;
  std::string suite_;
};

__attribute__((constructor)) void listen() {
  if (morph_runtime::requested()) testing::UnitTest::GetInstance()->listeners().Append(new test_per_process);
}

}  // namespace
