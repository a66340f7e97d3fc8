// Explanations as lines for a terminal.
#include <fmt/color.h>
#include <fmt/format.h>

#include "coverage/observation/observed_json.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/system/counted.hpp"

namespace morph::explain {
namespace {

class writer {
 public:
  writer(const explanation& of, bool has_colour)
      : of_(of),
        strong_(has_colour ? fmt::text_style(fmt::emphasis::bold) : fmt::text_style()),
        faint_(has_colour ? fmt::text_style(fmt::emphasis::faint) : fmt::text_style()) {}

  std::vector<std::string> all() {
    const explained_change& change = of_.change;
    const std::string within =
        change.function.empty() ? std::string() : fmt::format(" in {}", report::on_one_line(change.function));
    lines_.push_back(fmt::format(strong_, "{}{}: no test notices it", report::on_one_line(change.id), within));
    lines_.push_back(fmt::format("  - {}{}", report::on_one_line(change.lines.before),
                                 change.lines.is_first_of_several ? " ..." : ""));
    lines_.push_back(fmt::format("  + {}", report::on_one_line(change.lines.after)));
    add("symptom", fmt::format("{}: {}", observation::name_of(of_.seen.means), meaning_of(of_.seen.means)));
    if (!of_.seen.tests.empty()) add("run by", tests_of(of_.seen));
    if (const auto* differs = shown_difference(of_)) {
      const std::uint64_t others = of_.seen.differences.size() - 1 + of_.seen.left_out;
      add("difference",
          text_of(*differs) + (others > 0 ? fmt::format(" (and {})", system::counted(others, "more", "more")) : ""));
    }
    if (const auto* leads = leading_difference(of_)) {
      if (leads->instruction.line > 0)
        add("led to by", fmt::format("{}: {}", place_of(leads->instruction), report::on_one_line(of_.instruction)));
      if (!leads->call_path.empty()) add("call path", path_of(*leads));
    }
    if (!of_.seen.not_read.empty()) add("not read", not_read_of(of_.seen));
    const std::size_t room = most_lines - lines_.size();
    for (std::size_t i = 0; i < of_.advice.lines.size() && i < room; ++i)
      add(i == 0 ? "suggestion" : "", report::on_one_line(of_.advice.lines[i]));
    return std::move(lines_);
  }

 private:
  void add(const char* label, const std::string& text) {
    lines_.push_back(fmt::format(faint_, "  {:<10}  ", label) + text);
  }

  const explanation& of_;
  fmt::text_style strong_, faint_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> lines_of(const explanation& of, bool has_colour) {
  return writer(of, has_colour).all();
}

std::string as_text(const explain_report& of, bool has_colour) {
  std::string text;
  for (const explanation& each : of.explanations) {
    for (const std::string& line : lines_of(each, has_colour)) text += line + '\n';
    text += '\n';
  }
  for (const std::string& note : of.notes) text += fmt::format("note: {}\n", note);
  if (of.explanations.empty())
    text += "nothing to explain: no survivor is meant\n";
  else
    text += fmt::format("{} explained", system::counted(of.explanations.size(), "survivor"));
  if (of.left_out > 0) text += fmt::format("; {} more: name a function or a file, or raise --most", of.left_out);
  if (!of.explanations.empty()) text += '\n';
  return text;
}

}  // namespace morph::explain
