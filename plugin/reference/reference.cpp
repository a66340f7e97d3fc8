// Each table in the code as one of the page.
#include "plugin/reference/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/reference/markdown.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/setup/embedded.hpp"
#include "plugin/setup/manual.hpp"
#include "plugin/store/schema.hpp"
#include "plugin/store/store.hpp"

namespace morph::reference {
namespace {

/// With dots for what differs from test to test.
std::string sentence(std::string_view because) {
  std::string text(because);
  for (std::size_t at; (at = text.find("{}")) != std::string::npos;) text.replace(at, 2, "...");
  return text;
}

/// morph.plan/1: schemas/plan-1.json
std::string schema_link(const contract::format_row& row) {
  std::string name = std::string(row.schema).substr(std::string_view("morph.").size());
  name.replace(name.find('/'), 1, "-");
  return fmt::format("[{0}.json](schemas/{0}.json)", name);
}

}  // namespace

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
  text +=
      wrapped(
          "Those that scripts may read have a JSON Schema, in docs/schemas and installed in share/morph/schemas "
          "([how to use them](how-to/results-in-scripts.md)). Files that lie in a build tree alone are Morph's own; "
          "a newer Morph may make them otherwise.",
          0) +
      "\n\n";
  rows.clear();
  for (const auto& row : contract::formats)
    rows.push_back(
        {code(row.schema), code(row.where), row.meaning, contract::is_internal(row) ? "" : schema_link(row)});
  rows.push_back({fmt::format("schema {}", store::schema_number), code(".morph/evidence.db"),
                  "the evidence store, an SQLite file", ""});
  text += table({"schema", "where", "what", "JSON Schema"}, rows);

  text += "## Files that affect no test\n\nUnless `MORPH_IGNORE` names others:\n\n```\n";
  return text + wrapped(fmt::format("{}", fmt::join(selection::default_ignored(), " ")), 0) + "\n```\n\n";
}

std::string as_markdown(const std::vector<described_option>& of_all, const std::vector<described_command>& commands) {
  std::string text = "# Reference\n\nMade by `morph reference` from the tables in the code; do not edit.\n\n";
  text += commands_as_markdown(of_all, commands);
  text += tables_as_markdown();
  text += "## The CMake module\n\n" + setup::manual_as_markdown(setup::cmake_module());
  while (text.ends_with('\n')) text.pop_back();
  return text + '\n';
}

}  // namespace morph::reference
