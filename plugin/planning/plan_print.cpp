// Plans as text, JSON, names and filters.
#include "plugin/planning/plan_print.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/system/counted.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;
using selection::planned_test;

constexpr std::size_t shown_reasons = 2;  // in the table; --why and --json have them all

bool is_shown(const full_plan& p, const planned_test& t, const std::string& only_suite) {
  return only_suite.empty() || p.request.suites[p.request.tests[t.test].suite].name == only_suite;
}

std::vector<const planned_test*> selected_in_order(const full_plan& p, const std::string& only_suite) {
  std::vector<const planned_test*> tests;
  for (const planned_test& t : p.plan.tests)
    if (t.selected && is_shown(p, t, only_suite)) tests.push_back(&t);
  std::sort(tests.begin(), tests.end(), [](auto* a, auto* b) { return *a->rank < *b->rank; });
  return tests;
}

json base_as_json(const full_plan& p) {
  if (!p.request.baseline) return nullptr;
  const auto distance = p.request.baseline->distance;
  return {{"commit", p.facts->info.taken_from.commit},
          {"distance", distance ? json(*distance) : json(nullptr)},
          {"days", p.baseline_days ? json(*p.baseline_days) : json(nullptr)}};
}

json certificate_as_json(const selection::plan& plan) {
  json all = json::object();
  if (plan.budget) all["budget"] = {{"covered", plan.budget->reached}, {"at_most", plan.budget->bound}};
  if (plan.minimal) all["minimal"] = {{"seconds", plan.minimal->reached}, {"at_least", plan.minimal->bound}};
  for (const selection::risk_taken& r : plan.risks)
    all["risk"].push_back({{"asked", r.asked},
                           {"expected", r.expected},
                           {"run", r.run},
                           {"affected", r.affected},
                           {"known_faults", r.known},
                           {"own_faults", r.own},
                           {"by", r.goes_by_own ? "project" : "reference"}});
  return all.empty() ? json(nullptr) : all;
}

/// How far from the best possible the choice is; empty if nothing was left out by choice.
std::string certificate_text(const selection::plan& plan) {
  std::string text;
  if (plan.minimal)
    text += fmt::format(
        "minimal: the measured tests that remain take {:.4f} s; no choice that covers the change as often takes less "
        "than {:.4f} s\n",
        plan.minimal->reached, plan.minimal->bound);
  if (plan.budget)
    text += fmt::format(
        "budget: beside failed, new and changed tests, {:.2f} % of what is left to cover is covered, changed code "
        "first; no "
        "choice has more than {:.2f} %\n",
        100 * plan.budget->reached, 100 * plan.budget->bound);
  for (const selection::risk_taken& r : plan.risks) {
    const std::size_t needed = optimizer::faults_needed(r.asked);
    const std::string whose = r.goes_by_own
                                  ? fmt::format("{} comparable faults that audits saw here", r.known)
                                  : fmt::format(
                                        "{} comparable faults recorded of other programs (audits saw {} here, {} "
                                        "are needed)",
                                        r.known, r.own, needed);
    if (r.run < r.affected)
      text += fmt::format("risk: the first {} of {} affected by code find {:.4g} % of what all of them find, by {}\n",
                          r.run, system::counted(r.affected, "test"), 100 * r.expected, whose);
    else if (r.known < needed)
      text += fmt::format("risk: all {} tests affected by code run, since {} are too few\n", r.affected, whose);
    else
      text += fmt::format("risk: all {} tests affected by code run, since fewer find less, by {}\n", r.affected, whose);
  }
  return text;
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.4f}", *seconds) : "-";
}

/// For tables: Catch2 and doctest allow newlines in names.
std::string in_a_line(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '\n' ? "\\n" : std::string(1, c);
  return text;
}

