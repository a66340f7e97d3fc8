// morph reference: docs/reference.md, made from the tables in the code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/setup/embedded.hpp"
#include "plugin/setup/manual.hpp"
#include "plugin/store/schema.hpp"
#include "plugin/store/store.hpp"

namespace morph::command {
namespace {

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string text = fmt::format("| {} |\n|{}\n", fmt::join(head, " | "), std::string(head.size(), '|'));
  // One dash group a column.
  const auto bars = text.rfind('|' + std::string(head.size(), '|'));
  std::string dashes = "|";
  for (std::size_t i = 0; i < head.size(); ++i) dashes += " --- |";
  text.replace(bars, std::string::npos, dashes + "\n");
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (const auto& c : row) cells.push_back(cell(c));
    text += fmt::format("| {} |\n", fmt::join(cells, " | "));
  }
  return text + "\n";
}

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

// ---- the command line

std::string spelling(const CLI::Option* option) {
  std::string text = option->get_positional() ? option->get_name() : option->get_name(false, true);
  std::string type = option->get_type_name();
  if (type.starts_with("TEXT:")) type = type.substr(5);
  if (option->get_items_expected_max() > 0 && !option->get_positional()) text += " " + type;
  return code(text);
}

/// Outside code, `<suite>` would be taken for HTML.
std::string prose(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::vector<const CLI::App*> below(const CLI::App* command) {
  return command->get_subcommands([](const CLI::App*) { return true; });
}

/// Groups of options are commands without a name to CLI11.
std::vector<std::vector<std::string>> options_of(const CLI::App* command, const CLI::App* known) {
  std::vector<std::vector<std::string>> options;
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_group().empty() || option->get_name() == "--help") continue;
    if (known != nullptr && known->get_option_no_throw(option->get_name()) != nullptr) continue;
    std::string what = option->get_description();
    if (!option->get_default_str().empty()) what += fmt::format(" (default: {})", option->get_default_str());
    if (option->get_required()) what += " (required)";
    options.push_back({spelling(option), prose(what)});
  }
  for (const CLI::App* group : below(command))
    if (group->get_name().empty()) std::ranges::copy(options_of(group, known), std::back_inserter(options));
  return options;
}

/// `plain`: a command without options of its own.
std::string describe(const CLI::App* command, const std::string& name, const CLI::App* plain) {
  const auto options = options_of(command, plain);
  std::string text = fmt::format("### {}\n\n{}.\n\n", name, prose(command->get_description()));
  if (!options.empty()) text += table({"option", "meaning"}, options);
  std::string sections;  // of what is below and has options of its own
  for (const CLI::App* each : below(command)) {
    if (each->get_name().empty()) continue;
    const std::string full_name = name + " " + each->get_name();
    if (options_of(each, plain).empty())
      text += fmt::format("`{}`: {}.\n\n", full_name, each->get_description());
    else
      sections += describe(each, full_name, plain);
  }
  if (!command->get_footer().empty()) text += fmt::format("```\n{}\n```\n\n", command->get_footer());
  return text + sections;
}

std::string commands_as_markdown(const CLI::App& app) {
  const CLI::App* plain = app.get_subcommand("reference");
  std::string text = "## Commands\n\nAll of them take:\n\n" + table({"option", "meaning"}, options_of(plain, nullptr));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    text += describe(command, "morph " + command->get_name(), plain);
  return text;
}

// ---- tables

/// With dots for what differs from test to test.
std::string sentence(std::string_view because) {
  std::string text(because);
  for (std::size_t at; (at = text.find("{}")) != std::string::npos;) text.replace(at, 2, "...");
  return text;
}

std::string tables_as_markdown() {
  std::string text = "## Exit codes\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const contract::exit_row& row : contract::exit_codes)
    rows.push_back({std::to_string(static_cast<int>(row.code)), row.name, row.meaning});
  text += table({"code", "name", "meaning"}, rows);

  text += "## Plans\n\nThe state of a plan is the weakest of its suites':\n\n";
  rows.clear();
  for (const auto& row : selection::state_table()) rows.push_back({code(row.name), std::string(row.meaning)});
  text += table({"state", "meaning"}, rows);
  text += "Why a test is selected, deselected or deferred:\n\n";
  rows.clear();
  for (const auto& row : selection::reason_table())
    rows.push_back({code(std::string(row.name) + (row.has_detail ? ":DETAIL" : "")), std::string(name_of(row.leads_to)),
                    std::string(row.meaning)});
  text += table({"reason", "the test", "when"}, rows);
  text += "What gives a reason, and what `morph plan --why` says of it:\n\n";
  rows.clear();
  for (const auto& row : selection::rules)
    rows.push_back({code(row_of(row.kind).name), std::string(row.trigger), sentence(row.because)});
  text += table({"reason", "when", "because"}, rows);
  text += "Marks:\n\n";
  rows.clear();
  for (const auto& row : selection::mark_table()) rows.push_back({code(row.name), std::string(row.meaning)});
  text += table({"mark", "when"}, rows);

  text += "## Incomplete evidence\n\nA test always runs if, while it was measured, it did not pass, or\n\n";
  rows.clear();
  for (const auto& row : store::incomplete_table())
    rows.push_back({std::to_string(row.bit), code(row.name), fmt::format("it {}", row.meaning)});
  text += table({"bit", "name", "why"}, rows);

  text += "## Mutation operators\n\nWhat `morph mutate` puts in the place of a piece of code:\n\n";
  rows.clear();
  for (const mutation::operator_fact& row : mutation::operator_facts())
    rows.push_back({code(row.name), std::string(row.summary), code(row.example), row.by_default ? "yes" : "no"});
  text += table({"operator", "what it does", "example", "by default"}, rows);

  text += "## Environment variables\n\n";
  rows.clear();
  for (const contract::variable_row& row : contract::environment_variables)
    rows.push_back({code(row.name), row.value, row.meaning});
  text += table({"variable", "value", "meaning"}, rows);

  text += "## Formats\n\n";
  rows.clear();
  for (const auto& row : contract::formats) rows.push_back({code(row.schema), code(row.where), row.meaning});
  rows.push_back({fmt::format("schema {}", store::schema_number), code(".morph/evidence.db"),
                  "the evidence store, an SQLite file"});
  text += table({"schema", "where", "what"}, rows);

  text += "## Files that affect no test\n\nUnless `MORPH_IGNORE` names others: ";
  std::vector<std::string> ignored;
  for (const std::string& glob : selection::default_ignored()) ignored.push_back(code(glob));
  return text + fmt::format("{}.\n\n", fmt::join(ignored, ", "));
}

}  // namespace

action add_reference(CLI::App& app, const common_options&) {
  return [&app] {
    std::string text = "# Reference\n\nMade by `morph reference` from the tables in the code; do not edit.\n\n";
    text += commands_as_markdown(*app.get_parent());
    text += tables_as_markdown();
    text += "## The CMake module\n\n" + setup::manual_as_markdown(setup::cmake_module());
    while (text.ends_with('\n')) text.pop_back();
    fmt::print("{}\n", text);
    return contract::fine;
  };
}

}  // namespace morph::command
