// The steps, and what has to fit: sources, results, observations.
#include "plugin/explain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "plugin/explain/choice.hpp"
#include "plugin/explain/kept.hpp"
#include "plugin/explain/properties.hpp"
#include "plugin/explain/suggestion.hpp"
#include "plugin/explain/test_framework.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/observing/run.hpp"
#include "plugin/report/work_tree.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"

namespace morph::explain {
namespace {

using observation::observed_mutant;
using observation::symptom;

/// Else nothing is known, which is not the same as no infection.
bool is_observed(const observed_mutant& of) {
  return !of.differences.empty() ||
         std::ranges::any_of(of.tests, [](const observation::observed_test& each) { return each.calls > 0; });
}

class explaining {
 public:
  explaining(const build::build_tree& tree, const request& asked, system::observer& told)
      : tree_(tree), asked_(asked), told_(told), texts_(tree.source_dir) {}

  contract::outcome<explained> run() {
    auto result = mutating::last_result(tree_);
    if (!result) return contract::not_done(contract::environment, result.error());
    const auto chosen = chosen_of(*result);
    if (!chosen) return tl::unexpected(chosen.error());
    made_.said.at = std::time(nullptr);
    made_.said.left_out = chosen->left_out;
    std::vector<explained_change> changes;
    for (const report_number each : chosen->mutants) {
      if (auto fits = is_current(result->files[each.file]); !fits)
        return contract::not_done(contract::environment, fits.error());
      changes.push_back(change_of(*result, each));
    }
    if (!changes.empty()) {
      const auto observed = observations_of(changes, chosen->mutants, result->at);
      if (!observed) return contract::not_done(contract::environment, observed.error());
      if (auto done = explain(changes, *observed); !done)
        return contract::not_done(contract::environment, done.error());
    }
    if (auto kept = system::write_file_atomically(report_path(tree_), as_json(made_.said)); !kept)
      return contract::not_done(contract::environment, kept.error());
    return std::move(made_);
  }

 private:
  using report_number = report::mutant_number;

  contract::outcome<chosen_mutants> chosen_of(const report::mutation_result& result) const {
    choice by{.named = asked_.named, .among = {}, .most = asked_.most};
    if (asked_.only_changed || !asked_.since.empty()) {
      auto changed = mutating::lines_changed_since(tree_, asked_.since);
      if (!changed) return contract::not_done(contract::environment, changed.error());
      by.among = std::move(*changed);
    }
    auto chosen = choose(result, by);
    if (!chosen) return contract::not_done(contract::usage, chosen.error());
    return std::move(*chosen);
  }

  result<void> is_current(const report::mutated_source& file) const {
    const auto text = system::read_file(tree_.source_dir / file.path);
    if (text && *text == file.text) return {};
    return tl::unexpected(
        fmt::format("'{}' has changed since the last `morph mutate`; run `morph mutate` again", file.path));
  }

  /// Those that are kept, and for the others new ones, which are kept, too.
  result<std::map<std::string, observed_mutant>> observations_of(const std::vector<explained_change>& changes,
                                                                 const std::vector<report_number>& numbers,
                                                                 std::int64_t of) {
    const bool is_infection_alone = asked_.until == stage::infection;
    auto kept = read_observations(tree_);
    if (kept && (kept->of != of || (kept->stage == "infection" && !is_infection_alone)))
      kept = tl::unexpected(std::string("what was observed is of an earlier `morph mutate`, or of its first stage"));
    std::map<std::string, observed_mutant> known;
    if (kept)
      for (const observed_mutant& each : kept->mutants) known.emplace(each.id, each);
    std::vector<observing::wanted_mutant> open;
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (!known.contains(changes[i].id)) open.push_back({numbers[i].file, numbers[i].mutant, changes[i].id});
    // What was observed of tests is worth more.
    const bool has_tests = kept && kept->stage != "infection";
    saw_calls_alone_ = is_infection_alone && !(has_tests && open.empty());
    if (open.empty()) return known;
    if (asked_.until == stage::suggestion) {
      const std::string why = kept ? fmt::format("'{}' was not observed", open.front().id) : kept.error();
      return tl::unexpected(fmt::format("{}; without --stage, or with --stage propagation, its tests run", why));
    }
    observing::request request{.mutants = std::move(open), .runs = asked_.runs, .jobs = asked_.jobs};
    if (is_infection_alone) request.only = observation::level::call;
    auto observed = observing::run(tree_, request, told_);
    if (!observed) return tl::unexpected(observed.error());
    kept_observations all{of, is_infection_alone ? "infection" : "propagation", {}};
    for (observed_mutant& each : *observed) known[each.id] = std::move(each);
    for (const auto& [id, each] : known) all.mutants.push_back(each);
    if (is_infection_alone && has_tests) return known;
    if (auto written = keep_observations(tree_, all); !written) return tl::unexpected(written.error());
    return known;
  }

  result<void> explain(const std::vector<explained_change>& changes,
                       const std::map<std::string, observed_mutant>& observed) {
    std::set<std::string> functions, classes;
    test_frameworks frameworks;
    std::map<std::string, std::size_t> unobserved;  // by the reason
    for (const explained_change& change : changes) {
      const auto seen = observed.find(change.id);
      if (seen == observed.end() || !is_observed(seen->second)) {
        const bool is_said = seen != observed.end() && !seen->second.not_read.empty();
        ++unobserved[is_said ? ": " + report::on_one_line(seen->second.not_read.front()) : ""];
        continue;
      }
      made_.said.explanations.push_back({.change = change, .seen = seen->second});
      if (seen->second.means == symptom::no_propagation) {
        functions.insert(change.function);
        if (const auto& all = seen->second.differences; !all.empty() && all.front().is_private)
          classes.insert(class_of_function(change.function));
      }
      for (const observation::difference& each : seen->second.differences) {
        if (each.where != observation::level::test) continue;
        if (each.is_private) classes.insert(class_of(each.type));
        frameworks.try_emplace(each.place.file, framework_of_tests(tree_, each.place.file));
      }
    }
    for (const auto& [why, count] : unobserved)
      made_.said.notes.push_back(fmt::format("{} could not be observed{}", system::counted(count, "survivor"), why));
    if (saw_calls_alone_) made_.said.notes.push_back("only calls were observed: what tests see is not known");
    if (asked_.until == stage::infection || asked_.until == stage::propagation) return {};
    if (!functions.empty() || !classes.empty()) {
      auto read = read_functions(tree_, functions, classes, told_);
      if (!read) return tl::unexpected(read.error());
      made_.functions = std::move(*read);
    }
    for (explanation& each : made_.said.explanations) {
      each.advice = suggestion_for(each.change, each.seen, made_.functions, frameworks);
      if (const auto* leads = leading_difference(each); leads != nullptr && leads->instruction.line > 0)
        each.instruction = texts_.line(leads->instruction.file, leads->instruction.line);
    }
    return {};
  }

  const build::build_tree& tree_;
  const request& asked_;
  system::observer& told_;
  report::work_tree_text texts_;
  explained made_;
  bool saw_calls_alone_ = false;
};

}  // namespace

contract::outcome<explained> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  return explaining(tree, asked, told).run();
}

}  // namespace morph::explain
