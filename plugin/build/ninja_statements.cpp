// Statements, words and escapes.
#include "plugin/build/ninja_statements.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "plugin/system/lines.hpp"

namespace morph::build {
namespace {

bool is_escape(std::string_view line, std::size_t i) {
  return line[i] == '$' && i + 1 < line.size() && std::string_view(" :$").find(line[i + 1]) != std::string_view::npos;
}

/// `$ ` and `$:` undone; `:`, `|` and `||` are words of their own.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_escape(line, i))
      words.back().push_back(line[++i]);
    else if (c == ':')
      words.insert(words.end(), {":", ""});
    else if (c != ' ')
      words.back().push_back(c);
    else if (!words.back().empty())
      words.emplace_back();
  }
  std::erase(words, "");
  return words;
}

std::string without_escapes(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) plain.push_back(value[is_escape(value, i) ? ++i : i]);
  return plain;
}

}  // namespace

build_statement::kind build_statement::what() const {
  if (rule == "phony") return kind::alias;
  if (rule == "CUSTOM_COMMAND") return kind::command;
  if (rule.find("_COMPILER_") != std::string::npos) return kind::compile;
  if (rule.find("_STATIC_LIBRARY_LINKER_") != std::string::npos) return kind::archive;
  return rule.find("_LINKER_") != std::string::npos ? kind::link : kind::other;
}

std::string build_statement::commands() const {
  std::string all;
  for (const char* name : {"COMMAND", "PRE_LINK", "POST_BUILD"})
    if (const auto at = variables.find(name); at != variables.end() && at->second != ":") all += at->second + " ";
  return all;
}

std::vector<build_statement> build_statements(std::string_view text) {
  std::vector<build_statement> found;
  bool is_inside = false;
  while (!text.empty()) {
    const std::string_view line = system::next_line(text);
    if (const auto equals = line.find(" = "); is_inside && line.starts_with("  ") && equals != std::string_view::npos) {
      found.back().variables[std::string(line.substr(2, equals - 2))] = without_escapes(line.substr(equals + 3));
      continue;
    }
    is_inside = line.starts_with("build ");
    if (!is_inside) continue;
    build_statement& s = found.emplace_back();
    enum { outputs, rule, inputs, waits_for } part = outputs;
    for (std::string& word : words_of(line.substr(6))) {
      if (word == "|") continue;
      if (word == "||") {
        part = waits_for;
      } else if (word == ":" && part == outputs) {
        part = rule;
      } else if (part == outputs) {
        if (!word.starts_with("${")) s.outputs.push_back(std::move(word));
      } else if (part == rule) {
        s.rule = std::move(word);
        part = inputs;
      } else {
        (part == inputs ? s.inputs : s.waits_for).push_back(std::move(word));
      }
    }
  }
  return found;
}

bool is_of_cmake(const build_statement& statement) {
  return !statement.outputs.empty() && statement.outputs.front().ends_with(".util") &&
         statement.outputs.front().find("CMakeFiles/") != std::string::npos;
}

bool is_of_morph(const build_statement& statement) {
  return std::any_of(statement.outputs.begin(), statement.outputs.end(), [](const std::string& output) {
    return std::filesystem::path(output).filename().string().starts_with("morph-");
  });
}

}  // namespace morph::build
