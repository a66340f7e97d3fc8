// POSIX extended regular expressions on text of any length.
#pragma once

#include <memory>
#include <optional>
#include <string>

struct re_pattern_buffer;

namespace morph::system {

/// regcomp() and regexec() of the C library: libstdc++'s std::regex recurses once a character and overflows the stack
/// on some hundred kilobytes of output.
class pattern {
 public:
  /// Nothing for an expression that is not one.
  static std::optional<pattern> compile(const std::string& expression);

  /// Whether it matches anywhere in the text. `.` matches newlines, `^` and `$` are the text's ends.
  bool occurs_in(const std::string& text) const;

 private:
  std::shared_ptr<re_pattern_buffer> compiled_;
};

}  // namespace morph::system
