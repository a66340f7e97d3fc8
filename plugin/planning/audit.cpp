// Comparing a plan with a run of all tests.
#include "plugin/planning/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;

/// Where the first failure comes among the tests affected by code, if nothing of them is left out: audit::found_first,
/// found_among.
std::pair<std::uint32_t, std::uint32_t> place_of_failure(const full_plan& p,
                                                         const std::map<std::string, verdict>& verdicts) {
  selection::plan_request whole = p.request;
  whole.budget_seconds.reset();
  for (auto& suite : whole.suites) suite.how = {selection::policy::risk, 1};
  const auto tests = affected_by_code(make_plan(whole));
  const auto failed = std::find_if(tests.begin(), tests.end(), [&](std::uint32_t test) {
    const auto at = verdicts.find(whole.tests[test].name);
    return whole.flaky.count(whole.tests[test].name) == 0 && at != verdicts.end() && at->second.failed;
  });
  const auto first = failed == tests.end() ? 0 : failed - tests.begin() + 1;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(tests.size())};
}

/// "12-14, 20"
std::string as_ranges(const std::vector<std::uint32_t>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] == lines[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lines[i]);
    if (last > i) text += fmt::format("-{}", lines[last]);
    i = last + 1;
  }
  return text;
}

/// What the baseline has of a test: by file, the lines that it executed.
std::map<std::string, std::vector<std::uint32_t>> row_of(const full_plan& p, const selection::current_test& test) {
  const store::evidence& e = *p.facts;
  std::map<std::string, std::vector<std::uint32_t>> lines;
  std::uint32_t id = 0;
  const auto is_it = [&](const store::measured_test& m) {
    return m.case_name == test.case_name && e.programs[m.program].target == test.target &&
           e.programs[m.program].suite == p.request.suites[test.suite].name;
  };
  while (id < e.tests.size() && !is_it(e.tests[id])) ++id;
  for (const auto& c : e.classes)
    if (std::binary_search(c.tests.begin(), c.tests.end(), id))
      for (const store::element x : c.elements)
        if (store::kind_of(x) == optimizer::requirement_kind::line)
          lines[e.files[store::owner_of(x)]].push_back(store::number_of(x));
  for (auto& [file, numbers] : lines) std::sort(numbers.begin(), numbers.end());
  return lines;
}

/// Ready to be sent: the change, the chain, the rows.
std::string bug_report(const full_plan& p, const selection::planned_test& missed) {
  const auto& test = p.request.tests[missed.test];
  std::string text = fmt::format(
      "---- bug report, ready to be sent ----\n"
      "Morph {} did not select '{}', which failed.\n"
      "baseline: {}\nhead: {}{}\nplan: {}\n\nchange (git diff {}):\n",
      MORPH_VERSION, test.name, p.facts->info.taken_from.commit, p.request.head ? p.request.head->commit : "unknown",
      p.request.head && p.request.head->dirty ? ", with uncommitted changes" : "", name_of(p.plan.state),
      p.facts->info.taken_from.commit.substr(0, 10));
  for (const auto& change : p.changes) {
    text += fmt::format("  {}", change.path);
    if (change.how != git::file_change::kind::modified)
      text += change.how == git::file_change::kind::added ? " (new)" : " (deleted)";
    if (change.binary) text += " (as a whole)";
    for (const auto& h : change.hunks)
      text += fmt::format(" -{},{} +{},{}", h.old_start, h.old_count, h.new_start, h.new_count);
    text += '\n';
  }
  text += fmt::format("\nchain:\n{}", why_as_text(p, test.name).value_or(""));
  text += "\nrow (lines that the test executed in files that changed, and how many in others):\n";
  std::size_t others = 0, files = 0;
  for (const auto& [file, lines] : row_of(p, test)) {
    const bool changed =
        std::any_of(p.changes.begin(), p.changes.end(), [&](const auto& change) { return change.path == file; });
    if (changed)
      text += fmt::format("  {}: {}\n", file, as_ranges(lines));
    else {
      others += lines.size();
      ++files;
    }
  }
  return text + fmt::format("  {} lines of {} other files\n---- end ----\n", others, files);
}

json recall(std::size_t failed, std::size_t missed) {
  if (failed == 0) return nullptr;
  return 1 - static_cast<double>(missed) / static_cast<double>(failed);
}

}  // namespace

comparison compare(const full_plan& p, const std::map<std::string, verdict>& verdicts,
                   const std::set<std::string>& skipped) {
  comparison c;
  for (const auto& test : p.plan.tests) {
    const std::string& name = p.request.tests[test.test].name;
    ++c.tests;
    c.selected += test.selected ? 1 : 0;
    const auto at = verdicts.find(name);
    if (at == verdicts.end()) {
      const bool was_skipped = skipped.count(name) != 0 || skipped.count(p.request.tests[test.test].case_name) != 0;
      if (!was_skipped) c.unseen.push_back(name);
      continue;
    }
    c.seconds += at->second.seconds;
    if (test.selected) c.selected_seconds += at->second.seconds;
    if (!at->second.failed) continue;
    if (!test.selected && p.request.flaky.count(name) != 0) {
      c.flaky.push_back(name);
      continue;
    }
    ++c.failed;
    if (test.selected) continue;
    const bool is_affected = std::any_of(test.reasons.begin(), test.reasons.end(), [](const auto& why) {
      return row_of(why.kind).leads_to == selection::decision::selected;
    });
    if (is_affected)
      c.deferred.push_back(name);
    else
      c.missed.push_back(&test);
  }
  return c;
}

