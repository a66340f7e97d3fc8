// Tiers, batches, and the choice of GRANULARITY auto.
#include "plugin/planning/ctest_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/contract/formats.hpp"
#include "plugin/frameworks/batch.hpp"
#include "plugin/frameworks/last_runs.hpp"
#include "plugin/selection/granularity.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;

constexpr std::size_t tiers = 4;  // the first is for urgent tests

/// A case of a suite, where it is listed and what the plan says.
struct placed_case {
  std::size_t program;
  const frameworks::listed_case* listed;
  const selection::planned_test* planned;
};

/// The enabled cases of each suite, in declared order.
std::vector<std::vector<placed_case>> place_cases(const full_plan& p) {
  std::vector<std::vector<placed_case>> suites(p.suites.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < p.suites.size(); ++s)
    for (std::size_t program = 0; program < p.suites[s].programs.size(); ++program)
      for (const frameworks::listed_case& c : p.suites[s].programs[program].cases)
        if (!c.disabled) suites[s].push_back({program, &c, &p.plan.tests[next++]});
  return suites;
}

/// What `auto` chose for each suite the last time.
class remembered_choices {
 public:
  explicit remembered_choices(const build::build_tree& tree) : path_(tree.own_dir() / "granularity.json") {
    const auto text = system::read_file(path_);
    const json known = text ? json::parse(*text, nullptr, false) : json();
    if (known.is_object() && known.value("schema", json()) == contract::granularity_schema &&
        known.value("batched", json()).is_array())
      for (const json& name : known["batched"])
        if (name.is_string()) batched_.insert(name.get<std::string>());
    before_ = batched_;
  }
  bool had_batches(const std::string& suite) const { return before_.count(suite) != 0; }
  void set(const std::string& suite, bool batches) {
    if (batches)
      batched_.insert(suite);
    else
      batched_.erase(suite);
  }
  /// Without it the next choice is made afresh.
  void save() const {
    if (batched_ != before_)
      (void)system::write_file_atomically(path_,
                                          json{{"schema", contract::granularity_schema}, {"batched", batched_}}.dump());
  }

 private:
  std::filesystem::path path_;
  std::set<std::string> batched_, before_;
};

/// "case", "tier" or "suite".
std::string granularity_of(const build::suite& suite, const std::vector<placed_case>& cases,
                           remembered_choices& choices) {
  if (suite.framework == "none") return "case";
  if (suite.granularity != "auto") return suite.granularity;
  double seconds = 0;
  bool measured = true;
  for (const placed_case& c : cases) {
    measured = measured && c.planned->seconds;
    seconds += c.planned->seconds.value_or(0);
  }
  const bool batches = selection::prefers_batches(cases.size(), measured ? std::optional(seconds) : std::nullopt,
                                                  choices.had_batches(suite.name));
  choices.set(suite.name, batches);
  return batches ? "tier" : "case";
}

std::vector<std::string> entry_names(const std::string& suite, const std::string& granularity) {
  if (granularity == "suite") return {suite + ".selected", suite + ".deferred"};
  std::vector<std::string> names;
  for (std::size_t tier = 1; tier <= tiers; ++tier) names.push_back(fmt::format("{}.tier{}", suite, tier));
  names.push_back(suite + ".deferred");
  return names;
}

/// Urgent and always selected tests first; the rest in equal parts by rank.
std::vector<std::vector<placed_case>> split_in_tiers(std::vector<placed_case> selected) {
  const auto by_rank = [](const placed_case& a, const placed_case& b) { return *a.planned->rank < *b.planned->rank; };
  const auto is_first = [](const placed_case& c) {
    return selection::urgency_of(*c.planned) <= selection::urgency::changed ||
           std::any_of(c.planned->reasons.begin(), c.planned->reasons.end(),
                       [](const auto& why) { return why.kind == selection::reason_kind::always; });
  };
  std::sort(selected.begin(), selected.end(), by_rank);
  const auto rest = std::stable_partition(selected.begin(), selected.end(), is_first);
  std::vector<std::vector<placed_case>> parts{{selected.begin(), rest}};
  const std::size_t left = static_cast<std::size_t>(selected.end() - rest);
  for (std::size_t part = 0; part + 1 < tiers; ++part) {
    const auto at = [&](std::size_t i) { return rest + static_cast<std::ptrdiff_t>(left * i / (tiers - 1)); };
    parts.emplace_back(at(part), at(part + 1));
  }
  return parts;
}

/// As batches keep it.
std::vector<std::string> entries_of(const test_recording& recording) {
  std::vector<std::string> entries{"LD_PRELOAD=" + recording.preload};
  for (const auto& [name, value] : recording.variables) entries.push_back(name + "=" + value);
  entries.push_back(recording.name);
  return entries;
}

/// In declared order, so that equal sets of tests are equal batches; what runs inside a batch first is the framework's
/// to say.
result<batch_entry> make_entry(const build::build_tree& tree, const build::suite& suite, std::string name,
                               std::vector<placed_case> cases, const std::optional<test_recording>& recording) {
  batch_entry entry;
  entry.name = std::move(name);
  if (cases.empty()) return entry;
  frameworks::batch batch = frameworks::make_batch(tree, suite, entry.name);
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.planned->test < b.planned->test; });
  std::optional<std::size_t> program;
  for (const placed_case& c : cases) {
    if (program != c.program) batch.programs.push_back({suite.programs[c.program].executable, {}});
    program = c.program;
    batch.programs.back().cases.push_back({c.listed->case_name, c.listed->name});
    if (!recording) continue;
    if (const auto at = recording->tests.find(c.planned->test); at != recording->tests.end()) {
      batch.programs.back().cases.back().record = at->second;
      batch.recording = entries_of(*recording);
    }
  }
  auto path = frameworks::keep_batch(batch);
  if (!path) return tl::unexpected(path.error());
  entry.batch = path->string();
  // A start, a case and an end may each take the time of a case; it only has to be there for `ctest --stop-time` and
  // for the day `morph run` itself hangs.
  entry.timeout = 2 * (static_cast<double>(cases.size()) + 1) * batch.timeout;
  return entry;
}

