// Follows what leads from one file to another, and what leads to a target's frameworks.
#include "plugin/setup/project_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <filesystem>

#include "plugin/build/compile_commands.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "plugin/setup/known_words.hpp"

namespace morph::setup {

namespace {

namespace fs = std::filesystem;

std::string normal(const std::string& path) {
  const std::string text = fs::path(path).lexically_normal().string();
  return text == "." ? std::string() : text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

/// A path in a folder of the project; both are relative to the top.
std::string within(const std::string& folder, const std::string& path) {
  return normal(folder.empty() ? path : folder + "/" + path);
}

}  // namespace

result<void> reading::read_all() {
  if (auto top = read("CMakeLists.txt", "", {}); !top) return top;
  for (std::size_t f = 0; f < files.size(); ++f)
    for (std::size_t c = 0; c < files[f].commands.size(); ++c) follow({f, c});
  for (const auto& file : files) into_.files.push_back(file.path);
  return {};
}

std::string reading::spelling(place p, const build::cmake_argument& a) const {
  return files[p.file].text.substr(a.begin, a.end - a.begin);
}

reading::guess reading::frameworks_of(const std::string& target, std::size_t file) const {
  guess found;
  std::set<std::string> seen;
  std::vector<std::string> waiting{target};
  bool has_own_sources = false;
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    if (!seen.insert(name).second) continue;
    if (const std::string framework = framework_of_link(name); !framework.empty()) {
      found.linked.insert(framework);
      continue;
    }
    each([&](place p, const build::cmake_command& c) {
      // `${name}` means the same within one file only.
      if (c.arguments.empty() || c.arguments[0].text != name || (!c.arguments[0].literal && p.file != file)) return;
      if (c.name == "target_link_libraries") {
        for (const std::string& word : words(p)) waiting.push_back(word);
      } else if (c.name == "add_executable" || c.name == "add_library" || c.name == "target_sources") {
        std::set<std::string> read;
        for (const std::string& word : words(p)) {
          add_included(source_path(word, p), read, found.included);
          found.may_have_cases = found.may_have_cases || (name == target && is_unread_source(word, p));
        }
        for (const std::string& path : read) {
          const auto text = project_.read(path);
          if (!text) continue;
          has_own_sources = has_own_sources || name == target;
          found.may_have_cases = found.may_have_cases || frameworks::mentions_tests(*text);
        }
      }
    });
  }
  found.may_have_cases = found.may_have_cases || !has_own_sources;
  return found;
}

std::set<std::string> reading::sources_of(const std::string& target) const {
  std::set<std::string> found;
  each([&](place p, const build::cmake_command& c) {
    if (c.name != "add_executable" || c.arguments.empty() || !c.arguments[0].literal || c.arguments[0].text != target)
      return;
    for (const std::string& word : words(p))
      if (const std::string path = source_path(word, p); project_.read(path)) found.insert(path);
  });
  return found;
}

bool reading::is_target(const std::string& name, std::size_t file) const {
  bool found = false;
  each([&](place p, const build::cmake_command& c) {
    found = found || ((c.name == "add_executable" || c.name == "target_link_libraries") && !c.arguments.empty() &&
                      c.arguments[0].text == name && (c.arguments[0].literal || p.file == file));
  });
  return found;
}

result<void> reading::read(const std::string& path, const std::string& folder, place from) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].path != path) continue;
    if (from.file < i) files[i].other_parents.push_back(from);
    return {};
  }
  const auto text = project_.read(path);
  if (!text) return tl::unexpected(fmt::format("there is no '{}' here; name the project's top folder", path));
  auto commands = build::parse_cmake(*text);
  if (!commands) return tl::unexpected(fmt::format("'{}' {}", path, commands.error()));
  files.push_back({path, folder, *text, std::move(*commands), from.file, from.command, {}});
  return {};
}

std::string reading::source_path(const std::string& word, place from) const {
  return resolve(word, from).value_or(within(files[from.file].folder, word));
}

void reading::add_included(const std::string& path, std::set<std::string>& read, std::set<std::string>& found) const {
  constexpr std::size_t most = 200;
  if (path.empty() || read.size() == most || !read.insert(path).second) return;
  const auto text = project_.read(path);
  if (!text) return;
  found.merge(frameworks::frameworks_of_source(*text));
  for (std::size_t at = text->find("include"); at != std::string::npos; at = text->find("include", at + 1)) {
    const std::string line = text->substr(at, text->find('\n', at) - at);
    const auto begin = line.find('"'), end = line.rfind('"');
    if (begin != std::string::npos && end > begin && text->rfind('#', at) + 8 > at)
      add_included(within(fs::path(path).parent_path().string(), line.substr(begin + 1, end - begin - 1)), read, found);
  }
}

bool reading::is_unread_source(const std::string& word, place from) const {
  if (word.starts_with("${") && word.ends_with('}')) {
    names meant;
    add_words(from.file, word, meant, 0);
    return meant.size() == 1;
  }
  return build::is_source(word) && !project_.read(source_path(word, from));
}

