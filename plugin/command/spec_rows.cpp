#include "plugin/command/spec_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plugin/command/mutate_report.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/files.hpp"
#include "plugin/report/mutation_json.hpp"

namespace morph::command {
namespace {

/// The last part of a case's name.
std::string id_in(const std::string& test) {
  return test.substr(test.rfind('.') + 1);
}

}  // namespace

suite_rows rows_of(const project::build_tree& tree, const project::suite& suite, const std::set<std::string>& ids) {
  suite_rows found;
  surroundings around = open_surroundings(tree);
  found.missing = around.missing;
  if (!found.missing.empty()) return found;
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  const auto baseline = find_baseline(tree, *around.repo, *around.evidence, kinds, {}, false);
  if (!baseline) {
    found.missing = baseline.error();
    return found;
  }
  std::set<std::string> test_files;
  for (const listed_suite& each : list_suites(tree))
    for (const project::listed_program& of : each.programs)
      for (const project::listed_case& test : of.cases)
        test_files.insert(std::filesystem::path(test.file).lexically_normal().string());
  found.all = report::make_coverage(baseline->facts);
  report::follow_changes(found.all, baseline->changes);
  report::keep_files(found.all, [&](const std::string& path) {
    return test_files.count((std::filesystem::path(around.repo->root()) / path).lexically_normal().string()) == 0;
  });
  for (std::uint32_t t = 0; t < found.all.tests.size(); ++t) {
    if (found.all.tests[t].suite != suite.name) continue;
    found.of_suite.push_back(t);
    const std::string id = id_in(found.all.tests[t].facts.case_name);
    if (ids.count(id) != 0) found.of_cases.emplace(id, t);
  }
  if (found.of_suite.empty()) found.missing = "the suite was not measured";
  return found;
}

report::file_tally tally_of(const suite_rows& rows) {
  std::vector<bool> runs(rows.all.test_sets.size(), false);
  const auto add = [&](std::uint32_t test) {
    const std::vector<bool> has = report::sets_with(rows.all, test);
    for (std::size_t s = 0; s < runs.size(); ++s) runs[s] = runs[s] || has[s];
  };
  if (rows.of_cases.empty())
    std::ranges::for_each(rows.of_suite, add);
  else
    for (const auto& [id, test] : rows.of_cases) add(test);
  report::file_tally sum;
  const auto tally_set = [&](report::tally& to, report::set_id set) { to.add(runs[set] ? set : report::nobody); };
  for (const report::reported_file& file : rows.all.files) {
    for (const report::reported_line& line : file.lines) {
      tally_set(sum.lines, line.tests);
      for (const report::reported_outcome& branch : line.branches) tally_set(sum.branches, branch.tests);
    }
    for (const report::reported_function& function : file.functions) tally_set(sum.functions, function.tests);
  }
  return sum;
}

reduced_cases reduce_cases(const suite_rows& rows, std::optional<std::uint32_t> most, const case_wishes& wishes) {
  std::vector<std::int64_t> weight_of_set(rows.all.test_sets.size(), 0);
  for (const report::reported_file& file : rows.all.files)
    for (const report::reported_line& line : file.lines) {
      ++weight_of_set[line.tests];
      for (const report::reported_outcome& branch : line.branches) ++weight_of_set[branch.tests];
    }
  weight_of_set[report::nobody] = 0;
  const auto sets = static_cast<std::uint32_t>(weight_of_set.size());
  std::map<std::string, std::uint32_t> number_of;
  for (const auto& [id, served] : wishes.serves)
    if (rows.of_cases.count(id) != 0)
      for (const std::string& each : served)
        number_of.emplace(each, sets + static_cast<std::uint32_t>(number_of.size()));
  weight_of_set.resize(sets + number_of.size(), 1);
  optimizer::matrix_builder builder({{"coverage", sets}, {"served", static_cast<std::uint32_t>(number_of.size())}},
                                    weight_of_set);
  // Fewer of what is not preferred come second: their sum stays below one case's cost.
  const std::int64_t cost =
      most || wishes.preferred.empty() ? 1 : 2 * static_cast<std::int64_t>(rows.of_cases.size()) + 1;
  std::vector<std::string> ids;
  std::vector<bool> any(sets, false);
  for (const auto& [id, test] : rows.of_cases) {
    const std::vector<bool> has = report::sets_with(rows.all, test);
    std::vector<std::uint32_t> covers;
    for (std::uint32_t set = 0; set < has.size(); ++set)
      if (has[set]) covers.push_back(set), any[set] = true;
    if (const auto served = wishes.serves.find(id); served != wishes.serves.end())
      for (const std::string& each : served->second) covers.push_back(number_of.at(each));
    builder.add_test(cost > 1 && wishes.preferred.count(id) == 0 ? cost + 1 : cost, covers);
    ids.push_back(id);
  }
  const auto problem = optimizer::weigh(std::make_shared<const optimizer::cover_matrix>(std::move(builder).finish()));
  const optimizer::reduced_set found = most ? optimizer::best_within(problem, *most) : optimizer::minimal_set(problem);
  reduced_cases made;
  const std::int64_t unserved = problem.total_weight - found.set.covered;
  for (std::uint32_t set = 0; set < sets; ++set)
    if (any[set]) made.all += weight_of_set[set];
  made.covered = made.all - unserved;
  made.is_proven = found.proven;
  made.bound = most ? found.bound : found.bound / cost;
  for (std::uint32_t t = 0; t < ids.size(); ++t)
    if (optimizer::has(found.set.tests, t)) made.ids.push_back(ids[t]);
  return made;
}

pool_kills kills_of(const project::build_tree& tree, const project::suite& suite, const std::set<std::string>& ids) {
  pool_kills found;
  const auto text = project::read_file(mutation_result_path(tree));
  const auto result = text ? report::read_mutation(*text) : tl::unexpected(std::string("`morph mutate` did not run"));
  if (!result) {
    found.missing = result.error();
    return found;
  }
  for (const report::mutated_source& file : result->files)
    if (const auto now = project::read_file(tree.source_dir / file.path); !now || *now != file.text) {
      found.missing = fmt::format("'{}' has changed since `morph mutate`", file.path);
      return found;
    }
  std::set<std::string> of_suite, of_cases;
  for (const report::judging_test& test : result->tests) {
    if (test.suite != suite.name || !test.why_left_out.empty()) continue;
    of_suite.insert(test.name);
    if (ids.count(id_in(test.name)) != 0) of_cases.insert(test.name);
  }
  found.of_cases = !of_cases.empty();
  const auto& tests = found.of_cases ? of_cases : of_suite;
  if (tests.empty()) {
    found.missing = "the suite did not judge mutants";
    return found;
  }
  found.is_all = result->has_all_killers || tests.size() == result->tests.size();
  for (const report::mutated_source& file : result->files)
    for (const report::mutant_result& m : file.mutants) {
      found.of.add(m.state);
      found.killed += std::ranges::any_of(m.killers, [&](const std::string& t) { return tests.count(t) != 0; }) ? 1 : 0;
    }
  return found;
}

}  // namespace morph::command
