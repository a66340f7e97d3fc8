// The forms of a chosen set.
#include "plugin/optimize/chosen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "optimizer/exact/exact.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"

namespace morph::optimize {
namespace {

double seconds(std::int64_t us) {
  return static_cast<double>(us) / 1e6;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 100 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// By group, what tests cover of it: a sum of weights, if requirements have any.
std::vector<std::int64_t> covered_of(const optimizer::cover_matrix& matrix) {
  std::vector<std::int64_t> sums(matrix.groups.size());
  for (std::size_t i = 0; i < matrix.members.size(); ++i) sums[i % sums.size()] += matrix.members[i];
  return sums;
}

std::string bound_of(const chosen_set& o) {
  if (o.budget_us)
    return fmt::format("within the budget at most {:.2f} % can be covered",
                       percent(o.reduced.bound, o.problem.total_weight));
  if (o.reduced.set.covered < o.problem.total_weight)
    return fmt::format("everything takes {:.2f} s at least", seconds(o.reduced.bound));
  return fmt::format("a cheaper one would take {:.2f} s at least", seconds(o.reduced.bound));
}

std::string verdict_of(const chosen_set& o) {
  if (o.reduced.proven)
    return o.budget_us ? "no other set within the budget covers more (proven)" : "no cheaper set does (proven)";
  return bound_of(o) + (optimizer::has_exact_lane() ? "" : " (CBC, which proves more, is not there)");
}

}  // namespace

std::vector<std::uint32_t> chosen_set::kept() const {
  std::vector<std::uint32_t> tests;
  for (std::uint32_t t = 0; t < roles.size(); ++t)
    if (keeps(t)) tests.push_back(t);
  std::stable_sort(tests.begin(), tests.end(), [&](auto a, auto b) { return roles[a].alone > roles[b].alone; });
  return tests;
}

nlohmann::json as_json(const optimize_instance& of, const chosen_set& o) {
  nlohmann::json tests = nlohmann::json::array(), groups = nlohmann::json::array();
  for (std::uint32_t t = 0; t < o.roles.size(); ++t) {
    const auto& role = o.roles[t];
    tests.push_back({{"name", of.file.tests[t]},
                     {"seconds", seconds(o.problem.matrix->cost_us[t])},
                     {"kept", o.keeps(t)},
                     {"covers", role.covers},
                     {"alone", role.alone},
                     {"same_as", role.same_as ? nlohmann::json(of.file.tests[*role.same_as]) : nullptr}});
  }
  const auto covered = covered_of(*o.problem.matrix);
  for (std::size_t g = 0; g < covered.size(); ++g)
    groups.push_back(
        {{"name", o.problem.matrix->groups[g].name}, {"covered", covered[g]}, {"weight", of.file.group_weights[g]}});
  nlohmann::json root{{"schema", contract::optimize_schema},
                      {"commit", of.commit.empty() ? nlohmann::json(nullptr) : nlohmann::json(of.commit)},
                      {"groups", groups},
                      {"classes", o.problem.matrix->class_count()},
                      {"weight", o.problem.total_weight},
                      {"covered", o.reduced.set.covered},
                      {"seconds", seconds(o.reduced.set.cost_us)},
                      {"total_seconds", seconds(o.problem.total_cost_us)},
                      {"proven", o.reduced.proven},
                      {"always", of.doubtful},
                      {"tests", tests}};
  if (o.budget_us) {
    root["budget_seconds"] = seconds(*o.budget_us);
    root["most_covered"] = o.reduced.bound;
  } else {
    root["least_seconds"] = seconds(o.reduced.bound);
  }
  return root;
}

std::string as_text(const optimize_instance& of, const chosen_set& o) {
  const auto kept = o.kept();
  const auto covered = covered_of(*o.problem.matrix);
  std::vector<std::string> of_groups;
  for (std::size_t g = 0; g < covered.size(); ++g)
    of_groups.push_back(fmt::format("{} {}", covered[g], o.problem.matrix->groups[g].name));
  std::string text = fmt::format(
      "{} of {} cover {} all of them cover ({}), in {:.2f} of {:.2f} s: {}\n", kept.size(),
      system::counted(o.roles.size(), "test"),
      o.reduced.set.covered == o.problem.total_weight
          ? std::string("everything that")
          : fmt::format("{:.2f} % of what", percent(o.reduced.set.covered, o.problem.total_weight)),
      fmt::join(of_groups, ", "), seconds(o.reduced.set.cost_us), seconds(o.problem.total_cost_us), verdict_of(o));
  if (!of.commit.empty()) text += fmt::format("measured at commit {}", of.commit.substr(0, 10));
  if (!of.without.empty())
    text += fmt::format("; {} not count", system::counted(of.without.size(), "file in which tests are registered does",
                                                          "files in which tests are registered do"));
  if (!of.commit.empty()) text += "\n";
  if (!of.doubtful.empty())
    text += fmt::format("beside them {} in any case, since their evidence is incomplete\n",
                        system::counted(of.doubtful.size(), "test that runs", "tests that run"));
  text += fmt::format("\n    seconds    covers   of it alone  test\n");
  for (const std::uint32_t t : kept)
    text += fmt::format(" {:10.4f} {:9} {:13}  {}\n", seconds(o.problem.matrix->cost_us[t]), o.roles[t].covers,
                        o.roles[t].alone, of.file.tests[t]);
  const auto same =
      std::count_if(o.roles.begin(), o.roles.end(), [](const auto& role) { return role.same_as.has_value(); });
  text += fmt::format(
      "\n{} left out; {} exactly what another one does. Faults may need a test that covers "
      "nothing\n"
      "of its own: leave none out for good, and run the others at night.\n",
      system::counted(o.roles.size() - kept.size(), "test is", "tests are"),
      system::counted(same, "test covers", "tests cover"));
  return text;
}

std::string as_names(const optimize_instance& of, const chosen_set& o) {
  std::string text;
  for (const std::string& name : of.doubtful) text += name + '\n';
  for (const std::uint32_t t : o.kept()) text += of.file.tests[t] + '\n';
  return text;
}

}  // namespace morph::optimize