std::optional<std::string> reading::resolve(const std::string& text, place from) const {
  const source_file& file = files[from.file];
  std::string path = text;
  bool absolute = path.starts_with('/');
  const auto replace = [&](const std::string& variable, const std::string& folder) {
    if (!path.starts_with(variable)) return;
    path = within(folder, "." + path.substr(variable.size()));
    absolute = true;
  };
  const std::string beside = fs::path(file.path).parent_path().string();
  replace("${CMAKE_CURRENT_SOURCE_DIR}", file.folder);
  replace("${CMAKE_CURRENT_LIST_DIR}", beside);
  replace("${CMAKE_SOURCE_DIR}", "");
  if (path.starts_with("${PROJECT_SOURCE_DIR}") || path.find("_SOURCE_DIR}") != std::string::npos) {
    // Of the only project(), if there is but one among the files.
    names projects;
    each([&](place p, const build::cmake_command& c) {
      if (c.name == "project" && !c.arguments.empty())
        projects.push_back(p.file == 0 ? c.arguments[0].text : std::string());
    });
    if (projects.size() == 1 && !projects[0].empty()) {
      replace("${PROJECT_SOURCE_DIR}", "");
      replace("${" + projects[0] + "_SOURCE_DIR}", "");
    }
  }
  if (path.find('$') != std::string::npos) return std::nullopt;
  return absolute ? path : within(file.folder, path);
}

void reading::follow(place p) {
  const build::cmake_command c = at(p);
  if ((c.name != "add_subdirectory" && c.name != "include") || c.arguments.empty()) return;
  const auto path = resolve(c.arguments[0].text, p);
  if (!path) {
    if (c.name == "add_subdirectory")
      into_.unknown.push_back(fmt::format("{}: which folder add_subdirectory({}) adds", where(p), c.arguments[0].text));
    return;
  }
  if (c.name == "add_subdirectory") {
    if (path->starts_with('/') || path->starts_with("..")) return;
    if (is_foreign(*path)) {
      into_.notes.push_back(fmt::format("{}: '{}' is left out: it holds other projects", where(p), *path));
      return;
    }
    follow_file(*path + "/CMakeLists.txt", *path, p);
    return;
  }
  // A module's name, or a path.
  const std::string folder = files[p.file].folder;
  if (fs::path(*path).has_extension()) {
    follow_file(*path, folder, p);
  } else {
    const std::string name = c.arguments[0].text + ".cmake";
    for (const char* usual : {"cmake/", "cmake/modules/", "cmake/Modules/", "CMake/"})
      if (project_.read(usual + name)) return follow_file(usual + name, folder, p);
  }
}

void reading::follow_file(const std::string& path, const std::string& folder, place from) {
  if (!project_.read(path)) return;
  if (auto done = read(path, folder, from); !done)
    into_.unknown.push_back(fmt::format("what {} registers: {}", path, done.error()));
}

names reading::words(place p) const {
  names found;
  const build::cmake_command& c = at(p);
  for (std::size_t i = 1; i < c.arguments.size(); ++i) add_words(p.file, c.arguments[i].text, found, 0);
  return found;
}

void reading::add_words(std::size_t file, const std::string& text, names& found, unsigned depth) const {
  constexpr unsigned limit = 8;  // set(x ${x} y)
  found.push_back(text);
  if (!text.starts_with("${") || !text.ends_with('}') || depth == limit) return;
  const std::string variable = text.substr(2, text.size() - 3);
  for (const build::cmake_command& c : files[file].commands) {
    const bool sets = c.name == "set" && !c.arguments.empty() && c.arguments[0].text == variable;
    const bool appends = c.name == "list" && c.arguments.size() > 1 && c.arguments[1].text == variable;
    const bool globs = c.name == "file" && c.arguments.size() > 1 && c.arguments[1].text == variable &&
                       c.arguments[0].text.starts_with("GLOB");
    if (globs) add_matches(file, c, found);
    if (!sets && !appends) continue;
    for (std::size_t i = sets ? 1 : 2; i < c.arguments.size(); ++i)
      if (c.arguments[i].text != text) add_words(file, c.arguments[i].text, found, depth + 1);
  }
}

void reading::add_matches(std::size_t file, const build::cmake_command& c, names& found) const {
  const names all = project_.files ? project_.files() : names();
  const bool is_recursive = c.arguments[0].text == "GLOB_RECURSE";
  const std::size_t number = static_cast<std::size_t>(&c - files[file].commands.data());
  for (std::size_t i = 2; i < c.arguments.size(); ++i) {
    const std::string glob = source_path(c.arguments[i].text, {file, number});
    const auto slash = glob.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : glob.substr(0, slash + 1);
    if (glob.find_first_of("*?[") == std::string::npos) found.push_back("${CMAKE_SOURCE_DIR}/" + glob);
    for (const std::string& path : all) {
      const bool matches = is_recursive
                               ? path.starts_with(folder) &&
                                     ::fnmatch(glob.c_str() + folder.size(), path.c_str() + path.rfind('/') + 1, 0) == 0
                               : ::fnmatch(glob.c_str(), path.c_str(), FNM_PATHNAME) == 0;
      if (matches) found.push_back("${CMAKE_SOURCE_DIR}/" + path);
    }
  }
}

}  // namespace morph::setup
