// Commands as sections, their options as tables.
#include "plugin/reference/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plugin/reference/markdown.hpp"

namespace morph::reference {
namespace {

std::string options_as_table(const std::vector<described_option>& options) {
  std::vector<std::vector<std::string>> rows;
  for (const described_option& option : options) rows.push_back({code(option.spelling), prose(option.meaning)});
  return table({"option", "meaning"}, rows);
}

std::string section_of(const described_command& command, const std::string& name) {
  std::string text = fmt::format("### {}\n\n{}.\n\n", name, prose(command.meaning));
  if (!command.options.empty()) text += options_as_table(command.options);
  std::string sections;  // of what is below and has options of its own
  for (const described_command& each : command.below) {
    const std::string full_name = name + " " + each.name;
    if (each.options.empty())
      text += fmt::format("`{}`: {}.\n\n", full_name, each.meaning);
    else
      sections += section_of(each, full_name);
  }
  if (!command.footer.empty()) text += fmt::format("```\n{}\n```\n\n", command.footer);
  return text + sections;
}

}  // namespace

std::string commands_as_markdown(const std::vector<described_option>& of_all,
                                 const std::vector<described_command>& commands) {
  std::string text = "## Commands\n\nAll of them take:\n\n" + options_as_table(of_all);
  for (const described_command& command : commands)
    if (!command.is_hidden) text += section_of(command, "morph " + command.name);
  return text;
}

std::string unknown_command(const described_command& program, const std::vector<std::string>& words) {
  const described_command* at = &program;
  std::string before = program.name;
  for (const std::string& word : words) {
    if (word.starts_with('-')) break;
    const described_command* below = nullptr;
    std::vector<std::string> names;
    for (const described_command& known : at->below) {
      if (known.name == word) below = &known;
      if (!known.is_hidden) names.push_back(known.name);
    }
    if (names.empty()) break;
    if (below == nullptr)
      return fmt::format("there is no `{} {}`; there are: {}", before, word, fmt::join(names, ", "));
    before += " " + word;
    at = below;
  }
  return {};
}

}  // namespace morph::reference
