// What each search may look for, how long it may take, and what came of it.
#include "plugin/generate/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/generate/minimize.hpp"
#include "plugin/generate/pairs.hpp"
#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

using looks_for = compared_way::looks_for;

std::vector<bool> goals_of_caller(const subject& of) {
  std::vector<bool> made(of.goals.goals.size(), false);
  for (const tested_function& each : of.goals.functions)
    if (of.called_classes.contains(each.class_name))
      for (const std::uint32_t goal : each.goals) made[goal] = true;
  return made;
}

std::size_t branches_in(const subject& of, const std::vector<bool>& of_caller, const auto& has) {
  std::size_t made = 0;
  for (std::uint32_t g = 0; g < of_caller.size(); ++g)
    made += of_caller[g] && of.goals.goals[g].is_possible && !of.goals.goals[g].condition.empty() && has(g) ? 1U : 0U;
  return made;
}

/// One search, and the tests that would be kept.
class compared_run {
 public:
  compared_run(const compared_way& way, const subject& of, served_program& served, api offered, literal_table literals)
      : way_(way),
        subject_(of),
        served_(served),
        api_(std::move(offered)),
        literals_(std::move(literals)),
        pairs_(of.goals),
        of_caller_(goals_of_caller(of)) {
    made_.name = way.name;
    if (way_.what == looks_for::branches || is_random()) prefer_none();
  }

  result<compared_search> run(known_inputs known, const comparison_request& asked, system::observer& told) {
    const double own = system::cpu_seconds(), served = served_.cpu_seconds();
    const auto spent = [&] { return system::cpu_seconds() - own + served_.cpu_seconds() - served; };
    optimizer::random_source random(asked.seed);
    const std::vector<objective> goals = objectives();
    const search_options options{.by = way_.by, .most_sequences = asked.most_sequences};
    auto found = search(
        api_, literals_, goals, options, [&](const auto& all) { return evaluate(all); },
        [&](const search_row& row) {
          told.reach(row.reached, fmt::format("{}: {} sequences", way_.name, row.sequences));
          return system::interrupted() || (asked.cpu_seconds > 0 && spent() >= asked.cpu_seconds);
        },
        random, optimize::search_goals_by_pagmo, &known);
    if (!found) return tl::unexpected(found.error());
    made_.cpu_seconds = spent();
    made_.sequences = found->sequences;
    made_.rows = std::move(found->rows);
    made_.branches = branches_in(subject_, of_caller_, [&](std::uint32_t g) { return found->archive.contains(g); });
    if (auto kept = keep(std::move(*found)); !kept) return tl::unexpected(kept.error());
    return std::move(made_);
  }

 private:
  std::size_t goals() const { return subject_.goals.goals.size(); }
  bool is_random() const { return way_.by == search_options::algorithm::random; }

  void prefer_none() {
    std::set<std::uint32_t> known;
    std::erase_if(api_.of_unit, [&](std::uint32_t each) { return !known.insert(each).second; });
  }

  std::vector<objective> objectives() const {
    std::vector<objective> made = subject_.goals.objectives;
    for (std::uint32_t g = 0; g < goals(); ++g) {
      if (way_.what == looks_for::both) made[g].is_wanted = subject_.goals.goals[g].is_wanted;
      if (way_.what != looks_for::branches) continue;
      made[g].is_wanted = of_caller_[g];
      made[g].is_possible = made[g].is_possible && (of_caller_[g] || !subject_.goals.goals[g].is_wanted);
    }
    if (way_.what == looks_for::branches) made.resize(goals());
    return made;
  }

  /// A search of branches does not learn of pairs.
  result<std::vector<outcome>> evaluate(const std::vector<sequence>& all) {
    auto outcomes = served_.run(all, literals_, morph_run_leaves_out);
    if (!outcomes) return outcomes;
    for (outcome& each : *outcomes) {
      pairs_.add(each);
      if (each.can_be_a_test()) add_pairs(each, made_.executed);
      if (way_.what == looks_for::branches)
        std::erase_if(each.goals, [&](const auto& one) { return one.first >= goals(); });
    }
    return outcomes;
  }

