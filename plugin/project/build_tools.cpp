// Who makes what out of what, as far as the generated build files say it.
#include "plugin/project/build_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "plugin/project/files.hpp"

namespace morph::project {
namespace {

namespace fs = std::filesystem;

struct product {
  enum class kind { object, library, program, generated, other } what = kind::other;
  std::vector<std::string> inputs;
  std::string command{};  // of a generated file
};
using products = std::map<std::string, product>;

/// CMake's own marks for custom targets.
bool is_mark(std::string_view output) {
  return output.starts_with("CMakeFiles/") || output.find("/CMakeFiles/") != std::string_view::npos;
}

void collect_objects(const products& made, const std::string& output, std::set<std::string>& seen,
                     std::set<std::string>& objects) {
  if (!seen.insert(output).second) return;
  if (output.ends_with(".o")) {
    objects.insert(output);
    return;
  }
  const auto at = made.find(output);
  if (at == made.end() || at->second.what == product::kind::generated) return;
  for (const std::string& input : at->second.inputs) collect_objects(made, input, seen, objects);
}

/// Whether the word that `at` is in is the folder of a `cd`, with which CMake begins commands.
bool is_folder_of_command(std::string_view command, std::size_t at) {
  const auto begin = command.find_last_of(" \t", at);
  if (begin == std::string_view::npos) return false;
  const std::string_view before = command.substr(0, begin);
  return before.ends_with("cd") && (before.size() == 2 || std::string_view(" \t").find(before[before.size() - 3]) !=
                                                              std::string_view::npos);
}

/// True if a command has a file of this name as a word, or at the end of a path.
bool names_file(std::string_view command, const std::string& name) {
  static constexpr std::string_view before = "/ \t\"'=;", behind = " \t\"';)";
  for (auto at = command.find(name); at != std::string::npos; at = command.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || before.find(command[at - 1]) != std::string_view::npos) &&
        (end == command.size() || behind.find(command[end]) != std::string_view::npos) &&
        !is_folder_of_command(command, at))
      return true;
  }
  return false;
}

/// A program that a command runs may be an input, or only be built before.
std::set<std::string> tool_objects(const products& made) {
  std::set<std::string> seen, objects;
  std::map<std::string, std::string> programs;  // and its file name
  for (const auto& [output, made_of] : made)
    if (made_of.what == product::kind::program) programs[output] = fs::path(output).filename().string();
  for (const auto& [output, made_of] : made) {
    if (made_of.what != product::kind::generated || is_mark(output)) continue;
    for (const auto& [program, name] : programs)
      if (std::find(made_of.inputs.begin(), made_of.inputs.end(), program) != made_of.inputs.end() ||
          names_file(made_of.command, name))
        collect_objects(made, program, seen, objects);
  }
  return objects;
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool is_escape(std::string_view line, std::size_t i) {
  return line[i] == '$' && i + 1 < line.size() && std::string_view(" :$").find(line[i + 1]) != std::string_view::npos;
}

/// The words of a build statement, `$ ` and `$:` undone; `:`, `|` and `||` are words of their own.
std::vector<std::string> ninja_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_escape(line, i)) {
      words.back().push_back(line[++i]);
    } else if (c == ' ') {
      if (!words.back().empty()) words.emplace_back();
    } else if (c == ':') {
      words.insert(words.end(), {":", ""});
    } else {
      words.back().push_back(c);
    }
  }
  return words;
}

std::string without_escapes(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) plain.push_back(value[is_escape(value, i) ? ++i : i]);
  return plain;
}

product::kind kind_of_rule(std::string_view rule) {
  if (rule == "CUSTOM_COMMAND") return product::kind::generated;
  if (rule.find("_EXECUTABLE_LINKER_") != std::string_view::npos) return product::kind::program;
  if (rule.find("_LIBRARY_LINKER_") != std::string_view::npos) return product::kind::library;
  return product::kind::other;
}

}  // namespace

std::set<std::string> ninja_tool_objects(std::string_view text) {
  products made;
  std::vector<std::string> outputs;  // of the statement whose variables follow
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (constexpr std::string_view variable = "  COMMAND = "; line.starts_with(variable))
      for (const std::string& output : outputs) made[output].command = without_escapes(line.substr(variable.size()));
    if (!line.starts_with("build ")) continue;
    const std::vector<std::string> words = ninja_words(line.substr(6));
    outputs.clear();
    std::size_t at = 0;
    for (; at < words.size() && words[at] != ":"; ++at)
      if (!words[at].empty() && words[at] != "|" && !words[at].starts_with("${")) outputs.push_back(words[at]);
    ++at;
    while (at < words.size() && words[at].empty()) ++at;
    if (at >= words.size()) continue;
    product p{kind_of_rule(words[at]), {}};
    for (++at; at < words.size() && words[at] != "||"; ++at)
      if (!words[at].empty() && words[at] != "|") p.inputs.push_back(words[at]);
    for (const std::string& output : outputs) made[output] = p;
  }
  return tool_objects(made);
}

std::set<std::string> make_tool_objects(std::string_view text) {
  products made;
  std::string output;  // of the rule whose recipe follows
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '\t') {
      if (!output.empty()) made[output].command.append(line);
      continue;
    }
    const auto colon = std::min(line.find(": "), line.size() - 1);
    output.clear();
    if (line[colon] != ':') continue;
    std::string input;
    const auto unescaped = [](std::string_view from, std::string& to) {
      for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] != '\\' || i + 1 == from.size() || from[i + 1] != ' ') to.push_back(from[i]);
    };
    unescaped(line.substr(0, colon), output);
    product& p = made[output];
    if (colon + 2 < line.size()) unescaped(line.substr(colon + 2), input);
    if (!input.empty()) p.inputs.push_back(input);
    const bool is_library = output.ends_with(".a") || output.find(".so") != std::string::npos;
    if (input.ends_with("/link.txt")) p.what = is_library ? product::kind::library : product::kind::program;
  }
  for (auto& [name, p] : made)
    if (p.what == product::kind::other && !name.ends_with(".o")) p.what = product::kind::generated;
  return tool_objects(made);
}

result<std::set<std::string>> objects_of_build_tools(const build_tree& tree) {
  if (tree.generator.starts_with("Ninja")) {
    const auto text = read_file(tree.binary_dir / "build.ninja");
    if (!text) return tl::unexpected(text.error());
    return ninja_tool_objects(*text);
  }
  std::string all;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree.binary_dir, error), last; !error && at != last; at.increment(error)) {
    if (at->path().filename() != "build.make") continue;
    const auto text = read_file(at->path());
    if (!text) return tl::unexpected(text.error());
    all += *text + "\n";
  }
  if (error) return tl::unexpected(fmt::format("reading '{}': {}", tree.binary_dir.string(), error.message()));
  return make_tool_objects(all);
}

}  // namespace morph::project