std::string reasons_text(const planned_test& t) {
  std::vector<std::string> texts = texts_of(t.reasons);
  if (const std::size_t all = texts.size(); all > shown_reasons) {
    texts.resize(shown_reasons);
    texts.push_back(fmt::format("+{} more", all - shown_reasons));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

selection::decision decision_of(const planned_test& test) {
  return test.selected ? selection::decision::selected : selection::row_of(test.reasons.back().kind).leads_to;
}

plan_sums sums_of(const full_plan& p, const std::string& only_suite) {
  plan_sums s;
  for (const planned_test& t : p.plan.tests) {
    if (!is_shown(p, t, only_suite)) continue;
    ++s.total;
    s.selected += t.selected ? 1 : 0;
    s.deferred += decision_of(t) == selection::decision::deferred ? 1 : 0;
    s.untimed += t.seconds ? 0 : 1;
    s.untimed_left_out += t.seconds || t.selected ? 0 : 1;
    s.total_seconds += t.seconds.value_or(0);
    if (t.selected) s.selected_seconds += t.seconds.value_or(0);
  }
  return s;
}

std::string deferred_as_text(const full_plan& p) {
  const selection::deferral d = what_is_deferred(p.request, p.plan);
  std::string notes;
  for (const std::string& note : p.notes) notes += fmt::format("note: {}\n", note);
  if (d.tests.empty()) return notes + "nothing is deferred: every test that the change can affect runs\n";
  double seconds = 0;
  bool all_timed = true;
  for (const std::uint32_t i : d.tests) {
    seconds += p.plan.tests[i].seconds.value_or(0);
    all_timed = all_timed && p.plan.tests[i].seconds;
  }
  std::string text =
      notes + fmt::format("{} deferred{}", system::counted(d.tests.size(), "affected test is", "affected tests are"),
                          all_timed ? fmt::format(", {:.2f} s", seconds) : "");
  if (d.executed > 0)
    text += fmt::format(
        "; of {} changed lines and functions that tests execute, {} ({:.1f} %) are executed by none that runs",
        d.executed, d.lost, 100 * static_cast<double>(d.lost) / static_cast<double>(d.executed));
  text += "\n\n  seconds  alone  test\n";
  for (std::size_t i = 0; i < d.tests.size(); ++i) {
    const planned_test& t = p.plan.tests[d.tests[i]];
    text += fmt::format("{:>9}  {:>5}  {}  {}\n", seconds_text(t.seconds), d.alone[i],
                        in_a_line(p.request.tests[t.test].name), text_of(t.reasons.back()));
  }
  return text +
         "\nalone: changed lines and functions that it executes and no test that runs; `morph plan --nightly` gives "
         "what is "
         "left to run\n";
}

std::string deferred_as_json(const full_plan& p) {
  const selection::deferral d = what_is_deferred(p.request, p.plan);
  json tests = json::array();
  for (std::size_t i = 0; i < d.tests.size(); ++i) {
    const planned_test& t = p.plan.tests[d.tests[i]];
    const auto& test = p.request.tests[t.test];
    tests.push_back({{"suite", p.request.suites[test.suite].name},
                     {"name", test.name},
                     {"seconds", t.seconds ? json(*t.seconds) : json(nullptr)},
                     {"alone", d.alone[i]},
                     {"reasons", texts_of(t.reasons)}});
  }
  return json{{"schema", contract::deferred_schema},
              {"executed", d.executed},
              {"lost", d.lost},
              {"tests", tests},
              {"notes", p.notes}}
             .dump(1, ' ', false, json::error_handler_t::replace) +
         "\n";
}

std::string base_text(const full_plan& p) {
  if (!p.request.baseline) return "no baseline";
  const std::string text = report::base_text(p.facts->info.taken_from.commit, p.request.baseline->distance);
  if (p.baseline_days.value_or(0) == 0) return text;
  return text + fmt::format(", {} older", system::counted(*p.baseline_days, "day"));
}

std::string suite_note(const full_plan& p, std::size_t suite) {
  const selection::planned_suite& s = p.plan.suites[suite];
  const std::string note = fmt::format("{} of {} selected ({}); {}", s.selected, system::counted(s.total, "test"),
                                       name_of(s.state), base_text(p));
  return p.notes.empty() ? note : note + "\n" + fmt::format("{}", fmt::join(p.notes, "\n"));
}

/// `deselected: unaffected`, `deferred: by policy`.
static std::string group_of(const selection::reason& why) {
  if (why.kind == selection::reason_kind::deferred_by_policy) return "deferred: by policy";
  if (why.kind == selection::reason_kind::deferred_by_budget) return "deferred: by budget";
  return fmt::format("{}: {}", name_of(selection::row_of(why.kind).leads_to), text_of(why));
}

std::string plan_as_text(const full_plan& p, const std::string& only_suite, text_style style) {
  const auto strong = style.colour ? fmt::text_style(fmt::emphasis::bold) : fmt::text_style();
  const auto faint = style.colour ? fmt::text_style(fmt::emphasis::faint) : fmt::text_style();
  const plan_sums s = sums_of(p, only_suite);
  std::string text =
      fmt::format(strong, "{}: {} of {} selected", name_of(p.plan.state), s.selected, system::counted(s.total, "test"));
  if (s.untimed == 0 && s.total > 0) text += fmt::format(", {:.2f} s of {:.2f} s", s.selected_seconds, s.total_seconds);
  text += fmt::format("; {}{}\n", base_text(p),
                      p.request.head && p.request.head->dirty ? ", uncommitted changes included" : "");
  for (const std::string& note : p.notes) text += fmt::format("note: {}\n", note);
  text += certificate_text(p.plan);
  if (p.needs)
    text += p.needs->suites.empty() ? "to build: nothing; no test can be affected\n"
                                    : fmt::format("to build: {}\n", fmt::join(p.needs->targets, " "));

  const auto selected = selected_in_order(p, only_suite);
  if (!selected.empty()) {
    std::size_t width = 4;
    for (const auto* t : selected)
      width = std::max(width, std::min<std::size_t>(in_a_line(p.request.tests[t->test].name).size(), 60));
    text += fmt::format(faint, "\n{:>6}  {:>9}  {:<{}}  why\n", "rank", "seconds", "test", width);
    for (const auto* t : selected) {
      text += fmt::format("{:>6}  {:>9}  {:<{}}  {}", *t->rank, seconds_text(t->seconds),
                          in_a_line(p.request.tests[t->test].name), width, reasons_text(*t));
      if (!t->marks.empty()) text += fmt::format("  [{}]", fmt::join(t->marks, ", "));
      text += '\n';
    }
  }

  std::map<std::string, std::vector<std::string>> left_out;
  for (const planned_test& t : p.plan.tests)
    if (!t.selected && is_shown(p, t, only_suite)) {
      const bool unproven = std::find(t.marks.begin(), t.marks.end(), selection::unproven_mark) != t.marks.end();
      left_out[group_of(t.reasons.back()) + (unproven ? " [unproven]" : "")].push_back(p.request.tests[t.test].name);
    }
  if (!left_out.empty()) text += '\n';
  for (const auto& [why, names] : left_out) {
    text += fmt::format(faint, "{} {}\n", names.size(), why);
    if (style.names_deselected)
      for (const std::string& name : names) text += fmt::format("        {}\n", in_a_line(name));
  }
  return text;
}

std::string plan_as_json(const full_plan& p, const std::string& only_suite) {
  json root;
  root["schema"] = contract::plan_schema;
  root["state"] = name_of(p.plan.state);
  root["base"] = base_as_json(p);
  if (p.request.baseline)
    root["rules"] = {{"by", p.by_lines.empty() ? "object-code" : "lines"}, {"why_lines", p.by_lines}};
  root["head"] = nullptr;
  if (p.request.head) root["head"] = {{"commit", p.request.head->commit}, {"dirty", p.request.head->dirty}};
  if (p.needs) root["targets"] = p.needs->suites.empty() ? std::vector<std::string>() : p.needs->targets;
  const auto needs_suite = [&](const std::string& name) {
    return std::find(p.needs->suites.begin(), p.needs->suites.end(), name) != p.needs->suites.end();
  };
  root["suites"] = json::array();
  for (std::size_t i = 0; i < p.request.suites.size(); ++i) {
    const auto& s = p.plan.suites[i];
    if (!only_suite.empty() && p.request.suites[i].name != only_suite) continue;
    root["suites"].push_back({{"name", p.request.suites[i].name},
                              {"policy", text_of(p.request.suites[i].how)},
                              {"state", name_of(s.state)},
                              {"selected", s.selected},
                              {"total", s.total}});
    if (p.needs) root["suites"].back()["build"] = needs_suite(p.request.suites[i].name);
  }
  root["tests"] = json::array();
  for (const planned_test& t : p.plan.tests) {
    if (!is_shown(p, t, only_suite)) continue;
    const auto& test = p.request.tests[t.test];
    root["tests"].push_back({{"suite", p.request.suites[test.suite].name},
                             {"name", test.name},
                             {"case", test.case_name},
                             {"selected", t.selected},
                             {"decision", name_of(decision_of(t))},
                             {"rank", t.rank ? json(*t.rank) : json(nullptr)},
                             {"reasons", texts_of(t.reasons)},
                             {"marks", t.marks},
                             {"seconds", t.seconds ? json(*t.seconds) : json(nullptr)}});
  }
  const plan_sums s = sums_of(p, only_suite);
  root["totals"] = {{"selected", s.selected},
                    {"total", s.total},
                    {"selected_seconds", s.selected_seconds},
                    {"total_seconds", s.total_seconds}};
  root["certificate"] = certificate_as_json(p.plan);
  root["notes"] = p.notes;
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string plan_as_names(const full_plan& p, const std::string& only_suite) {
  std::string text;
  for (const auto* t : selected_in_order(p, only_suite)) text += p.request.tests[t->test].name + "\n";
  return text;
}

std::string plan_as_targets(const full_plan& p) {
  return fmt::format("{}\n", fmt::join(p.needs->targets, "\n"));
}

std::string plan_as_gtest_filter(const full_plan& p, const std::string& only_suite) {
  std::vector<std::string> names;
  for (const auto* t : selected_in_order(p, only_suite)) names.push_back(p.request.tests[t->test].case_name);
  // An empty filter would run everything: "-*" runs nothing.
  return names.empty() ? "--gtest_filter=-*\n" : fmt::format("--gtest_filter={}\n", fmt::join(names, ":"));
}

std::optional<std::string> why_as_text(const full_plan& p, const std::string& wanted) {
  std::string text;
  for (const planned_test& t : p.plan.tests) {
    const auto& test = p.request.tests[t.test];
    if (!wanted.empty() && test.name != wanted && test.case_name != wanted) continue;
    text += t.selected ? fmt::format("{} is selected, rank {} (suite {})\n", test.name, *t.rank,
                                     p.request.suites[test.suite].name)
                       : fmt::format("{} is {} (suite {})\n", test.name, name_of(decision_of(t)),
                                     p.request.suites[test.suite].name);
    for (const auto& r : t.reasons)
      text += fmt::format("  {}: {}\n", text_of(r), selection::with_short_names(r.because));
    for (const auto& mark : selection::mark_table())
      if (std::find(t.marks.begin(), t.marks.end(), mark.name) != t.marks.end())
        text += fmt::format("  {}: {}\n", mark.name, mark.meaning);
    text += fmt::format("  compared with {}\n", base_text(p));
  }
  if (text.empty() && !wanted.empty()) return std::nullopt;
  return text;
}

std::optional<std::string> why_as_json(const full_plan& p, const std::string& wanted) {
  json tests = json::array();
  for (const planned_test& t : p.plan.tests) {
    const auto& test = p.request.tests[t.test];
    if (!wanted.empty() && test.name != wanted && test.case_name != wanted) continue;
    json reasons = json::array();
    for (const auto& r : t.reasons)
      reasons.push_back({{"reason", text_of(r)}, {"because", selection::with_short_names(r.because)}});
    tests.push_back({{"suite", p.request.suites[test.suite].name},
                     {"name", test.name},
                     {"case", test.case_name},
                     {"selected", t.selected},
                     {"decision", name_of(decision_of(t))},
                     {"rank", t.rank ? json(*t.rank) : json(nullptr)},
                     {"reasons", std::move(reasons)}});
  }
  if (tests.empty() && !wanted.empty()) return std::nullopt;
  const json root{
      {"schema", contract::why_schema}, {"base", base_as_json(p)}, {"tests", std::move(tests)}, {"notes", p.notes}};
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace morph::planning
