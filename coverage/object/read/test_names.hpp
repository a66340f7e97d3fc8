// Symbols of tests renamed, so that their names hold no number that a new test changes.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "coverage/object/read/test_numbers.hpp"

namespace morph::object {

struct cut_object;

struct test_names {
  std::optional<test_numbers> numbers;                 // none: nothing is numbered
  std::map<std::uint32_t, std::string_view> compiled;  // of symbols that got a new name: that of the compiler
  std::deque<std::string> kept;                        // the new ones
};

/// Gives the symbols and groups of the object new names, once its code is cut and swept.
test_names name_tests(cut_object& cut);

}  // namespace morph::object
