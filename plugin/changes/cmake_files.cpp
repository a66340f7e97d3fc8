// Searches commands of CMake for names and globs of files.
#include "plugin/changes/cmake_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "plugin/build/ninja_graph.hpp"
#include "plugin/system/files.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;
using selection::file_kind;

/// Its last part; a variable may be anything.
std::string pattern_of(const std::string& text) {
  std::string pattern;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "${") != 0) {
      pattern += text[i];
      continue;
    }
    pattern += '*';
    for (int depth = 1; ++i + 1 < text.size() && depth > 0;)
      depth += text[i + 1] == '{' ? 1 : text[i + 1] == '}' ? -1 : 0;
  }
  return fs::path(pattern).filename().string();
}

bool has_in_arguments(const build::cmake_command& command, const std::string& word) {
  return std::any_of(command.arguments.begin(), command.arguments.end(),
                     [&](const build::cmake_argument& a) { return build::may_name(a.text, word); });
}

}  // namespace

cmake_files::cmake_files(const git::repository& repo, const selection::file_kinds& kinds,
                         const std::set<std::string>& configured) {
  std::set<std::string> paths;
  for (const std::string& path : repo.tracked_files())
    if (kinds.kind_of(path) == file_kind::build) paths.insert(path);
  for (const std::string& file : configured)
    if (const std::string path = repo.relative(file);
        !path.empty() && kinds.kind_of(path) == file_kind::build && !kinds.in_build_tree(path))
      paths.insert(path);
  for (const std::string& path : paths) {
    texts_.push_back(system::read_file(repo.root() / path).value_or(""));
    is_code_.push_back(path.ends_with(".cmake") || fs::path(path).filename() == "CMakeLists.txt");
  }
}

/// True for a text that cannot be understood.
template <typename Test>
bool cmake_files::any_command(const Test& test) {
  if (!commands_) {
    commands_.emplace();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (!is_code_[i]) continue;
      const auto parsed = build::parse_cmake(texts_[i]);
      all_understood_ = all_understood_ && parsed.has_value();
      if (parsed) commands_->insert(commands_->end(), parsed->begin(), parsed->end());
    }
  }
  return !all_understood_ || std::any_of(commands_->begin(), commands_->end(), test);
}

bool cmake_files::name(const std::string& word) {
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (!is_code_[i] && build::may_name(texts_[i], word)) return true;
  return any_command([&](const build::cmake_command& command) { return has_in_arguments(command, word); });
}

bool cmake_files::read(const std::string& name) {
  return any_command([&](const build::cmake_command& command) {
    static const std::set<std::string> readers{
        "file",       "configure_file", "execute_process", "include", "try_compile",           "try_run",
        "load_cache", "exec_program",   "build_command",   "install", "create_test_sourcelist"};
    return readers.count(command.name) != 0 && has_in_arguments(command, name);
  });
}

bool cmake_files::glob(const std::string& name) {
  return any_command([&](const build::cmake_command& command) {
    const bool is_glob =
        command.name == "file" && command.arguments.size() > 2 && command.arguments.front().text.starts_with("GLOB");
    return is_glob && std::any_of(command.arguments.begin() + 2, command.arguments.end(), [&](const auto& argument) {
             return ::fnmatch(pattern_of(argument.text).c_str(), name.c_str(), 0) == 0;
           });
  });
}

}  // namespace morph::changes
