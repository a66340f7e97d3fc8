// Rows by case, and the few cases that cover as much.
#include "plugin/pools/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::pools {
namespace {

constexpr std::uint32_t no_case = ~std::uint32_t{0};
constexpr std::size_t many_cases = 10'000;

/// The last part of a case's name.
std::string id_in(const std::string& test) {
  return test.substr(test.rfind('.') + 1);
}

}  // namespace

suite_rows rows_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids) {
  suite_rows found;
  workspace::surroundings around = workspace::open_surroundings(tree);
  found.missing = around.missing;
  if (!found.missing.empty()) return found;
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  auto baseline = workspace::find_baseline(tree, *around.repo, *around.evidence, kinds, {});
  if (!baseline) {
    found.missing = baseline.error();
    return found;
  }
  std::set<std::string> named, test_files;
  for (const workspace::listed_suite& each : workspace::list_suites(tree))
    for (const frameworks::listed_program& of : each.programs)
      for (const frameworks::listed_case& test : of.cases) named.insert(test.file);
  for (const std::string& file : named) test_files.insert(std::filesystem::path(file).lexically_normal().string());
  found.all = report::make_coverage(baseline->facts);
  report::follow_changes(found.all, baseline->changes);
  report::keep_files(found.all, [&](const std::string& path) {
    return test_files.count((std::filesystem::path(around.repo->root()) / path).lexically_normal().string()) == 0;
  });
  found.root = around.repo->root();
  found.from = std::move(*baseline);
  std::vector<std::pair<std::string, std::uint32_t>> measured;
  for (std::uint32_t t = 0; t < found.all.tests.size(); ++t) {
    if (found.all.tests[t].suite != suite.name) continue;
    found.of_suite.push_back(t);
    measured.emplace_back(id_in(found.all.tests[t].facts.case_name), t);
  }
  // In one go through both: there may be 100,000.
  std::sort(measured.begin(), measured.end());
  auto wanted = ids.begin();
  for (auto& [id, test] : measured) {
    while (wanted != ids.end() && *wanted < id) ++wanted;
    if (wanted == ids.end()) break;
    if (*wanted == id) found.of_cases.emplace_hint(found.of_cases.end(), std::move(id), test);
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
  std::vector<const std::string*> ids;
  std::vector<std::uint32_t> place_of(rows.all.tests.size(), no_case);
  for (const auto& [id, test] : rows.of_cases) {
    place_of[test] = static_cast<std::uint32_t>(ids.size());
    ids.push_back(&id);
  }
  reduced_cases made;
  std::vector<std::vector<std::uint32_t>> covers(ids.size());
  for (std::uint32_t set = 0; set < sets; ++set) {
    if (weight_of_set[set] == 0) continue;
    bool has_case = false;
    for (const std::uint32_t test : rows.all.test_sets[set])
      if (place_of[test] != no_case) covers[place_of[test]].push_back(set), has_case = true;
    if (has_case) made.all += weight_of_set[set];
  }
  for (std::uint32_t c = 0; c < covers.size() && !number_of.empty(); ++c)
    if (const auto served = wishes.serves.find(*ids[c]); served != wishes.serves.end())
      for (const std::string& each : served->second) covers[c].push_back(number_of.at(each));
  // Of cases that do the same, one stands for all: what another adds is nothing.
  const auto is_preferred = [&](std::uint32_t c) { return wishes.preferred.count(*ids[c]) != 0; };
  std::unordered_map<std::string_view, std::size_t> seen;
  std::vector<std::uint32_t> standing;
  for (std::uint32_t c = 0; c < covers.size(); ++c) {
    const std::string_view bytes(reinterpret_cast<const char*>(covers[c].data()),
                                 covers[c].size() * sizeof covers[c][0]);
    const auto [same, is_new] = seen.try_emplace(bytes, standing.size());
    if (is_new)
      standing.push_back(c);
    else if (is_preferred(c) && !is_preferred(standing[same->second]))
      standing[same->second] = c;
  }
  // Fewer of what is not preferred come second: their sum stays below one case's cost.
  const std::int64_t cost = most || wishes.preferred.empty() ? 1 : 2 * static_cast<std::int64_t>(standing.size()) + 1;
  weight_of_set.resize(sets + number_of.size(), 1);
  optimizer::matrix_builder builder({{"coverage", sets}, {"served", static_cast<std::uint32_t>(number_of.size())}},
                                    weight_of_set);
  for (const std::uint32_t c : standing) builder.add_test(cost > 1 && !is_preferred(c) ? cost + 1 : cost, covers[c]);
  const auto problem = optimizer::weigh(std::make_shared<const optimizer::cover_matrix>(std::move(builder).finish()));
  // Of very many, the search is to take no longer than reading them; a bound is there, and a proof is seldom.
  optimizer::search_effort effort;
  if (standing.size() > many_cases) {
    effort.moves = 5000;
    effort.exactly = true;
    effort.provable_pairs = 0;
  }
  const optimizer::reduced_set found =
      most ? optimizer::best_within(problem, *most, effort) : optimizer::minimal_set(problem, effort);
  made.covered = made.all - (problem.total_weight - found.set.covered);
  made.is_proven = found.proven;
  made.bound = most ? found.bound : found.bound / cost;
  made.different = standing.size();
  for (std::uint32_t t = 0; t < standing.size(); ++t)
    if (optimizer::has(found.set.tests, t)) made.ids.push_back(*ids[standing[t]]);
  return made;
}

pool_kills kills_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids) {
  pool_kills found;
  const auto text = system::read_file(mutating::mutation_result_path(tree));
  const auto result = text ? report::read_mutation(*text) : tl::unexpected(std::string("`morph mutate` did not run"));
  if (!result) {
    found.missing = result.error();
    return found;
  }
  for (const report::mutated_source& file : result->files)
    if (const auto now = system::read_file(tree.source_dir / file.path); !now || *now != file.text) {
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
      bool is_killed = false;
      for (const std::string& test : m.killers) {
        if (tests.count(test) == 0) continue;
        is_killed = true;
        if (found.of_cases && result->has_all_killers)
          found.by_case[id_in(test)].insert(
              fmt::format("{}:{}-{} {} {}", file.path, m.begin, m.end, m.op, m.replacement));
      }
      found.killed += is_killed ? 1 : 0;
    }
  return found;
}

}  // namespace morph::pools