/// By ctest name of a case that failed when it last ran: the entry that ran it.
std::map<std::string, std::string> entries_of_failures(const build::build_tree& tree) {
  std::map<std::string, std::string> entries;
  for (const frameworks::run_outcome& o : workspace::last_runs(tree))
    if (o.failed && !o.entry.empty()) entries[o.name] = o.entry;
  return entries;
}

/// `ctest --rerun-failed` repeats entries: while a case fails, the one that it failed in has it too. By entry.
std::vector<std::vector<placed_case>> kept_where_they_failed(const std::vector<placed_case>& cases,
                                                             const std::vector<std::string>& names,
                                                             const std::map<std::string, std::string>& failed_in,
                                                             const std::vector<std::vector<placed_case>>& parts) {
  std::vector<std::vector<placed_case>> kept(parts.size());
  if (failed_in.empty()) return kept;
  for (const placed_case& c : cases) {
    const auto entry = failed_in.find(c.listed->name);
    if (entry == failed_in.end()) continue;
    const auto at = std::find(names.begin(), names.end(), entry->second);
    if (at == names.end()) continue;
    const auto index = static_cast<std::size_t>(at - names.begin());
    const auto& part = parts[index];
    const bool is_there = std::any_of(part.begin(), part.end(), [&](const placed_case& other) {
      return other.listed->name == c.listed->name && other.program == c.program;
    });
    if (!is_there) kept[index].push_back(c);
  }
  return kept;
}

/// `parts` are as many as `names`; the last one is not selected. `kept` are cases that run in an entry besides.
result<std::vector<batch_entry>> make_suite_entries(const build::build_tree& tree, const build::suite& suite,
                                                    const std::vector<std::string>& names,
                                                    const std::vector<std::vector<placed_case>>& parts,
                                                    const std::vector<std::vector<placed_case>>& kept,
                                                    const std::optional<test_recording>& recording) {
  std::vector<batch_entry> entries;
  int cost = -1;
  for (std::size_t i = names.size(); i-- > 0;) {
    std::vector<placed_case> cases = parts[i];
    cases.insert(cases.end(), kept[i].begin(), kept[i].end());
    auto entry = make_entry(tree, suite, names[i], std::move(cases), recording);
    if (!entry) return tl::unexpected(entry.error());
    if (i + 1 < names.size() && !parts[i].empty()) {
      entry->selected = true;
      // Of its best test, and never less than a later tier's.
      for (const placed_case& c : parts[i])
        cost = std::max(cost, first_cost - static_cast<int>(c.planned->rank.value_or(0)));
      entry->cost = cost;
    }
    entries.insert(entries.begin(), std::move(*entry));
  }
  return entries;
}

}  // namespace

std::vector<suite_entries> make_entries(const build::build_tree& tree, const full_plan& p,
                                        const std::optional<test_recording>& recording,
                                        std::vector<std::string>& notes) {
  std::vector<suite_entries> result;
  remembered_choices choices(tree);
  const auto cases = place_cases(p);
  const auto failed_in = entries_of_failures(tree);
  for (std::size_t s = 0; s < p.suites.size(); ++s) {
    const build::suite& suite = *p.suites[s].declared;
    result.emplace_back();
    const std::string granularity = granularity_of(suite, cases[s], choices);
    if (granularity == "case") continue;
    std::vector<placed_case> selected, deferred;
    for (const placed_case& c : cases[s]) (c.planned->selected ? selected : deferred).push_back(c);
    std::vector<std::vector<placed_case>> parts{selected};
    if (granularity == "tier") parts = split_in_tiers(selected);
    parts.push_back(deferred);
    const std::vector<std::string> names = entry_names(suite.name, granularity);
    auto entries = make_suite_entries(tree, suite, names, parts,
                                      kept_where_they_failed(cases[s], names, failed_in, parts), recording);
    if (entries)
      result.back() = std::move(*entries);
    else
      notes.push_back(fmt::format("suite '{}': its batches cannot be kept: {}; every case is an entry of its own",
                                  suite.name, entries.error()));
  }
  choices.save();
  frameworks::remove_old_batches(tree);
  return result;
}

std::vector<suite_entries> make_fallback_entries(const build::build_tree& tree, const full_plan& p,
                                                 const std::vector<suite_entries>& planned) {
  std::vector<suite_entries> result;
  const auto cases = place_cases(p);
  for (std::size_t s = 0; s < p.suites.size(); ++s) {
    result.emplace_back();
    if (!planned[s]) continue;
    std::vector<std::string> names;
    for (const batch_entry& entry : *planned[s]) names.push_back(entry.name);
    std::vector<std::vector<placed_case>> parts(names.size());
    parts.front() = cases[s];
    auto entries = make_suite_entries(tree, *p.suites[s].declared, names, parts,
                                      std::vector<std::vector<placed_case>>(names.size()), std::nullopt);
    if (!entries) continue;
    for (batch_entry& entry : *entries)
      if (entry.selected) entry.cost = first_cost;  // whatever the plan
    result.back() = std::move(*entries);
  }
  return result;
}

}  // namespace morph::planning
