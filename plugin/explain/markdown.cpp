// Explanations as a comment on a pull request.
#include "plugin/report/markdown.hpp"

#include <fmt/format.h>

#include "coverage/observation/observed_json.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/system/counted.hpp"

namespace morph::explain {
namespace {

using report::as_code;
using report::as_sentence;

void append(std::string& text, const explanation& of) {
  const explained_change& change = of.change;
  text += fmt::format("#### {}{}\n\n", as_code(change.id),
                      change.function.empty() ? "" : " in " + as_code(change.function));
  text += fmt::format("```diff\n- {}{}\n+ {}\n```\n\n", report::on_one_line(change.lines.before),
                      change.lines.is_first_of_several ? " ..." : "", report::on_one_line(change.lines.after));
  text += fmt::format("- **{}**: {}\n", observation::name_of(of.seen.means), meaning_of(of.seen.means));
  if (!of.seen.tests.empty()) text += fmt::format("- run by {}\n", as_sentence(tests_of(of.seen)));
  if (const auto* differs = shown_difference(of)) text += fmt::format("- difference: {}\n", as_code(text_of(*differs)));
  if (const auto* leads = leading_difference(of)) {
    if (leads->instruction.line > 0)
      text += fmt::format("- led to by {}: {}\n", place_of(leads->instruction), as_code(of.instruction));
    if (!leads->call_path.empty()) text += fmt::format("- call path: {}\n", as_code(path_of(*leads)));
  }
  if (!of.seen.not_read.empty()) text += fmt::format("- not read: {}\n", as_sentence(not_read_of(of.seen)));
  text += "- suggestion:";
  for (const std::string& line : of.advice.lines) text += ' ' + as_sentence(line);
  text += "\n\n";
}

}  // namespace

std::string as_markdown(const explain_report& of) {
  std::string text = fmt::format("### {} that no test notices\n\n", system::counted(of.explanations.size(), "change"));
  for (const explanation& each : of.explanations) append(text, each);
  for (const std::string& note : of.notes) text += fmt::format("> {}\n", as_sentence(note));
  if (of.left_out > 0) text += fmt::format("{} more are not explained here.\n", of.left_out);
  return text;
}

}  // namespace morph::explain