  void add_pairs(const outcome& of, std::set<std::size_t>& to) const {
    for (const auto& [goal, distance] : of.goals)
      if (goal >= goals() && distance == 0) to.insert(goal - goals());
  }

  /// What takes pairs is kept for them. A search at random keeps all that passes.
  result<void> keep(search_result found) {
    if (way_.what != looks_for::branches) {
      made_.covered = made_.selected = made_.executed;
      std::set<sequence> tests;
      for (const auto& [goal, one] : found.archive)
        if (goal >= goals()) tests.insert(one.calls);
      made_.tests = is_random() ? found.sequences : tests.size();
      return {};
    }
    const auto is_other = [&](const auto& each) { return each.first >= goals() || !of_caller_[each.first]; };
    std::erase_if(found.archive, is_other);
    std::vector<sequence> selected;
    for (const auto& [goal, one] : found.archive) selected.push_back(one.calls);
    if (auto done = count(selected, made_.selected); !done) return done;
    const evaluator of_branches = [&](const std::vector<sequence>& all) {
      auto outcomes = served_.run(all, literals_, 0);
      if (outcomes)
        for (outcome& each : *outcomes) std::erase_if(each.goals, is_other);
      return outcomes;
    };
    const auto kept = minimized(found, api_, literals_, of_branches);
    if (!kept) return tl::unexpected(kept.error());
    made_.tests = kept->size();
    std::vector<sequence> tests;
    for (const kept_test& each : *kept) tests.push_back(each.one.calls);
    return count(tests, made_.covered);
  }

  result<void> count(const std::vector<sequence>& tests, std::set<std::size_t>& to) {
    auto outcomes = served_.run(tests, literals_, 0);
    if (!outcomes) return tl::unexpected(outcomes.error());
    for (outcome& each : *outcomes) {
      pairs_.add(each);
      add_pairs(each, to);
    }
    return {};
  }

  const compared_way& way_;
  const subject& subject_;
  served_program& served_;
  api api_;
  literal_table literals_;
  pair_distances pairs_;
  std::vector<bool> of_caller_;
  compared_search made_;
};

}  // namespace

result<comparison> compare_searches(const subject& of, const call_program& program, const api& offered,
                                    const literal_table& literals, const known_inputs& known,
                                    const comparison_request& asked, system::observer& told) {
  comparison made{.pairs = of.goals.pairs.size(),
                  .branches = branches_in(of, goals_of_caller(of), [](std::uint32_t) { return true; }),
                  .unseen_pairs = of.goals.unseen_pairs};
  for (const compared_way& each : compared_ways) {
    if (std::ranges::find(asked.ways, each.name) == asked.ways.end()) continue;
    auto served = served_program::start(program.executable, program.folder);
    if (!served) return tl::unexpected(served.error());
    told.begin(of.goals.objectives.size(), "branches and pairs of them");
    auto one = compared_run(each, of, *served, offered, literals).run(known, asked, told);
    told.end();
    if (!one) return tl::unexpected(one.error());
    made.searches.push_back(std::move(*one));
    if (system::interrupted()) break;
  }
  return made;
}

std::string as_text(const comparison& of, const class_pair& pair) {
  std::string text =
      fmt::format("{}:{}: {} coupled branches\n  {:<12}{:>8}{:>8}{:>10}{:>10}{:>11}{:>8}\n", pair.caller, pair.callee,
                  of.pairs, "search", "tests", "taken", "%", "executed", "sequences", "CPU s");
  for (const compared_search& each : of.searches)
    text += fmt::format("  {:<12}{:>8}{:>8}{:>10.1f}{:>10}{:>11}{:>8.1f}\n", each.name, each.tests, each.covered.size(),
                        100.0 * static_cast<double>(each.covered.size()) / static_cast<double>(of.pairs),
                        each.executed.size(), each.sequences, each.cpu_seconds);
  if (of.unseen_pairs > 0) text += fmt::format("  {} more have a branch that cannot report\n", of.unseen_pairs);
  return text;
}

}  // namespace morph::generate
