// What conditions compare with: the values at whose borders code does something else.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/source_reader/header_functions.hpp"

namespace morph::source_reader {

struct constant {
  enum class kind : std::uint8_t { number, character, text } is = kind::number;
  std::int64_t number = 0;  // of a character: its code
  std::string text{};       // of a text, without escapes

  auto operator<=>(const constant&) const = default;
};

/// The numbers, characters and texts that stand in a condition, in their order. Real numbers and texts with escapes are
/// left out.
std::vector<constant> constants_in(const std::string& condition);

/// Those in the conditions and `switch`es of the functions of that name, each once; none where Clang cannot read them.
std::vector<constant> ask_constants(const function_sources& of);

}  // namespace morph::source_reader
