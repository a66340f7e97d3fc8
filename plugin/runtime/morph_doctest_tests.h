// doctest's test cases, for adapters. doctest >= 2.3.
//
// MORPH_DOCTEST_HEADER names the header that the program itself uses; without it the installed one is taken.
#ifndef MORPH_RUNTIME_DOCTEST_TESTS_H
#define MORPH_RUNTIME_DOCTEST_TESTS_H

#ifdef MORPH_DOCTEST_HEADER
#include MORPH_DOCTEST_HEADER
#elif defined __has_include
#if __has_include(<doctest/doctest.h>)
#include <doctest/doctest.h>
#else
#include "doctest.h"
#endif
#endif

namespace {

typedef doctest::detail::TestCase registered_test;

// What doctest tells its reporters of is the test case itself, whose function it is going to call.
inline registered_test& registered(const doctest::TestCaseData& test) {
  return const_cast<registered_test&>(static_cast<const registered_test&>(test));
}

// As in the listing.
inline const char* name_of(const doctest::TestCaseData& test) {
  return *test.m_name != 0 ? test.m_name : "(no name)";
}

inline void do_nothing() {}

template <typename Stats>
auto is_success(const Stats& stats, int) -> decltype(stats.testCaseSuccess) {
  return stats.testCaseSuccess;
}

// Before 2.4.0.
template <typename Stats>
bool is_success(const Stats& stats, long) {
  using namespace doctest::TestCaseFailureReason;
  return stats.failure_flags == None ||
         (stats.failure_flags & (ShouldHaveFailedAndDid | FailedExactlyNumTimes | CouldHaveFailedAndDid)) != 0;
}

}  // namespace

#endif