history sum_up(const std::vector<store::audit>& newest_first, const std::string& configuration, std::size_t most) {
  history h;
  for (const store::audit& a : newest_first) {
    if (a.configuration != configuration || h.runs == most) continue;
    ++h.runs;
    h.failed += a.failed;
    h.missed += a.missed.size();
    h.selected_share += a.tests == 0 ? 0 : static_cast<double>(a.selected) / a.tests;
    h.time_share += a.full_us == 0 ? 0 : static_cast<double>(a.selected_us) / static_cast<double>(a.full_us);
  }
  if (h.runs != 0) {
    h.selected_share /= static_cast<double>(h.runs);
    h.time_share /= static_cast<double>(h.runs);
  }
  return h;
}

contract::outcome<audit_result> run_audit(const build::build_tree& tree, plan_options options,
                                          const audit_arguments& arguments) {
  auto past = plan_before_run(tree, std::move(options), arguments.reports);
  if (!past) return tl::unexpected(past.error());
  const full_plan& p = *past->plan;
  comparison c = compare(p, past->run.verdicts, past->run.skipped);

  auto kept = store::evidence_store::open_for_writing(workspace::writable_store_path(tree, &past->repo));
  if (!kept) return contract::not_done(contract::environment, kept.error());
  if (c.is_full()) {
    const auto micros = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e6); };
    const auto [first, among] = place_of_failure(p, past->run.verdicts);
    store::audit a{workspace::configuration_id(tree),
                   past->run.ran_on,
                   p.facts ? p.facts->info.taken_from.commit : std::string(),
                   past->run.ended,
                   p.request.head ? p.request.head->commit : std::string(),
                   static_cast<std::uint32_t>(c.tests),
                   static_cast<std::uint32_t>(c.selected),
                   static_cast<std::uint32_t>(c.failed),
                   micros(c.seconds),
                   micros(c.selected_seconds),
                   {},
                   first,
                   among};
    for (const auto* test : c.missed) a.missed.push_back(p.request.tests[test->test].name);
    if (auto added = kept->add_audit(a); !added) return contract::not_done(contract::environment, added.error());
  }
  const auto audits = kept->audits();
  if (!audits) return contract::not_done(contract::environment, audits.error());
  const history all = sum_up(*audits, workspace::configuration_id(tree), arguments.runs);
  return audit_result{std::move(*past), std::move(c), all};
}

std::string as_text(const audit_result& of) {
  const full_plan& p = *of.past.plan;
  const comparison& c = of.run;
  const history& h = of.before;
  std::string text;
  for (const std::string& note : p.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format(
      "audit: {} of {} failed, {} of them would not have run; the plan ({}) runs {}, {:.2f} s of "
      "{:.2f} s; {}\n",
      c.failed, system::counted(c.tests, "test"), c.missed.size(), name_of(p.plan.state),
      system::counted(c.selected, "test"), c.selected_seconds, c.seconds, base_text(p));
  if (!c.deferred.empty())
    text += fmt::format("left out by a policy or the budget, and failed: {}\n", fmt::join(c.deferred, ", "));
  if (!c.flaky.empty())
    text += fmt::format("not counted, they passed and failed on the same content: {}\n", fmt::join(c.flaky, ", "));
  if (!c.is_full())
    text += fmt::format("not kept, it was no run of all tests: {} have no verdict on this content, '{}' for one\n",
                        c.unseen.size(), c.unseen.front());
  if (h.runs != 0)
    text += fmt::format(
        "the last {}: {}, {} missed{}; {:.1f} % of the tests and {:.1f} % of their time "
        "selected\n",
        system::counted(h.runs, "full run"), system::counted(h.failed, "failure"), h.missed,
        h.failed == 0 ? "" : fmt::format(" (recall {:.1f} %)", 100 * recall(h.failed, h.missed).get<double>()),
        100 * h.selected_share, 100 * h.time_share);
  for (const auto* test : c.missed) text += fmt::format("\n{}", bug_report(p, *test));
  return text;
}

std::string as_json(const audit_result& of) {
  const full_plan& p = *of.past.plan;
  const comparison& c = of.run;
  const history& h = of.before;
  json missed = json::array();
  for (const auto* test : c.missed)
    missed.push_back({{"name", p.request.tests[test->test].name}, {"report", bug_report(p, *test)}});
  const json run{{"full", c.is_full()},
                 {"tests", c.tests},
                 {"selected", c.selected},
                 {"failed", c.failed},
                 {"missed", missed},
                 {"flaky", c.flaky},
                 {"deferred", c.deferred},
                 {"without_verdict", c.unseen},
                 {"recall", recall(c.failed, c.missed.size())},
                 {"seconds", c.seconds},
                 {"selected_seconds", c.selected_seconds},
                 {"state", name_of(p.plan.state)}};
  const json all{{"runs", h.runs},
                 {"failed", h.failed},
                 {"missed", h.missed},
                 {"recall", recall(h.failed, h.missed)},
                 {"selected_share", h.runs == 0 ? json(nullptr) : json(h.selected_share)},
                 {"time_share", h.runs == 0 ? json(nullptr) : json(h.time_share)}};
  return json{{"schema", contract::audit_schema}, {"run", run}, {"history", all}, {"notes", p.notes}}.dump(
             1, ' ', false, json::error_handler_t::replace) +
         '\n';
}

}  // namespace morph::planning
