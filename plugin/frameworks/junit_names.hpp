// Whose verdict a JUnit case is: from a report's names to ctest's.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugin/frameworks/junit.hpp"

namespace morph::frameworks {

/// A test as its program and ctest call it.
struct known_test {
  std::string case_name;
  std::string name;
};

struct matched_verdicts {
  struct verdict {
    std::string name;  // ctest's
    bool failed = false;
    double seconds = 0;
  };
  std::vector<verdict> verdicts;    // a test that was tried again may have both
  std::set<std::string> unknown;    // no test of the build tree has this name
  std::set<std::string> ambiguous;  // several have it: a failure counts for all of them, a success for none
};

/// A report's case is the test with its name, or with `classname.name`, as ctest or, if only one does, as the program
/// calls it; or the test of which it is a section (`case/section`: Catch2, doctest). The sections of a test are one
/// verdict. What no test is called keeps both its names: the programs may not be built here.
matched_verdicts match_names(const std::vector<junit_case>& report, const std::vector<known_test>& tests);

}  // namespace morph::frameworks
