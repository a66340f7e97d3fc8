// Numbers with what they count, as people read them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace morph::system {

/// "1 test", "2 tests", "0 tests". `many`: of a word that takes more than an s.
template <std::integral Number>
std::string counted(Number number, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(number) + ' ';
  if (number == 1 || many.empty())
    text += one;
  else
    text += many;
  if (number != 1 && many.empty()) text += 's';
  return text;
}

}  // namespace morph::system
