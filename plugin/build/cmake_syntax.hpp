// CMake code as text: its commands with arguments, places and enclosing blocks. Nothing is evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/system/result.hpp"

namespace morph::build {

struct cmake_argument {
  std::string text;       // escape sequences resolved, variables left as they stand
  bool literal = true;    // false: it refers to variables or is a generator expression
  std::size_t begin = 0;  // of its spelling in the file, quotes included
  std::size_t end = 0;
};

/// A block that a command stands in: the command that opened it and how many elseif() and else() came since.
struct cmake_block {
  std::size_t opener = 0;  // index among the file's commands
  unsigned branch = 0;
  bool operator==(const cmake_block&) const = default;
};

struct cmake_command {
  std::string name;  // in lower case
  std::vector<cmake_argument> arguments;
  std::size_t begin = 0;  // of its name
  std::size_t end = 0;    // behind its closing parenthesis
  std::uint32_t line = 0;
  std::vector<cmake_block> blocks;  // outermost first
};

/// All commands in order. The error names the line that is not CMake's grammar.
result<std::vector<cmake_command>> parse_cmake(std::string_view text);

}  // namespace morph::build
