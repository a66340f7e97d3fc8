// How gtest_discover_tests() names the tests of GoogleTest, which is not the same with every CMake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::frameworks {

/// A test as a program of GoogleTest lists it.
struct gtest_test {
  std::string suite, name;            // for its filter: `Typed/0`, `DISABLED_Later`, `Five/1`
  std::string suite_line, name_line;  // in its text, with the comments behind them; no blanks around
  std::string value, type;            // of its parameter, in C++; empty without one
};

/// By Modules/GoogleTestAddTests.cmake of all releases from 3.25 to 4.4 and of CMake's head of August 2026.
struct gtest_naming {
  bool cuts_suites_at_any_slash = false;  // before 3.25.3: `My/Pattern/0` with a type is `My`, not `My/Pattern`
  bool joins_parts = false;               // from 4.2 on: of the program's JSON, else of its text
  bool replaces_any_value_name = false;   // 4.2.0 to 4.2.6, 4.3.0 to 4.3.3: also one that is no number
  bool strips_parts = false;              // from 4.5 on, and in its heads before: no line ends around them
};

/// `version`: CMAKE_VERSION, such as "4.3.0-rc1". One that cannot be read is 3.25.
gtest_naming gtest_naming_of(std::string_view version);

/// Without DISABLED_: `Suite.Test`, `Suite.Test<int>` for typed and `Suite.Test/value` for value-parameterized ones.
std::string ctest_name_of(const gtest_test& test, const gtest_naming& naming);

/// With every other CMake, as far as they differ from `name`.
std::vector<std::string> other_ctest_names_of(const gtest_test& test, const std::string& name);

}  // namespace morph::frameworks
