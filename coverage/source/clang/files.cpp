// Frameworks' files, folders, and names of mirrored files.
#include "coverage/source/clang/files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 9> framework_files{
    "catch.hpp",     "catch_amalgamated.hpp", "catch_amalgamated.cpp", "doctest.h",   "doctest.hpp",
    "doctest_fwd.h", "doctest.cpp",           "gtest-all.cc",          "gmock-all.cc"};
constexpr std::array<std::string_view, 4> framework_folders{"gtest", "gmock", "catch2", "doctest"};
/// Below these.
constexpr std::array<std::string_view, 11> inner_folders{"internal",   "custom",    "matchers",  "generators",
                                                         "interfaces", "reporters", "benchmark", "detail",
                                                         "extensions", "parts",     "gmock"};

template <std::size_t Count>
bool is_among(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::ranges::find(words, word) != words.end();
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

std::string one_name(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}

bool is_framework_file(std::string_view path) {
  const auto last_of = [](std::string_view of) { return of.substr(of.rfind('/') + 1); };  // npos + 1 is 0
  if (is_among(last_of(path), framework_files)) return true;
  while (true) {
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos) return false;
    path = path.substr(0, slash);
    if (is_among(last_of(path), framework_folders)) return true;
    if (!is_among(last_of(path), inner_folders)) return false;
  }
}

bool file_choice::contains(std::string_view path) const {
  if (!lies_in(path, root)) return false;
  for (const std::string& each : except)
    if (path == each || lies_in(path, each)) return false;
  return !is_framework_file(path.substr(root.size() + 1));
}

}  // namespace morph::source
