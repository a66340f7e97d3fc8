// Reads CMakeLists.txt files by their own include structure and edits their text; nothing is evaluated.
#include "plugin/setup/proposal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/frameworks/test_sources.hpp"

namespace morph::setup {
namespace {

namespace fs = std::filesystem;
using names = std::vector<std::string>;

// ---- what Morph and the frameworks' own helpers know

/// Whose command it is; nothing if it discovers no tests.
const frameworks::framework* framework_that_discovers(std::string_view command) {
  for (const frameworks::framework& f : frameworks::all_frameworks())
    if (std::ranges::find(f.words.discovery, command) != f.words.discovery.end()) return &f;
  return nullptr;
}

/// A keyword of a discovery call that morph_add_suite() does not have. Those without a reason are left out silently.
struct foreign_keyword {
  std::string_view name;
  bool has_values;
  std::string_view hinders;  // why the call cannot become a suite
};
constexpr std::array foreign_keywords{
    foreign_keyword{"DISCOVERY_MODE", true, ""},
    foreign_keyword{"SKIP_DEPENDENCY", false, ""},
    foreign_keyword{"SOURCES", true, ""},
    foreign_keyword{"XML_OUTPUT_DIR", true, ""},
    foreign_keyword{"JUNIT_OUTPUT_DIR", true, ""},
    foreign_keyword{"REPORTER", true, ""},
    foreign_keyword{"OUTPUT_DIR", true, ""},
    foreign_keyword{"OUTPUT_PREFIX", true, ""},
    foreign_keyword{"OUTPUT_SUFFIX", true, ""},
    foreign_keyword{"NO_PRETTY_TYPES", false, "NO_PRETTY_TYPES gives the tests other names"},
    foreign_keyword{"NO_PRETTY_VALUES", false, "NO_PRETTY_VALUES gives the tests other names"},
    foreign_keyword{"TEST_FILTER", true, "TEST_FILTER leaves tests out"},
    foreign_keyword{"TEST_SPEC", true, "TEST_SPEC leaves tests out"},
    foreign_keyword{"ADD_LABELS", true, "ADD_LABELS makes labels of tags"}};

constexpr std::array<std::string_view, 6> shared_keywords{"EXTRA_ARGS",  "WORKING_DIRECTORY", "TEST_PREFIX",
                                                          "TEST_SUFFIX", "TEST_LIST",         "DISCOVERY_TIMEOUT"};

/// Folders of other people's projects: their tests are not ours to change.
constexpr std::array<std::string_view, 12> foreign_folders{"third_party", "third-party", "thirdparty", "3rdparty",
                                                           "3rd_party",   "external",    "externals",  "extern",
                                                           "vendor",      "vendored",    "submodules", "_deps"};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The framework that a linked name stands for; empty if it is none.
std::string framework_of_link(const std::string& linked) {
  std::string name = lower(linked);
  if (name.starts_with("-l")) name = name.substr(2);
  const auto scope = name.find("::");
  const std::string of_scope = scope == std::string::npos ? std::string() : name.substr(0, scope + 2);
  for (const frameworks::framework& f : frameworks::all_frameworks())
    for (const std::string_view each : f.words.linked)
      if (each == name || (!of_scope.empty() && each == of_scope)) return std::string(f.name);
  return {};
}

bool switches_off_cases(std::string_view text) {
  return std::ranges::any_of(frameworks::all_frameworks(), [&](const frameworks::framework& f) {
    return !f.words.switch_off.empty() && text.find(f.words.switch_off) != std::string_view::npos;
  });
}

std::string_view product_of(std::string_view framework) {
  const auto* const known = frameworks::find_framework(framework);
  return known == nullptr ? framework : known->words.product;
}

bool is_foreign_folder(const std::string& name) {
  const auto has = [&](const auto& folders) { return std::ranges::find(folders, name) != folders.end(); };
  return has(foreign_folders) || std::ranges::any_of(frameworks::all_frameworks(), [&](const frameworks::framework& f) {
           return has(f.words.folders);
         });
}

bool is_foreign(const std::string& folder) {
  for (const fs::path& part : fs::path(folder))
    if (is_foreign_folder(lower(part.string()))) return true;
  return false;
}

// ---- the project's files

struct source_file {
  std::string path;
  std::string folder;  // CMAKE_CURRENT_SOURCE_DIR, relative to the top
  std::string text;
  std::vector<build::cmake_command> commands;
  std::size_t parent = 0;     // index of the file that reads it
  std::size_t parent_at = 0;  // index of the command there
};

struct place {
  std::size_t file = 0;
  std::size_t command = 0;
};

std::string normal(const std::string& path) {
  const std::string text = fs::path(path).lexically_normal().string();
  return text == "." ? std::string() : text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

/// A path in a folder of the project; both are relative to the top.
std::string within(const std::string& folder, const std::string& path) {
  return normal(folder.empty() ? path : folder + "/" + path);
}

class reading {
 public:
  reading(const project_text& project, proposal& into) : project_(project), into_(into) {}

  /// Follows add_subdirectory() and include() from the top.
  result<void> read_all() {
    if (auto top = read("CMakeLists.txt", "", {}); !top) return top;
    for (std::size_t f = 0; f < files.size(); ++f)
      for (std::size_t c = 0; c < files[f].commands.size(); ++c) follow({f, c});
    for (const auto& file : files) into_.files.push_back(file.path);
    return {};
  }

  const build::cmake_command& at(place p) const { return files[p.file].commands[p.command]; }
  std::string where(place p) const { return fmt::format("{}:{}", files[p.file].path, at(p).line); }
  std::string spelling(place p, const build::cmake_argument& a) const {
    return files[p.file].text.substr(a.begin, a.end - a.begin);
  }

  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t f = 0; f < files.size(); ++f)
      for (std::size_t c = 0; c < files[f].commands.size(); ++c) visit(place{f, c}, files[f].commands[c]);
  }

