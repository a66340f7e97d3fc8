#include "coverage/source/clang/files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

namespace morph::source {
namespace {

using names = std::string_view[];

/// Where the headers and sources of a framework are.
struct framework_place {
  std::span<const std::string_view> files;    // that have these names anywhere
  std::span<const std::string_view> folders;  // all of it
  std::span<const std::string_view> inner;    // folders below these that are its, too
};

constexpr names gtest_files{"gtest-all.cc", "gmock-all.cc"};
constexpr names gtest_folders{"gtest", "gmock"};
constexpr names gtest_inner{"internal", "custom"};
constexpr names catch2_files{"catch.hpp", "catch_amalgamated.hpp", "catch_amalgamated.cpp"};
constexpr names catch2_folders{"catch2"};
constexpr names catch2_inner{"internal", "matchers", "generators", "interfaces", "reporters", "benchmark", "detail"};
constexpr names doctest_files{"doctest.h", "doctest.hpp", "doctest_fwd.h", "doctest.cpp"};
constexpr names doctest_folders{"doctest"};
constexpr names doctest_inner{"extensions", "parts"};
constexpr names boost_folders{"boost/test"};
constexpr names boost_inner{"data",   "detail",  "impl",  "included", "monomorphic",
                            "output", "runtime", "tools", "tree",     "utils"};
constexpr std::array framework_places{framework_place{gtest_files, gtest_folders, gtest_inner},
                                      framework_place{catch2_files, catch2_folders, catch2_inner},
                                      framework_place{doctest_files, doctest_folders, doctest_inner},
                                      framework_place{{}, boost_folders, boost_inner}};

bool is_among(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string_view last_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// A folder's path ends in one of those.
bool ends_in(std::string_view path, std::span<const std::string_view> folders) {
  return std::ranges::any_of(folders, [&](std::string_view folder) {
    return path.ends_with(folder) && (path.size() == folder.size() || path[path.size() - folder.size() - 1] == '/');
  });
}

bool is_of(std::string_view path, const framework_place& framework) {
  if (is_among(last_of(path), framework.files)) return true;
  while (true) {
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos) return false;
    path = path.substr(0, slash);
    if (ends_in(path, framework.folders)) return true;
    if (!is_among(last_of(path), framework.inner)) return false;
  }
}

bool lies_in(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

std::string one_name(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}

bool is_framework_file(std::string_view path) {
  return std::ranges::any_of(framework_places, [&](const framework_place& each) { return is_of(path, each); });
}

bool file_choice::contains(std::string_view path) const {
  if (!lies_in(path, root)) return false;
  for (const std::string& each : except)
    if (path == each || lies_in(path, each)) return false;
  return !is_framework_file(path.substr(root.size() + 1));
}

}  // namespace morph::source
