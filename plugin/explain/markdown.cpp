// Explanations as a comment on a pull request.
#include <fmt/format.h>

#include "coverage/observation/observed_json.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/system/counted.hpp"

namespace morph::explain {
namespace {

/// Between as many back quotes as keep those within it.
std::string code(const std::string& text) {
  const std::string line = report::on_one_line(text);
  if (line.empty()) return {};
  std::size_t longest = 0, run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string pad = longest > 0 ? " " : "";
  return fence + pad + line + pad + fence;
}

/// A line of advice has code between back quotes already; other marks mean themselves.
std::string escaped(const std::string& text) {
  std::string made;
  bool is_code = false;
  for (const char c : report::on_one_line(text)) {
    is_code = c == '`' ? !is_code : is_code;
    if (!is_code && (c == '<' || c == '*' || c == '_' || c == '[' || c == ']')) made += '\\';
    made += c;
  }
  return made;
}

void append(std::string& text, const explanation& of) {
  const explained_change& change = of.change;
  text += fmt::format("#### {}{}\n\n", code(change.id), change.function.empty() ? "" : " in " + code(change.function));
  text += fmt::format("```diff\n- {}{}\n+ {}\n```\n\n", report::on_one_line(change.lines.before),
                      change.lines.is_first_of_several ? " ..." : "", report::on_one_line(change.lines.after));
  text += fmt::format("- **{}**: {}\n", observation::name_of(of.seen.means), meaning_of(of.seen.means));
  if (!of.seen.tests.empty()) text += fmt::format("- run by {}\n", escaped(tests_of(of.seen)));
  if (const auto* differs = shown_difference(of)) text += fmt::format("- difference: {}\n", code(text_of(*differs)));
  if (const auto* leads = leading_difference(of)) {
    if (leads->instruction.line > 0)
      text += fmt::format("- led to by {}: {}\n", place_of(leads->instruction), code(of.instruction));
    if (!leads->call_path.empty()) text += fmt::format("- call path: {}\n", code(path_of(*leads)));
  }
  if (!of.seen.not_read.empty()) text += fmt::format("- not read: {}\n", escaped(not_read_of(of.seen)));
  text += "- suggestion:";
  for (const std::string& line : of.advice.lines) text += ' ' + escaped(line);
  text += "\n\n";
}

}  // namespace

std::string as_markdown(const explain_report& of) {
  std::string text = fmt::format("### {} that no test notices\n\n", system::counted(of.explanations.size(), "change"));
  for (const explanation& each : of.explanations) append(text, each);
  for (const std::string& note : of.notes) text += fmt::format("> {}\n", escaped(note));
  if (of.left_out > 0) text += fmt::format("{} more are not explained here.\n", of.left_out);
  return text;
}

}  // namespace morph::explain
