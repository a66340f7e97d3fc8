// What compilers, assemblers and linkers say about errors, where they are and what led there, and about their own
// crashes; and what a build says about the steps that failed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace morph::mutation {

/// From 1, as compilers count them; a column of 0 is not known.
struct message_place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const message_place&) const = default;
};

struct compiler_error {
  std::string text{};  // "impossible constraint in 'asm'"
  /// Where it is, and then what led there: who asked for a template, who called an inlined function, which macro it
  /// stands in. None: "Killed signal terminated program cc1plus".
  std::vector<message_place> places{};
  std::vector<std::string> functions{};  // in which it is, as the message names them
  bool is_crash = false;                 // of the compiler; an optimizer has no place in its function
};
std::vector<compiler_error> read_errors(std::string_view messages);

/// Of each error of GCC or Clang its place, and then those that led to it, as the compiler lists them.
std::vector<std::vector<message_place>> errors_in(const std::string& messages);

/// Where compilers were when they crashed. No more than the function can be relied on: an optimizer has no place in it.
std::vector<message_place> crashes_in(const std::string& messages);

/// A step of a build that failed.
struct failed_step {
  std::string output{};   // an object, a program; empty if the build does not say
  std::string command{};  // Ninja's; of Makefiles the folder of the target's rules
  std::string text{};     // what it said
};
/// By what Ninja and Makefiles write; of another build system, all of it is one step.
std::vector<failed_step> failed_steps_in(std::string_view log);

}  // namespace morph::mutation
