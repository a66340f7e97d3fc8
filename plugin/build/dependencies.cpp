// Parsers of ninja's and make's dependency records.
#include "plugin/build/dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

std::string absolute_in(const fs::path& folder, std::string_view path) {
  return (folder / path).lexically_normal().string();
}

/// CMake names an object by its source. Clang begins with the files of a precompiled header.
void begin_with_source(dependency_map& map) {
  for (auto& [object, files] : map) {
    const fs::path source = fs::path(object).stem();
    const auto at = std::find_if(files.begin(), files.end(), [&](const fs::path& f) { return f.filename() == source; });
    if (at != files.end()) std::rotate(files.begin(), at, std::next(at));
  }
}

}  // namespace

dependency_map parse_ninja_deps(std::string_view text, const fs::path& build_dir) {
  dependency_map map;
  std::vector<std::string>* current = nullptr;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("    ")) {
      if (current != nullptr) current->push_back(absolute_in(build_dir, line.substr(4)));
    } else if (const auto mark = line.find(": #deps "); mark != std::string_view::npos) {
      const fs::path object = fs::path(line.substr(0, mark));
      current = &map[object.is_absolute() ? object.lexically_relative(build_dir).string() : object.string()];
    }
  }
  // CMake 3.27 and later record what linkers read as well: objects, libraries, the loader.
  std::erase_if(map, [](const auto& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(),
                       [](const std::string& file) { return file.ends_with(".o"); });
  });
  return map;
}

std::vector<std::string> parse_make_rule(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_targets = true;
  const auto finish_word = [&] {
    if (!word.empty() && !in_targets) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      finish_word();
      ++i;
    } else if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word.push_back(next);
      ++i;
    } else if (c == '$' && next == '$') {
      word.push_back('$');
      ++i;
    } else if (c == ':' && in_targets && (next == ' ' || next == '\n' || next == '\\')) {
      word.clear();
      in_targets = false;
    } else if (c == ' ' || c == '\t') {
      finish_word();
    } else if (c == '\n') {
      finish_word();
      if (!in_targets) break;
    } else {
      word.push_back(c);
    }
  }
  finish_word();
  return words;
}

result<dependency_map> read_dependencies(const build_tree& tree) {
  if (tree.generator.starts_with("Ninja")) {
    system::command deps;
    deps.arguments = {tree.make_program, "-C", tree.binary_dir.string(), "-t", "deps"};
    deps.capture_at_end = true;  // it writes each line for itself
    const system::process_end end = system::run(deps);
    if (!end.succeeded())
      return tl::unexpected(fmt::format("'{} -t deps' in '{}': {}", tree.make_program, tree.binary_dir.string(),
                                        system::describe(end, deps.timeout)));
    auto map = parse_ninja_deps(end.out, tree.binary_dir);
    begin_with_source(map);
    return map;
  }
  dependency_map map;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree.binary_dir, error), last; at != last; at.increment(error)) {
    const std::string path = at->path().string();
    if (error || !path.ends_with(".o.d")) continue;
    const auto text = system::read_file(path);
    if (!text) return tl::unexpected(text.error());
    std::vector<std::string> files;
    for (const std::string& file : parse_make_rule(*text)) files.push_back(absolute_in(tree.binary_dir, file));
    map[fs::path(path.substr(0, path.size() - 2)).lexically_relative(tree.binary_dir).string()] = std::move(files);
  }
  if (error) return tl::unexpected(fmt::format("reading '{}': {}", tree.binary_dir.string(), error.message()));
  begin_with_source(map);
  return map;
}

}  // namespace morph::build
