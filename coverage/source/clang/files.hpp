// Which files are mutated, and where the originals of a mirrored tree are.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace morph::source {

/// As one file is called, however it was included: `tests/../include/a.hpp` is `include/a.hpp`.
std::string one_name(std::string_view path);

/// Of a file that Clang has read. Clang 18 and later have a FileEntryRef, earlier ones a pointer.
template <typename File>
std::string file_name(const File& file) {
  if constexpr (std::is_pointer_v<File>)
    return file->getName().str();
  else
    return file.getName().str();
}

/// A header or source of a test framework, by its name: `gtest/gtest.h`, `doctest.h`, `catch2/internal/x.hpp`. Of a
/// file in the project: from the project's folder.
bool is_framework_file(std::string_view path);

/// A file is mutated if it lies in `root`, and neither is nor lies in one of `except` (folders without a slash at the
/// end), and is no test framework's.
struct file_choice {
  std::string root;
  std::vector<std::string> except;

  bool contains(std::string_view path) const;
};

}  // namespace morph::source
