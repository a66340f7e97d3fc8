// Classification of paths.
#include "plugin/selection/file_kind.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "plugin/system/files.hpp"

namespace morph::selection {
namespace {

constexpr std::array<std::string_view, 29> source_extensions{
    ".c",   ".cc",  ".cpp", ".cxx", ".c++",  ".C",   ".h",    ".hh",   ".hpp", ".hxx",
    ".h++", ".H",   ".inl", ".ipp", ".tpp",  ".tcc", ".txx",  ".inc",  ".def", ".ixx",
    ".cu",  ".cuh", ".m",   ".mm",  ".cppm", ".ccm", ".cxxm", ".c++m", ".mpp"};

constexpr std::array<std::string_view, 8> build_files{
    "CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json",   "conanfile.txt", "conanfile.py",
    "conan.lock",     "vcpkg.json",        "vcpkg-configuration.json"};

}  // namespace

const std::vector<std::string>& default_ignored() {
  static const std::vector<std::string> patterns = {
      "*.md",          "*.rst",     "LICENSE*",   "LICENCE*",     "COPYING*",       "AUTHORS*",      "CONTRIBUTORS*",
      "CHANGELOG*",    "NEWS*",     "THANKS*",    "TODO*",        "README*",        "/docs/",        "/doc/",
      ".github/",      ".gitlab/",  ".circleci/", ".gitignore",   ".gitattributes", ".clang-format", ".clang-tidy",
      ".editorconfig", ".mailmap",  ".vscode/",   ".idea/",       ".gitlab-ci.yml", ".travis.yml",   "appveyor.yml",
      "Jenkinsfile",   "*.bazel",   "WORKSPACE",  "*.bazel.lock", "*.bzl",          ".bazelrc",      ".bazelversion",
      "meson.build",   "*.vcxproj", "*.sln",      "Doxyfile*"};
  return patterns;
}

file_kinds::file_kinds(std::filesystem::path root, std::vector<std::string> ignored)
    : root_(std::move(root)), ignored_(std::move(ignored)) {}

file_kind file_kinds::kind_of(const std::string& path) const {
  const auto is_in = [&](const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) { return system::matches_glob(p, path); });
  };
  if (is_in(ignored_)) return file_kind::ignored;
  const std::filesystem::path as_path(path);
  const std::string name = as_path.filename().string();
  if (std::find(build_files.begin(), build_files.end(), name) != build_files.end() || as_path.extension() == ".cmake")
    return file_kind::build;
  if (std::find(source_extensions.begin(), source_extensions.end(), as_path.extension().string()) !=
      source_extensions.end())
    return file_kind::source;
  return ignored_.empty() && is_in(default_ignored()) ? file_kind::ignored : file_kind::unknown;
}

bool file_kinds::in_build_tree(const std::string& path) const {
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    const auto [at, added] = build_folders_.try_emplace(folder, false);
    if (added) {
      std::error_code error;
      at->second = std::filesystem::exists(root_ / folder / "CMakeCache.txt", error);
    }
    if (at->second) return true;
  }
  return false;
}

bool file_kinds::counts_untracked(const std::string& path) const {
  const file_kind kind = kind_of(path);
  return (kind == file_kind::source || kind == file_kind::build) && !in_build_tree(path);
}

}  // namespace morph::selection
