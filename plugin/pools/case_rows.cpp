// Takes coverage, coupled branches or kills from what twins give.
#include "plugin/pools/case_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>
#include <tuple>
#include <utility>

#include "coverage/mutation/judge.hpp"
#include "coverage/mutation/temporary_files.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/sources.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/system/files.hpp"

namespace morph::pools {
namespace {

namespace fs = std::filesystem;

class coverage_source : public row_source {
 public:
  explicit coverage_source(std::shared_ptr<twin_cases> twin) : twin_(std::move(twin)) {}

  std::size_t all() const override { return all_; }
  std::string why_none() const override {
    return "the program has no line of code under test that is compiled with counters; is it linked of what it tests?";
  }

  result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) override {
    const auto facts = twin_->run(cases);
    if (!facts) return tl::unexpected(facts.error());
    report::coverage covered = report::make_coverage(**facts);
    report::keep_files(covered, [&](const std::string& path) { return twin_->is_under_test(path); });
    const auto of_test = places_of(covered, cases.ids);
    std::vector<requirement_row> rows(cases.ids.size());
    const auto add = [&](const std::string& path, std::uint32_t line, std::uint32_t branch, report::set_id tests) {
      if (tests == report::nobody) return;
      const auto number =
          numbers_.try_emplace({path, line, branch}, static_cast<std::uint32_t>(numbers_.size())).first->second;
      for (const std::uint32_t t : covered.test_sets[tests])
        if (of_test[t]) rows[*of_test[t]].push_back(number);
    };
    std::size_t all = 0;
    for (const report::reported_file& file : covered.files)
      for (const report::reported_line& line : file.lines) {
        add(file.path, line.number, 0, line.tests);
        for (const report::reported_outcome& branch : line.branches)
          add(file.path, line.number, branch.number + 1, branch.tests);
        all += 1 + line.branches.size();
      }
    all_ = std::max(all_, all);
    for (requirement_row& row : rows) std::sort(row.begin(), row.end());
    return rows;
  }

 private:
  std::shared_ptr<twin_cases> twin_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
  std::size_t all_ = 0;
};

/// Of the files that the program was compiled from.
class coupled_source : public row_source {
 public:
  coupled_source(std::shared_ptr<twin_cases> twin, coupled::source_branches sources)
      : twin_(std::move(twin)), sources_(std::move(sources)) {}

  std::size_t all() const override { return pairs_.size(); }
  std::string why_none() const override {
    return "no branch of a class under test always leads to a call of another class that branches";
  }

  result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) override {
    const auto facts = twin_->run(cases);
    if (!facts) return tl::unexpected(facts.error());
    if (std::string why = coupled::why_no_branches(**facts); !why.empty()) return tl::unexpected(std::move(why));
    const report::coverage covered = report::make_coverage(**facts);
    if (pairs_.empty())
      pairs_ = coupled::distinct_pairs(sources_.graph, [&](const std::string& path) {
        return covered.find(path) != nullptr && twin_->is_under_test(path);
      });
    const auto of_test = places_of(covered, cases.ids);
    const auto evidence = coupled::evidence_of(sources_, covered, **facts, {});
    std::vector<requirement_row> rows(cases.ids.size());
    for (std::uint32_t p = 0; p < pairs_.size(); ++p)
      for (const std::uint32_t t : coupled::tests_of(pairs_[p], evidence))
        if (of_test[t]) rows[*of_test[t]].push_back(p);
    return rows;
  }

 private:
  std::shared_ptr<twin_cases> twin_;
  coupled::source_branches sources_;
  std::vector<coupling::coupled_pair> pairs_;
};

class kill_source : public row_source {
 public:
  kill_source(const build::build_tree& tree, const build::suite& suite, std::vector<mutation::judged_mutant> mutants,
              system::file_lock lock)
      : tree_(tree), suite_(suite), mutants_(std::move(mutants)), lock_(std::move(lock)) {}
  ~kill_source() override { mutation::remove_folder(folder()); }

