// GoogleTest's tests and which of them it runs, for adapters. GoogleTest >= 1.8.1.
//
// GoogleTest applies its filter before listeners hear of anything, and has no public way to choose a test afterwards. A
// second UnitTest::Run() inside the first would filter all tests again in each process, and call the user's listeners
// twice. An explicit instantiation may name private members; these are in every version from 1.8.1 to 1.18.
#ifndef MORPH_RUNTIME_GTEST_TESTS_H
#define MORPH_RUNTIME_GTEST_TESTS_H

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

namespace {

#ifdef INSTANTIATE_TEST_SUITE_P  // since 1.10
typedef testing::TestSuite test_suite;
inline int suite_count(const testing::UnitTest& program) {
  return program.total_test_suite_count();
}
inline const test_suite* suite_at(const testing::UnitTest& program, int i) {
  return program.GetTestSuite(i);
}
#else
typedef testing::TestCase test_suite;
inline int suite_count(const testing::UnitTest& program) {
  return program.total_test_case_count();
}
inline const test_suite* suite_at(const testing::UnitTest& program, int i) {
  return program.GetTestCase(i);
}
#endif

inline bool is_skipped(const testing::TestInfo& test) {
#ifdef GTEST_SKIP  // since 1.10
  return test.result()->Skipped();
#else
  return static_cast<void>(test), false;
#endif
}

// What Morph has set so that GoogleTest tells of failures alone: tests are not to see it.
inline void forget_silence() {
  const char* const value = getenv("GTEST_BRIEF");
  if (value != nullptr && strcmp(value, "morph") == 0) unsetenv("GTEST_BRIEF");
}

typedef std::vector<testing::TestInfo*> test_list;
typedef std::vector<int> index_list;

bool& should_run(testing::TestInfo& test);
bool& should_run(test_suite& suite);
test_list& tests_of(test_suite& suite);
index_list& indices_of(test_suite& suite);

template <typename Owner, bool Owner::*Flag>
struct should_run_of {
  friend bool& should_run(Owner& owner) { return owner.*Flag; }
};

template <test_list test_suite::*Tests, index_list test_suite::*Indices>
struct lists_of {
  friend test_list& tests_of(test_suite& suite) { return suite.*Tests; }
  friend index_list& indices_of(test_suite& suite) { return suite.*Indices; }
};

template struct should_run_of<testing::TestInfo, &testing::TestInfo::should_run_>;
template struct should_run_of<test_suite, &test_suite::should_run_>;
template struct lists_of<&test_suite::test_info_list_, &test_suite::test_indices_>;

}  // namespace

#endif
