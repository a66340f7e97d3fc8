// The finding first, then what it is made of.
#include "plugin/report/markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "plugin/summary/forms.hpp"
#include "plugin/system/counted.hpp"

namespace morph::summary {
namespace {

using report::as_code;
using report::as_sentence;
using report::mutant_state;
using report::shortened;
using system::counted;

constexpr std::size_t most_items = 10;
constexpr std::size_t name_bytes = 120, text_bytes = 80, advice_bytes = 300, replay_bytes = 500;

/// A list below a sentence; without one there is nothing to say. `all`: the command that lists all of it.
struct section {
  std::string lead{};
  std::vector<std::string> items{};
  std::string all{};
};

std::string named(std::string_view name) {
  return as_code(shortened(name, name_bytes));
}

/// "`a`, `b` and 3 more"
std::string some(std::span<const std::string> names, std::size_t most) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) shown.push_back(named(names[i]));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds >= 600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 2 : 1);
}

/// ", 38.9 s of 43.0 s saved"
std::string saved_text(const planning::plan_sums& s) {
  const std::size_t left_out = s.total - s.selected;
  if (left_out == 0) return {};
  if (s.untimed_left_out == left_out) return "; how much time that saves is not known yet";
  const std::string saved = seconds_text(s.total_seconds - s.selected_seconds);
  if (s.untimed_left_out > 0)
    return fmt::format("; at least {} saved (the time of {} is not known)", saved, counted(s.untimed_left_out, "test"));
  if (s.untimed > 0) return fmt::format("; {} saved", saved);
  return fmt::format("; {} of {} saved", saved, seconds_text(s.total_seconds));
}

// ---- sections

section violations(const facts& of) {
  if (of.violated.empty()) return {};
  section made{.lead = "**Violated relations**", .all = "morph spec run"};
  for (const violated_relation& each : of.violated) {
    std::string item = fmt::format("{}: {}", named(each.spec), named(each.relation));
    if (each.replay.size() > replay_bytes)
      item += fmt::format("; the output of {} has its replay line", named(each.test));
    else if (!each.replay.empty())
      item += fmt::format("; replay: {}", as_code(each.replay));
    made.items.push_back(std::move(item));
  }
  return made;
}

section failures(const facts& of) {
  std::set<std::string> shown;
  for (const violated_relation& each : of.violated) {
    shown.insert(each.test);
    shown.insert(each.spec + "." + each.relation);
  }
  section made{.all = "morph report summary --json"};
  for (const std::string& each : of.failed)
    if (!shown.contains(each)) made.items.push_back(named(each));
  if (!made.items.empty()) made.lead = of.violated.empty() ? "**Failed tests**" : "**Other failed tests**";
  return made;
}

section unrun(const facts& of) {
  if (!of.covered || of.covered->not_run.empty()) return {};
  const report::diff_totals& t = of.covered->totals;
  section made{.lead = fmt::format("**Changed lines that no test runs**: {} of {}", t.not_run, t.run + t.not_run),
               .all = fmt::format("morph report coverage --diff {}", of.since)};
  for (const unrun_lines& each : of.covered->not_run) {
    const auto [first, last] = each.lines;
    const std::string at = first == last ? fmt::format(":{}", first) : fmt::format(":{}-{}", first, last);
    made.items.push_back(fmt::format("{} {}", named(each.path + at), as_code(shortened(each.text, text_bytes))));
  }
  return made;
}

std::string change_text(const explain::explained_change& of) {
  if (of.kind == report::mutant_kind::body)
    return fmt::format("its body could be {}", as_code(shortened(of.replacement, text_bytes)));
  const std::string original = as_code(shortened(of.original, text_bytes));
  if (of.replacement.empty()) return fmt::format("{} could be deleted", original);
  return fmt::format("{} could be {}", original, as_code(shortened(of.replacement, text_bytes)));
}

std::string with_advice(std::string item, const survivor& of) {
  return of.advice.empty() ? item : item + ". " + as_sentence(shortened(of.advice, advice_bytes));
}

section pseudo_tested(const facts& of) {
  if (!of.judged || of.judged->pseudo_tested.empty()) return {};
  section made{.lead = "**Pseudo-tested functions** that changed: no test notices when the body is gone",
               .all = "morph report mutation --by function"};
  for (const survivor& each : of.judged->pseudo_tested)
    made.items.push_back(with_advice(
        fmt::format("{} at {}: {}", named(each.change.function),
                    named(fmt::format("{}:{}", each.change.file, each.change.function_line)), change_text(each.change)),
        each));
  return made;
}

section survivors(const facts& of) {
  if (!of.judged || of.judged->survivors.empty()) return {};
  const auto& all = of.judged->survivors;
  section made{.lead = "**Survivors** in changed functions: no test notices these changes",
               .all = fmt::format("morph explain --since {}", of.since)};
  for (const survivor& each : all) {
    const std::string function = each.change.function.empty() ? "" : " in " + named(each.change.function);
    made.items.push_back(
        with_advice(fmt::format("{}{}: {}", named(each.change.id), function, change_text(each.change)), each));
  }
  if (std::ranges::any_of(all, [](const survivor& each) { return each.advice.empty(); }))
    made.lead += fmt::format(" ({} says what to assert)", as_code(made.all));
  return made;
}

