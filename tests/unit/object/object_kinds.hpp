// Kinds of change: a program before and after, and which of its functions a comparison must find. t1() is affected,
// t2() is not.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {

struct kind {
  std::string name;
  std::string before, after;
  std::set<std::string> some_of;  // at least one of these is changed
  std::set<std::string> none_of;  // none of these is
  bool everything = false;        // what runs before main() is changed
  sources more_before = {}, more_after = {};
  std::string flags_before = {}, flags_after = {};
};

/// What each of their sources begins with.
inline const std::string keep = "#define KEEP __attribute__((noinline))\n";

std::vector<kind> kinds();

}  // namespace morph::object_tests
