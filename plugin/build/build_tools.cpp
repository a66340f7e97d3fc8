// Who makes what out of what, as far as the generated build files say it.
#include "plugin/build/build_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "plugin/build/ninja_statements.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"

namespace morph::build {
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

/// Whether `at` is in the folder of a `cd`, with which CMake begins commands.
bool is_in_folder_of_command(std::string_view command, std::size_t at) {
  constexpr std::string_view change = "cd ", blanks = " \t";
  for (auto begin = command.find(change); begin < at; begin = command.find(change, begin + 1)) {
    if (begin != 0 && blanks.find(command[begin - 1]) == std::string_view::npos) continue;
    const auto word = begin + change.size();
    const bool quoted = word < command.size() && command[word] == '"';
    const auto end = quoted ? command.find('"', word + 1) : command.find_first_of(" \t;&|", word);
    if (word <= at && at < end && !(quoted && end == std::string_view::npos)) return true;
  }
  return false;
}

/// True if a command has a file of this name as a word, or at the end of a path.
bool names_file(std::string_view command, const std::string& name) {
  static constexpr std::string_view before = "/ \t\"'=;", behind = " \t\"';)";
  for (auto at = command.find(name); at != std::string::npos; at = command.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || before.find(command[at - 1]) != std::string_view::npos) &&
        (end == command.size() || behind.find(command[end]) != std::string_view::npos) &&
        !is_in_folder_of_command(command, at))
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

product::kind kind_of(const build_statement& statement) {
  switch (statement.what()) {
    case build_statement::kind::command:
      return product::kind::generated;
    case build_statement::kind::archive:
      return product::kind::library;
    case build_statement::kind::link:
      return statement.rule.find("_EXECUTABLE_LINKER_") != std::string::npos ? product::kind::program
                                                                             : product::kind::library;
    default:
      return product::kind::other;
  }
}

}  // namespace

std::set<std::string> ninja_tool_objects(std::string_view text) {
  products made;
  for (build_statement& statement : build_statements(text)) {
    product p{kind_of(statement), std::move(statement.inputs)};
    if (const auto at = statement.variables.find("COMMAND"); at != statement.variables.end()) p.command = at->second;
    for (const std::string& output : statement.outputs) made[output] = p;
  }
  return tool_objects(made);
}

std::set<std::string> make_tool_objects(std::string_view text) {
  products made;
  std::string output;  // of the rule whose recipe follows
  while (!text.empty()) {
    const std::string_view line = system::next_line(text);
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
    const auto text = system::read_file(tree.binary_dir / "build.ninja");
    if (!text) return tl::unexpected(text.error());
    return ninja_tool_objects(*text);
  }
  std::string all;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree.binary_dir, error), last; !error && at != last; at.increment(error)) {
    if (at->path().filename() != "build.make") continue;
    const auto text = system::read_file(at->path());
    if (!text) return tl::unexpected(text.error());
    all += *text + "\n";
  }
  if (error) return tl::unexpected(fmt::format("reading '{}': {}", tree.binary_dir.string(), error.message()));
  return make_tool_objects(all);
}

}  // namespace morph::build