  std::size_t all() const override { return mutants_.size(); }
  std::string why_none() const override { return "no mutant is judged; run `morph mutate` first"; }

  result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) override {
    const auto suite = with_cases(suite_, cases, folder());
    if (!suite) return tl::unexpected(suite.error());
    mutation::mutant_program program = mutating::mutant_program_of(*suite, suite->programs.front());
    program.temporary = (folder() / "tmp").string();
    mutation::run_limits limits;
    limits.jobs = std::max(1U, std::thread::hardware_concurrency());
    limits.all_killers = true;
    const auto baseline = mutation::run_baseline(program, limits, [] {});
    if (!baseline) return tl::unexpected(baseline.error());
    std::vector<mutation::judged_mutant> mutants = mutants_;
    if (auto judged = mutation::judge_mutants(program, *baseline, limits, mutants, [] {}); !judged)
      return tl::unexpected(judged.error());
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < cases.ids.size(); ++i) places[cases.spec + "." + cases.ids[i]] = i;
    std::vector<requirement_row> rows(cases.ids.size());
    for (std::uint32_t m = 0; m < mutants.size(); ++m)
      for (const std::uint32_t killer : mutants[m].found.killers)
        if (const auto found = places.find(baseline->tests[killer].name); found != places.end())
          rows[found->second].push_back(m);
    return rows;
  }

 private:
  fs::path folder() const { return tree_.own_dir() / "breed-mutants"; }

  const build::build_tree& tree_;
  build::suite suite_;  // in the mutation twin
  std::vector<mutation::judged_mutant> mutants_;
  system::file_lock lock_;
};

}  // namespace

std::unique_ptr<row_source> coverage_rows(std::shared_ptr<twin_cases> twin) {
  return std::make_unique<coverage_source>(std::move(twin));
}

result<std::unique_ptr<row_source>> coupled_rows(const build::build_tree& tree, std::shared_ptr<twin_cases> twin,
                                                 system::observer& told) {
  auto sources = coupled::read_sources(tree, twin->root(), coupled::any_number, told);
  if (!sources) return tl::unexpected(sources.error());
  return std::make_unique<coupled_source>(std::move(twin), std::move(*sources));
}

result<std::unique_ptr<row_source>> kill_rows(const build::build_tree& tree, const build::suite& suite) {
  const std::string what_to_do = "; run `morph mutate` first";
  const auto text = system::read_file(mutating::mutation_result_path(tree));
  const auto result = text ? report::read_mutation(*text) : tl::unexpected(std::string("`morph mutate` did not run"));
  if (!result) return tl::unexpected(result.error() + what_to_do);
  for (const report::mutated_source& file : result->files)
    if (const auto now = system::read_file(tree.source_dir / file.path); !now || *now != file.text)
      return tl::unexpected(fmt::format("'{}' has changed since `morph mutate`{}", file.path, what_to_do));
  auto lock = system::lock_file(tree.own_dir() / "mutate.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph mutate` at work in this build tree?", lock.error()));
  const auto twin = build::read_build_tree(build::mutation_place_of(tree).binary, tree.config);
  const build::suite* const there = twin ? twin->find_suite(suite.name) : nullptr;
  if (there == nullptr || there->programs.empty() || !fs::exists(there->programs.front().executable))
    return tl::unexpected(fmt::format("the program of '{}' with mutants is not there{}", suite.name, what_to_do));
  std::vector<mutation::judged_mutant> mutants;
  for (const report::mutated_source& file : result->files)
    for (const report::mutant_result& m : file.mutants) {
      if (m.state == report::mutant_state::equivalent) continue;
      mutation::judged_mutant& made = mutants.emplace_back();
      made.node = m.node;
      made.function = m.function_node;
      made.alternative = m.alternative;
    }
  return std::make_unique<kill_source>(tree, *there, std::move(mutants), std::move(*lock));
}

}  // namespace morph::pools
