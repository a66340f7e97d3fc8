// What projects whose tests are written with Catch2, doctest or Boost.Test have in common.
#pragma once

#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {

struct test_framework {
  std::string name;       // FRAMEWORK
  std::string package;    // of find_package()
  std::string with_main;  // the target that a program with main() links
  std::string preamble;   // the top of a source: the macros TEST_CASE, SECTION, FIXTURE_CASE, TYPED_CASE, SHOULD_FAIL
  std::string discovery;  // the command of its own CMake module, after its include(); empty without one
  names configuring;      // for cmake
};

/// "catch2_2", "catch2_3", "doctest" or "boost". Nothing if it is not installed: version 3 of Catch2 is looked for in
/// MORPH_CATCH2_3_DIR (a prefix) and /usr/local.
std::optional<test_framework> find_test_framework(const std::string& which);

/// What the framework makes of the name of a case.
std::string name_in(const test_framework& framework, std::string name);

/// Tests for each framework; those of a framework that is not installed are skipped.
class each_framework : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = find_test_framework(GetParam());
    if (!found) GTEST_SKIP() << GetParam() << " is not installed here";
    framework = *found;
  }
  bool is(const char* which) const { return GetParam() == std::string(which); }

  test_framework framework;
};

#define MORPH_FOR_EACH_FRAMEWORK(tests)                                                            \
  INSTANTIATE_TEST_SUITE_P(of, tests, testing::Values("catch2_2", "catch2_3", "doctest", "boost"), \
                           [](const testing::TestParamInfo<const char*>& which) { return std::string(which.param); })

}  // namespace morph::end_to_end
