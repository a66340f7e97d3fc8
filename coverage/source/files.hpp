// Which files are mutated, and where the originals of a mirrored tree are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::source {

/// As one file is called, however it was included: `tests/../include/a.hpp` is `include/a.hpp`.
std::string one_name(std::string_view path);

/// A file is mutated if it lies in `root`, and neither is nor lies in one of `except`; folders without a slash at the
/// end.
struct file_choice {
  std::string root;
  std::vector<std::string> except;

  bool contains(std::string_view path) const;
};

}  // namespace morph::source
