// What a compiler's own gcov says of files: GCC's in JSON and Clang's in its intermediate text, as the same values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::measuring {

/// The gcov beside a compiler such as `GNU 10.2.1`, or the llvm-cov beside one such as `Clang 15.0.6`, whether it is
/// there or not.
std::string gcov_beside(const std::string& compiler, const std::string& compiler_path);

/// Nothing if the gcov of the twin's compiler can be asked; else why not. Of Clang's it is tried, with the program that
/// the twin has for that, whether it sees functions that a callee left by exit() or by an exception.
result<void> check_gcov(const build::build_tree& twin);

struct shown_function {
  std::string symbol;
  std::uint32_t first_line, last_line;
  std::uint32_t end;  // behind all lines that may be its own; with Clang where the next one that is not local begins
  bool ran;
};
struct shown_file {
  std::string path;  // resolved
  std::vector<shown_function> functions;
  std::map<std::uint32_t, bool> lines;      // whether gcov calls it executed
  std::vector<std::uint32_t> more_lines{};  // that have code as well, ascending
};
using shown_files = std::vector<shown_file>;

struct gcov_question {
  std::string counters;  // a .gcda beside its notes, or the .gcno itself
  std::string notes;     // where the compiler wrote them, beside the object
};

/// Answers in the order of the questions; errors name the files.
std::vector<result<shown_files>> ask_gcov(const build::build_tree& twin, const std::vector<gcov_question>& questions);

}  // namespace morph::measuring