  /// The frameworks among what a target links, as far as the text tells: by the names of targets, and by what its own
  /// sources and those of the project's targets include.
  struct guess {
    std::set<std::string> linked;
    std::set<std::string> included;
  };
  guess frameworks_of(const std::string& target, std::size_t file) const {
    guess found;
    std::set<std::string> seen;
    std::vector<std::string> waiting{target};
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
          for (const std::string& word : words(p)) add_included(source_path(word, p), read, found.included);
        }
      });
    }
    return found;
  }

  /// The files of the project that its add_executable() names.
  std::set<std::string> sources_of(const std::string& target) const {
    std::set<std::string> found;
    each([&](place p, const build::cmake_command& c) {
      if (c.name != "add_executable" || c.arguments.empty() || !c.arguments[0].literal || c.arguments[0].text != target)
        return;
      for (const std::string& word : words(p))
        if (const std::string path = source_path(word, p); project_.read(path)) found.insert(path);
    });
    return found;
  }

  /// A target of this project. What wraps add_executable() is known by what links to it.
  bool is_target(const std::string& name, std::size_t file) const {
    bool found = false;
    each([&](place p, const build::cmake_command& c) {
      found = found || ((c.name == "add_executable" || c.name == "target_link_libraries") && !c.arguments.empty() &&
                        c.arguments[0].text == name && (c.arguments[0].literal || p.file == file));
    });
    return found;
  }

  std::vector<source_file> files;

 private:
  result<void> read(const std::string& path, const std::string& folder, place from) {
    for (const auto& known : files)
      if (known.path == path) return {};
    const auto text = project_.read(path);
    if (!text) return tl::unexpected(fmt::format("there is no '{}' here; name the project's top folder", path));
    auto commands = build::parse_cmake(*text);
    if (!commands) return tl::unexpected(fmt::format("'{}' {}", path, commands.error()));
    files.push_back({path, folder, *text, std::move(*commands), from.file, from.command});
    return {};
  }

  /// A word of a target's sources as a path relative to the top.
  std::string source_path(const std::string& word, place from) const {
    return resolve(word, from).value_or(within(files[from.file].folder, word));
  }

  /// The frameworks of a source, and of headers of the project that it includes by their places.
  void add_included(const std::string& path, std::set<std::string>& read, std::set<std::string>& found) const {
    constexpr std::size_t most = 200;
    if (path.empty() || read.size() == most || !read.insert(path).second) return;
    const auto text = project_.read(path);
    if (!text) return;
    found.merge(frameworks::frameworks_of_source(*text));
    for (std::size_t at = text->find("include"); at != std::string::npos; at = text->find("include", at + 1)) {
      const std::string line = text->substr(at, text->find('\n', at) - at);
      const auto begin = line.find('"'), end = line.rfind('"');
      if (begin != std::string::npos && end > begin && text->rfind('#', at) + 8 > at)
        add_included(within(fs::path(path).parent_path().string(), line.substr(begin + 1, end - begin - 1)), read,
                     found);
    }
  }

  /// A path relative to the top; nothing if it refers to something unknown.
  std::optional<std::string> resolve(const std::string& text, place from) const {
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

  void follow(place p) {
    const build::cmake_command c = at(p);
    if ((c.name != "add_subdirectory" && c.name != "include") || c.arguments.empty()) return;
    const auto path = resolve(c.arguments[0].text, p);
    if (!path) {
      if (c.name == "add_subdirectory")
        into_.unknown.push_back(
            fmt::format("{}: which folder add_subdirectory({}) adds", where(p), c.arguments[0].text));
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

  void follow_file(const std::string& path, const std::string& folder, place from) {
    if (!project_.read(path)) return;
    if (auto done = read(path, folder, from); !done)
      into_.unknown.push_back(fmt::format("what {} registers: {}", path, done.error()));
  }

  /// The arguments behind the first; `${variable}` gives every word that the file ever sets it to.
  names words(place p) const {
    names found;
    const build::cmake_command& c = at(p);
    for (std::size_t i = 1; i < c.arguments.size(); ++i) add_words(p.file, c.arguments[i].text, found, 0);
    return found;
  }

  void add_words(std::size_t file, const std::string& text, names& found, unsigned depth) const {
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

  void add_matches(std::size_t file, const build::cmake_command& c, names& found) const {
    const names all = project_.files ? project_.files() : names();
    const bool is_recursive = c.arguments[0].text == "GLOB_RECURSE";
    const std::size_t number = static_cast<std::size_t>(&c - files[file].commands.data());
    for (std::size_t i = 2; i < c.arguments.size(); ++i) {
      const std::string glob = source_path(c.arguments[i].text, {file, number});
      const auto slash = glob.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : glob.substr(0, slash + 1);
      if (glob.find_first_of("*?[") == std::string::npos) found.push_back("${CMAKE_SOURCE_DIR}/" + glob);
      for (const std::string& path : all) {
        const bool matches =
            is_recursive ? path.starts_with(folder) &&
                               ::fnmatch(glob.c_str() + folder.size(), path.c_str() + path.rfind('/') + 1, 0) == 0
                         : ::fnmatch(glob.c_str(), path.c_str(), FNM_PATHNAME) == 0;
        if (matches) found.push_back("${CMAKE_SOURCE_DIR}/" + path);
      }
    }
  }

  const project_text& project_;
  proposal& into_;
};

// ---- one call becomes a suite

struct replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

struct suite_offer {
  place where;
  std::vector<replacement> replacements;
  std::string what;
};

class translation {
 public:
  explicit translation(const reading& project) : p_(project) {}

  /// The suite that takes the call's place; an error says why it cannot.
  result<suite_offer> discovered(place at, std::string_view framework) {
    const build::cmake_command& c = p_.at(at);
    std::size_t first = 0;
    if (c.name == "gtest_add_tests") {
      if (c.arguments.empty() || c.arguments[0].text != "TARGET")
        return tl::unexpected(std::string("the old signature names no target"));
      first = 1;
    }
    if (c.arguments.size() <= first) return tl::unexpected(std::string("it names no target"));
    const build::cmake_argument& target = c.arguments[first];

    suite_offer offer{at, {}, {}};
    names left_out;
    for (std::size_t i = first + 1; i < c.arguments.size(); ++i) {
      const auto keyword = std::find_if(foreign_keywords.begin(), foreign_keywords.end(),
                                        [&](const auto& k) { return k.name == c.arguments[i].text; });
      if (keyword == foreign_keywords.end()) continue;
      if (!keyword->hinders.empty()) return tl::unexpected(std::string(keyword->hinders));
      std::size_t last = i;
      while (keyword->has_values && last + 1 < c.arguments.size() && !is_keyword(c.arguments[last + 1].text)) ++last;
      offer.replacements.push_back({c.arguments[i - 1].end, c.arguments[last].end, ""});
      left_out.push_back(c.arguments[i].text);
      i = last;
    }
    const auto guess = p_.frameworks_of(target.text, at.file);
    const bool seen_by_morph = guess.linked == std::set<std::string>{std::string(framework)};
    offer.replacements.insert(offer.replacements.begin(),
                              {c.begin, target.end, call(target, seen_by_morph ? "" : std::string(framework))});
    offer.what = fmt::format("{}({}) becomes a suite; its tests keep their names", c.name, target.text);
    if (!left_out.empty()) offer.what += fmt::format(" ({} is left out)", fmt::join(left_out, ", "));
    return offer;
  }

  /// The same for add_test() of a program that links one test framework.
  result<suite_offer> added(place at) {
    const build::cmake_command& c = p_.at(at);
    const auto& a = c.arguments;
    std::size_t program = 1;
    std::optional<build::cmake_argument> directory;
    std::vector<build::cmake_argument> arguments;
    if (!a.empty() && a[0].text == "NAME") {
      program = a.size();
      for (std::size_t i = 2; i < a.size(); ++i) {
        if (a[i].text == "CONFIGURATIONS" || a[i].text == "COMMAND_EXPAND_LISTS")
          return tl::unexpected(fmt::format("{} has no counterpart", a[i].text));
        if (a[i].text == "WORKING_DIRECTORY" && i + 1 < a.size()) {
          directory = a[++i];
        } else if (a[i].text == "COMMAND" && i + 1 < a.size() && program == a.size()) {
          program = ++i;
        } else if (program < i) {
          arguments.push_back(a[i]);
        }
      }
    } else if (a.size() > 2) {
      arguments.assign(a.begin() + 2, a.end());
    }
    if (a.size() < 2 || program >= a.size()) return tl::unexpected(std::string("it names no command"));
    const build::cmake_argument& name = a[a[0].text == "NAME" ? 1 : 0];

    build::cmake_argument target = a[program];
    target.text = target_of(target.text);
    if (!p_.is_target(target.text, at.file))
      return tl::unexpected(std::string("no program of this project is its command"));
    const auto guess = p_.frameworks_of(target.text, at.file);
    std::set<std::string> frameworks = guess.linked.empty() ? guess.included : guess.linked;
    if (frameworks.empty())
      return tl::unexpected(std::string("no test framework is seen among what the program links"));
    if (frameworks.size() > 1)
      return tl::unexpected(fmt::format("which test framework the program uses: {}", fmt::join(frameworks, " or ")));
    const std::string& framework = *frameworks.begin();
    suite_offer offer{at, {}, {}};
    std::string text = call(target, guess.linked.empty() ? framework : "");
    if (directory) text += " WORKING_DIRECTORY " + p_.spelling(at, *directory);
    if (!arguments.empty()) text += " EXTRA_ARGS";
    for (const auto& argument : arguments) text += " " + p_.spelling(at, argument);
    if (auto user = properties_of(name); !user.empty())
      return tl::unexpected(fmt::format(
          "{} sets properties of the test; both together are, with a test for each {} case, {} PROPERTIES ...)", user,
          product_of(framework), text));
    std::string other;
    if (const auto sources = p_.sources_of(target.text); !sources.empty())
      other = of_sources_.try_emplace(sources, target.text).first->second;
    const bool has_namesakes = !other.empty() && other != target.text;
    if (has_namesakes) text += fmt::format(" TEST_PREFIX {}.", target.text);
    offer.replacements.push_back({c.begin, c.end, text + ")"});
    offer.what = fmt::format("add_test({}) becomes a suite: every {} case is a test of its own, '{}' is none any more",
                             name.text, product_of(framework), name.text);
    if (has_namesakes) offer.what += fmt::format("; the prefix tells its tests from those of {}", other);
    return offer;
  }

  /// For a program that uses a test framework and that nothing registers, behind all that is said of it there. Nothing
  /// if it uses none.
  result<std::optional<suite_offer>> unregistered(place at) {
    const build::cmake_command& c = p_.at(at);
    const build::cmake_argument& target = c.arguments[0];
    const auto guess = p_.frameworks_of(target.text, at.file);
    const std::set<std::string> frameworks = guess.linked.empty() ? guess.included : guess.linked;
    if (frameworks.empty() || is_without_cases(target, at.file)) return std::nullopt;
    if (frameworks.size() > 1)
      return tl::unexpected(
          fmt::format("which test framework the program '{}' uses: {}", target.text, fmt::join(frameworks, " or ")));
    const source_file& file = p_.files[at.file];
    std::size_t last = at.command;
    for (std::size_t i = at.command; i < file.commands.size(); ++i) {
      const build::cmake_command& other = file.commands[i];
      const bool is_of_target = other.name.starts_with("target_") || other.name == "set_target_properties";
      if (is_of_target && other.blocks == c.blocks && !other.arguments.empty() &&
          other.arguments[0].text == target.text)
        last = i;
    }
    const auto newline = file.text.find('\n', file.commands[last].end);
    const bool is_at_end = newline == std::string::npos;
    const std::size_t offset = is_at_end ? file.text.size() : newline + 1;
    const auto line = file.text.rfind('\n', c.begin) + 1;  // npos + 1 is 0
    const std::string indentation = file.text.substr(line, file.text.find_first_not_of(" \t", line) - line);
    const std::string end = file.text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    const std::string text = indentation + call(target, guess.linked.empty() ? *frameworks.begin() : "") + ")" + end;
    return suite_offer{at,
                       {{offset, offset, is_at_end ? end + text : text}},
                       fmt::format("nothing registers the {} cases of '{}': each becomes a test of a suite",
                                   product_of(*frameworks.begin()), target.text)};
  }

  /// The program that a call registers; nothing if no target is named.
  std::optional<build::cmake_argument> registered_by(place at) const {
    const build::cmake_command& c = p_.at(at);
    std::size_t which = c.name == "add_test" || c.name == "gtest_add_tests" ? 1 : 0;
    if (c.name == "add_test" && !c.arguments.empty() && c.arguments[0].text == "NAME") {
      which = 2;
      while (which < c.arguments.size() && c.arguments[which - 1].text != "COMMAND") ++which;
    }
    if (which >= c.arguments.size()) return std::nullopt;
    build::cmake_argument program = c.arguments[which];
    program.text = target_of(program.text);
    return program;
  }

 private:
  /// A program that is compiled with a framework's switch for production.
  bool is_without_cases(const build::cmake_argument& target, std::size_t file) const {
    bool found = false;
    p_.each([&](place at, const build::cmake_command& c) {
      if (c.arguments.empty() || c.arguments[0].text != target.text || (!target.literal && at.file != file)) return;
      found = found || std::any_of(c.arguments.begin(), c.arguments.end(),
                                   [](const build::cmake_argument& a) { return switches_off_cases(a.text); });
    });
    return found;
  }

  static bool is_keyword(const std::string& text) {
    const auto is = [&](const auto& k) { return k.name == text; };
    return std::find(shared_keywords.begin(), shared_keywords.end(), text) != shared_keywords.end() ||
           text == "PROPERTIES" || std::any_of(foreign_keywords.begin(), foreign_keywords.end(), is);
  }

  /// `$<TARGET_FILE:x>` and a path in the build tree name the target x.
  static std::string target_of(const std::string& command) {
    constexpr std::string_view expression = "$<TARGET_FILE:";
    if (command.starts_with(expression) && command.ends_with('>'))
      return command.substr(expression.size(), command.size() - expression.size() - 1);
    if (command.starts_with("${"))
      if (const auto end = command.find("_BINARY_DIR}/"); end != std::string::npos && end == command.find('}') - 11)
        return command.substr(command.rfind('/') + 1);
    return command;
  }

  /// `morph_add_suite(NAME TARGET target`
  std::string call(const build::cmake_argument& target, const std::string& framework) {
    const std::string plain = lower(target.text);
    const bool reserved = plain.find("morph") != std::string::npos || plain.find("deferred") != std::string::npos;
    std::string name = reserved ? "suite" : target.text;
    if (const int uses = ++uses_[name]; uses > 1 || reserved) name += fmt::format("_{}", uses);
    return fmt::format("morph_add_suite({} TARGET {}{}", name, target.text,
                       framework.empty() ? "" : " FRAMEWORK " + framework);
  }

  /// The place of a call that needs the test to exist under its name; empty if there is none.
  std::string properties_of(const build::cmake_argument& name) const {
    std::string found;
    p_.each([&](place at, const build::cmake_command& c) {
      const bool sets = c.name == "set_tests_properties" || c.name == "get_test_property" ||
                        (c.name == "set_property" && !c.arguments.empty() && c.arguments[0].text == "TEST");
      if (!sets || !found.empty()) return;
      for (const build::cmake_argument& a : c.arguments) {
        if (&a == &c.arguments[0] && c.name == "set_property") continue;
        if (a.text == "PROPERTIES" || a.text == "PROPERTY" || a.text == "APPEND" || a.text == "APPEND_STRING") break;
        const bool of_another = a.literal && !name.literal && has_test_named(a.text);
        if (a.text == name.text || !a.literal || (!name.literal && !of_another))
          found = fmt::format("{} at {}", c.name, p_.where(at));
      }
    });
    return found;
  }

  bool has_test_named(const std::string& name) const {
    bool found = false;
    p_.each([&](place, const build::cmake_command& c) {
      const std::size_t at = !c.arguments.empty() && c.arguments[0].text == "NAME" ? 1 : 0;
      found = found || (c.name == "add_test" && c.arguments.size() > at && c.arguments[at].text == name);
    });
    return found;
  }

  const reading& p_;
  std::map<std::string, int> uses_;
  std::map<std::set<std::string>, std::string> of_sources_;  // the first target of them
};

// ---- where lines are added

struct insertion_point {
  std::size_t file = 0;
  std::size_t offset = 0;  // start of a line
  std::uint32_t line = 0;
  std::string indentation;
};

/// The commands that lead from the top file to the place, the place last.
std::vector<place> chain_to(const reading& project, place at) {
  std::vector<place> chain{at};
  while (chain.front().file != 0) {
    const source_file& file = project.files[chain.front().file];
    chain.insert(chain.begin(), place{file.parent, file.parent_at});
  }
  return chain;
}

/// The line of a command, or of the comment that stands directly above it.
insertion_point line_above(const reading& project, place at) {
  const source_file& file = project.files[at.file];
  const auto start_of_line = [&](std::size_t offset) {
    const auto newline = offset == 0 ? std::string::npos : file.text.rfind('\n', offset - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  };
  std::size_t offset = start_of_line(project.at(at).begin);
  const std::string indentation = file.text.substr(offset, project.at(at).begin - offset);
  while (offset > 0) {
    const std::size_t above = start_of_line(offset - 1);
    const auto first = file.text.find_first_not_of(" \t", above);
    if (first == std::string::npos || file.text[first] != '#') break;
    offset = above;
  }
  const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  const bool blank = indentation.find_first_not_of(" \t") == std::string::npos;
  return {at.file, offset, static_cast<std::uint32_t>(line), blank ? indentation : ""};
}

enum class reach { innermost, top_file, top_level };

/// Before all the places, outside functions and loops: in the innermost file and if() that hold every one of them; or
/// in the top file, where its end is reached under the same conditions (conditions_around()), or under none.
insertion_point before_all(const reading& project, const std::vector<place>& places, reach how) {
  std::vector<std::vector<place>> chains;
  for (const place p : places) chains.push_back(chain_to(project, p));
  std::size_t depth = 0;  // of the common file
  const auto same_step = [&](std::size_t d) {
    return std::all_of(chains.begin(), chains.end(), [&](const auto& chain) {
      return d + 1 < chain.size() && chain[d].command == chains[0][d].command &&
             chain[d + 1].file == chains[0][d + 1].file;
    });
  };
  while (how == reach::innermost && same_step(depth)) ++depth;

  place first = chains[0][depth];
  std::vector<build::cmake_block> common = project.at(first).blocks;
  for (const auto& chain : chains) {
    const auto& blocks = project.at(chain[depth]).blocks;
    const auto end = std::mismatch(common.begin(), common.end(), blocks.begin(), blocks.end()).first;
    common.erase(end, common.end());
    if (chain[depth].command < first.command) first = chain[depth];
  }
  for (std::size_t i = 0; i < common.size(); ++i) {
    const bool repeats = project.at({first.file, common[i].opener}).name != "if";
    if (repeats || how == reach::top_level || (how == reach::top_file && common[i].branch != 0)) {
      common.resize(i);
      break;
    }
  }
  const auto& blocks = project.at(first).blocks;
  if (blocks.size() > common.size()) first.command = blocks[common.size()].opener;
  return line_above(project, first);
}

/// The texts of the if() commands of the top file that enclose all the places, outermost first.
names conditions_around(const reading& project, const std::vector<place>& places) {
  if (places.empty()) return {};
  std::vector<build::cmake_block> common = project.at(chain_to(project, places[0])[0]).blocks;
  for (const place p : places) {
    const auto& blocks = project.at(chain_to(project, p)[0]).blocks;
    common.erase(std::mismatch(common.begin(), common.end(), blocks.begin(), blocks.end()).first, common.end());
  }
  names texts;
  for (const build::cmake_block& b : common) {
    const build::cmake_command& c = project.at({0, b.opener});
    if (c.name != "if" || b.branch != 0) break;
    texts.push_back(project.files[0].text.substr(c.begin, c.end - c.begin));
  }
  return texts;
}

class proposing {
 public:
  proposing(const project_text& project, bool adopt) : text_(project), adopt_(adopt), p_(project, made_) {}

  result<proposal> run() {
    if (auto read = p_.read_all(); !read) return tl::unexpected(read.error());
    look_for_morph();
    collect_calls();
    look_at_the_build_tree();
    offer_unregistered();
    explain_what_stays();
    if (!offers_.empty() || adopting()) {
      add_enable_testing();
      add_find_package();
      for (const suite_offer& offer : offers_) add(offer);
      if (adopting()) add_adoption();
    } else if (found_.empty() && made_.unknown.empty() && !has_suites_ && !has_adoption_) {
      made_.notes.push_back(
          "no test is registered, and no program is seen to use a test framework; once there is one: "
          "morph_add_suite(NAME TARGET program)");
    } else if (has_suites_ || has_adoption_) {
      made_.notes.push_back("the project uses Morph already; nothing is left to add");
    }
    finish_edits();
    return std::move(made_);
  }

 private:
  bool adopting() const { return !has_adoption_ && !left_.empty(); }

  void look_for_morph() {
    p_.each([&](place, const build::cmake_command& c) {
      has_suites_ = has_suites_ || c.name == "morph_add_suite";
      has_adoption_ = has_adoption_ || c.name == "morph_adopt_tests";
      const bool names_morph =
          std::any_of(c.arguments.begin(), c.arguments.end(), [](const auto& a) { return lower(a.text) == "morph"; });
      has_package_ =
          has_package_ || (names_morph && (c.name == "find_package" || c.name == "fetchcontent_makeavailable"));
    });
    has_package_ = has_package_ || has_suites_ || has_adoption_;
  }

  /// Programs of tests that nobody runs by ctest. Where it cannot be told which programs are registered, none.
  void offer_unregistered() {
    if (adopt_ || has_suites_ || has_adoption_ || unseen_) return;
    std::set<std::string> registered;
    bool has_variables = false;
    for (const place at : found_)
      if (const auto program = translate_.registered_by(at)) {
        registered.insert(program->text);
        has_variables = has_variables || program->text.find('$') != std::string::npos;
      }
    p_.each([&](place at, const build::cmake_command& c) {
      if (c.name != "add_executable" || c.arguments.size() < 2 || registered.contains(c.arguments[0].text)) return;
      if (c.arguments[1].text == "IMPORTED" || c.arguments[1].text == "ALIAS") return;
      if (has_variables || (!c.arguments[0].literal && !found_.empty())) return;
      const auto offer = translate_.unregistered(at);
      if (!offer) return made_.unknown.push_back(fmt::format("{}: {}", p_.where(at), offer.error()));
      if (!*offer) return;
      if (const std::string other = foreign_call_of(c.arguments[0].text); !other.empty())
        return made_.unknown.push_back(
            fmt::format("{}: whether '{}' registers the tests of '{}'", p_.where(at), other, c.arguments[0].text));
      offers_.push_back(**offer);
    });
  }

  /// A command that neither CMake nor the reading knows, which is called with the target and says that it is about
  /// tests.
  std::string foreign_call_of(const std::string& target) const {
    std::string found;
    p_.each([&](place at, const build::cmake_command& c) {
      const bool is_known =
          c.name.starts_with("target_") || c.name == "add_executable" || c.name == "set_tests_properties";
      const bool is_about_tests = c.name.find("test") != std::string::npos;
      if (is_known || !is_about_tests || !found.empty()) return;
      if (std::any_of(c.arguments.begin(), c.arguments.end(), [&](const auto& a) { return a.text == target; }))
        found = fmt::format("{}() at {}", c.name, p_.where(at));
    });
    return found;
  }

  void collect_calls() {
    p_.each([&](place at, const build::cmake_command& c) {
      const frameworks::framework* const known = framework_that_discovers(c.name);
      if (known == nullptr && c.name != "add_test") return;
      // The bodies of the helpers themselves, when a project carries them.
      if (is_inside_function(at, c.name)) return;
      found_.push_back(at);
      if (adopt_) {
        left_.push_back(at);
        return;
      }
      auto offer = known != nullptr ? translate_.discovered(at, known->name) : translate_.added(at);
      if (offer) {
        offers_.push_back(std::move(*offer));
      } else {
        left_.push_back(at);
        reasons_[{c.name, offer.error()}].push_back(p_.where(at));
      }
    });
  }

  bool is_inside_function(place at, const std::string& name) const {
    const auto& blocks = p_.at(at).blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const build::cmake_block& b) {
      const build::cmake_command& opener = p_.at({at.file, b.opener});
      return !opener.arguments.empty() && lower(opener.arguments[0].text) == name;
    });
  }

  /// Tests that the text did not show; how many each call registers.
  void look_at_the_build_tree() {
    if (!text_.registered) return;
    std::map<std::pair<std::string, std::uint32_t>, place> calls;
    for (const place at : found_) calls[{p_.files[at.file].path, p_.at(at).line}] = at;
    std::map<std::pair<std::string, std::uint32_t>, std::pair<std::size_t, std::string>> by_place;
    for (const registered_test& test : *text_.registered) {
      if (test.calls.empty()) continue;
      const auto read = std::find_if(test.calls.begin(), test.calls.end(), [&](const call_place& c) {
        return calls.count({c.file, c.line}) != 0;
      });
      if (read != test.calls.end()) {
        const place at = calls.at({read->file, read->line});
        ++number_[{at.file, at.command}];
      } else {
        auto& [number, call] = by_place[{test.calls.front().file, test.calls.front().line}];
        ++number;
        call = test.calls.front().call;
      }
    }
    // What registers nothing in this build tree needs no line.
    if (!adopt_ && !text_.registered->empty())
      std::erase_if(left_, [&](place at) { return number_.count({at.file, at.command}) == 0; });
    for (const auto& [where, what] : by_place) {
      const auto& [number, call] = what;
      made_.notes.push_back(fmt::format("{}:{}: {} registers {} test{} where the reading did not come", where.first,
                                        where.second, call, number, number == 1 ? "" : "s"));
      if (left_.empty()) left_.push_back({0, p_.files[0].commands.size() - 1});
      unseen_ = true;
    }
  }

  void explain_what_stays() {
    constexpr std::size_t shown = 3;
    for (auto& [what, where] : reasons_) {
      if (has_adoption_) return;
      const std::size_t more = where.size() - std::min(where.size(), shown);
      where.resize(where.size() - more);
      made_.notes.push_back(fmt::format("{}() stays as it is at {}{}: {}", what.first, fmt::join(where, ", "),
                                        more == 0 ? "" : fmt::format(" and {} more", more), what.second));
    }
  }

  void insert(const insertion_point& at, const std::string& line, std::string what) {
    edits_[at.file].push_back({at.offset, at.offset, at.indentation + line + newline(at.file)});
    made_.changes.push_back({p_.files[at.file].path, at.line, std::move(what)});
  }

  std::string newline(std::size_t file) const {
    return p_.files[file].text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  }

  void add_enable_testing() {
    if (text_.registered && !text_.registered->empty()) return;
    // Folders that are added before it have no list of tests.
    std::size_t first = p_.files[0].commands.size();
    for (const suite_offer& offer : offers_)
      if (const place at = chain_to(p_, offer.where).front(); p_.at(at).name == "add_subdirectory")
        first = std::min(first, at.command);
    bool enabled = false;
    p_.each([&](place at, const build::cmake_command& c) {
      const bool in_top_folder = p_.files[at.file].folder.empty();
      enabled = enabled || (in_top_folder && chain_to(p_, at).front().command < first &&
                            (c.name == "enable_testing" ||
                             (c.name == "include" && !c.arguments.empty() && c.arguments[0].text == "CTest")));
    });
    if (enabled) return;
    const auto& commands = p_.files[0].commands;
    std::size_t after = 0;
    for (std::size_t c = 0; c < commands.size(); ++c)
      if (commands[c].name == "project" || (after == 0 && commands[c].name == "cmake_minimum_required")) after = c;
    const std::size_t end = p_.files[0].text.find('\n', commands[after].end);
    const std::size_t offset = end == std::string::npos ? p_.files[0].text.size() : end + 1;
    const auto line =
        std::count(p_.files[0].text.begin(), p_.files[0].text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    insert({0, offset, static_cast<std::uint32_t>(line) + 1, ""}, "enable_testing()",
           "enable_testing() is missing here: ctest would not see the tests");
  }

  void add_find_package() {
    if (has_package_ || offers_.empty()) return;
    std::vector<place> places;
    for (const suite_offer& offer : offers_) places.push_back(offer.where);
    places.insert(places.end(), left_.begin(), left_.end());
    const reach how = !adopting() ? reach::innermost : unseen_ ? reach::top_level : reach::top_file;
    insert(before_all(p_, places, how), "find_package(Morph REQUIRED)",
           "find_package(Morph REQUIRED) comes before the suites");
    has_package_ = true;
  }

  void add(const suite_offer& offer) {
    auto& edits = edits_[offer.where.file];
    edits.insert(edits.end(), offer.replacements.begin(), offer.replacements.end());
    std::string what = offer.what;
    if (const auto number = number_.find({offer.where.file, offer.where.command}); number != number_.end())
      what += fmt::format(" ({} {} in the build tree)", number->second, number->second == 1 ? "program" : "programs");
    made_.changes.push_back({p_.files[offer.where.file].path, p_.at(offer.where).line, what});
  }

  void add_adoption() {
    const std::string& text = p_.files[0].text;
    const std::string end = newline(0);
    std::vector<place> places = left_;
    for (const suite_offer& offer : offers_) places.push_back(offer.where);
    const names conditions = unseen_ ? names() : conditions_around(p_, places);
    std::string lines = text.empty() || text.ends_with('\n') ? "" : end;
    std::string indentation;
    for (const std::string& condition : conditions) {
      lines += indentation + condition + end;
      indentation += "  ";
    }
    if (!has_package_) lines += indentation + "find_package(Morph REQUIRED)" + end;
    lines += indentation + "morph_adopt_tests()" + end;
    for (std::size_t i = conditions.size(); i > 0; --i) lines += std::string(2 * (i - 1), ' ') + "endif()" + end;
    edits_[0].push_back({text.size(), text.size(), lines});
    const auto line = std::count(text.begin(), text.end(), '\n') + (text.empty() || text.ends_with('\n') ? 1 : 2);
    made_.changes.push_back({p_.files[0].path, static_cast<std::uint32_t>(line),
                             offers_.empty()
                                 ? "morph_adopt_tests() takes every registered test as it is, a process a test"
                                 : "morph_adopt_tests() takes the other registered tests as they are"});
  }

  void finish_edits() {
    for (auto& [file, replacements] : edits_) {
      std::stable_sort(replacements.begin(), replacements.end(),
                       [](const auto& a, const auto& b) { return a.begin < b.begin; });
      const std::string& before = p_.files[file].text;
      std::string after;
      std::size_t at = 0;
      for (const replacement& r : replacements) {
        after += before.substr(at, r.begin - at) + r.text;
        at = r.end;
      }
      made_.edits.push_back({p_.files[file].path, before, after + before.substr(at)});
    }
    std::stable_sort(made_.changes.begin(), made_.changes.end(),
                     [](const auto& a, const auto& b) { return std::tie(a.path, a.line) < std::tie(b.path, b.line); });
  }

  const project_text& text_;
  const bool adopt_;
  proposal made_;
  reading p_;
  translation translate_{p_};
  bool has_suites_ = false, has_adoption_ = false, has_package_ = false;
  bool unseen_ = false;       // the build tree has tests that the text does not show
  std::vector<place> found_;  // calls that register tests
  std::vector<suite_offer> offers_;
  std::vector<place> left_;                                       // calls that stay
  std::map<std::pair<std::string, std::string>, names> reasons_;  // command and why -> where
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> number_;
  std::map<std::size_t, std::vector<replacement>> edits_;
};

}  // namespace

result<proposal> propose(const project_text& project, bool adopt) {
  return proposing(project, adopt).run();
}

}  // namespace morph::setup