section flaky(const facts& of) {
  if (of.flaky.empty()) return {};
  return {.lead = fmt::format("**Flaky**, passed and failed on the same content: {}", some(of.flaky, 5))};
}

section selected(const facts& of) {
  const planning::plan_sums& s = of.planned.sums;
  const std::string base = of.since.empty() ? "" : fmt::format(" --base {}", of.since);
  section made{.all = "morph plan" + base};
  made.lead = fmt::format("**Selected** {} of {} ({}, {}", s.selected, counted(s.total, "test"), of.planned.state,
                          of.planned.base);
  made.lead += s.deferred > 0 ? fmt::format(", {} deferred)", s.deferred) : ")";
  made.lead += saved_text(s);
  for (const reason_group& each : of.planned.groups)
    made.items.push_back(
        fmt::format("{} {}{}", each.tests, each.reason, each.details.empty() ? "" : ": " + some(each.details, 3)));
  for (const std::string& note : of.planned.notes)
    made.items.push_back("note: " + as_sentence(shortened(note, advice_bytes)));
  return made;
}

/// What is in order, as far as it is known.
std::string in_order(const facts& of) {
  std::vector<std::string> parts;
  if (of.covered && of.covered->totals.not_run == 0 && of.covered->totals.run > 0)
    parts.push_back(fmt::format("run {0} of {0} changed lines that can run", of.covered->totals.run));
  if (of.judged && of.judged->survivors.empty() && of.judged->pseudo_tested.empty() && of.judged->mutants.killed() > 0)
    parts.push_back(
        fmt::format("kill {0} of {0} mutants of changed functions that they reach", of.judged->mutants.killed()));
  return parts.empty() ? std::string() : fmt::format("Tests {}.", fmt::join(parts, ", and "));
}

std::string unknown_text(const facts& of) {
  std::vector<std::string> parts;
  for (const gap& each : of.gaps) {
    std::vector<std::string> commands;
    for (const std::string& command : each.commands) commands.push_back(as_code(command));
    parts.push_back(fmt::format("{} ({})", each.what, fmt::join(commands, ", then ")));
  }
  return parts.empty() ? std::string() : fmt::format("Not known: {}.", fmt::join(parts, "; "));
}

std::string title(const facts& of) {
  std::vector<std::string> parts;
  if (!of.failed.empty())
    parts.push_back(fmt::format("{} of {} failed", of.failed.size(), counted(of.ran, "test")));
  else if (of.ran > 0)
    parts.push_back(fmt::format("{} passed", counted(of.ran, "test")));
  else
    parts.push_back(fmt::format("{} selected, none has run yet", counted(of.planned.sums.selected, "test")));
  if (of.covered && of.covered->totals.not_run > 0)
    parts.push_back(fmt::format("{} without a test", counted(of.covered->totals.not_run, "changed line")));
  if (of.judged && !of.judged->pseudo_tested.empty())
    parts.push_back(counted(of.judged->pseudo_tested.size(), "pseudo-tested function"));
  if (of.judged && !of.judged->survivors.empty()) parts.push_back(counted(of.judged->survivors.size(), "survivor"));
  return fmt::format("### Morph: {}", fmt::join(parts, ", "));
}

/// In angle brackets a target may hold anything but those and ends of lines.
std::string link_to(std::string_view url) {
  constexpr std::string_view refused = "<>\\";
  std::string target;
  for (const char c : url)
    if (static_cast<unsigned char>(c) <= ' ' || refused.find(c) != refused.npos)
      target += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      target += c;
  return fmt::format("[Report](<{}>)", target);
}

// ---- layout

/// How many items of each section fit into so many lines: the longest lists are cut, each for one line that says so.
std::vector<std::size_t> fitting(const std::vector<section>& sections, std::size_t lines) {
  std::vector<std::size_t> shown;
  for (const section& each : sections) shown.push_back(std::min(each.items.size(), most_items));
  const auto used = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) sum += shown[i] + (shown[i] < sections[i].items.size() ? 1 : 0);
    return sum;
  };
  while (used() > lines) {
    std::size_t& longest = *std::ranges::max_element(shown);
    if (longest == 0) break;
    --longest;
  }
  return shown;
}

}  // namespace

std::string as_markdown(const facts& of, const std::string& url) {
  std::vector<section> sections{violations(of), failures(of), unrun(of),   pseudo_tested(of),
                                survivors(of),  flaky(of),    selected(of)};
  std::erase_if(sections, [](const section& each) { return each.lead.empty(); });
  std::vector<std::string> closing{in_order(of), unknown_text(of), url.empty() ? std::string() : link_to(url)};
  std::erase_if(closing, [](const std::string& each) { return each.empty(); });

  const std::size_t around = 1 + 2 * (sections.size() + closing.size());  // each after an empty line
  const auto shown = fitting(sections, most_lines - around);
  std::string text = title(of) + '\n';
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const section& each = sections[i];
    text += fmt::format("\n{}\n", each.lead);
    for (std::size_t item = 0; item < shown[i]; ++item) text += fmt::format("- {}\n", each.items[item]);
    if (const std::size_t others = each.items.size() - shown[i]; others > 0)
      text += fmt::format("- and {} more: {}\n", others, as_code(each.all));
  }
  for (const std::string& line : closing) text += fmt::format("\n{}\n", line);
  return text;
}

}  // namespace morph::summary
