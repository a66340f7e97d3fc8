// Runs twins on new cases, and takes coverage or kills from what they give.
#include "plugin/pools/case_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "coverage/mutation/judge.hpp"
#include "coverage/mutation/temporary_files.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/program.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::pools {
namespace {

namespace fs = std::filesystem;

/// The suite with these cases as its tests.
build::suite with_cases(const build::suite& from, const cases_to_run& cases, const fs::path& ids) {
  build::suite made = from;
  std::erase_if(made.environment, [](const std::string& entry) { return entry.starts_with("MORPH_SPEC_CASE"); });
  made.environment.push_back("MORPH_SPEC_CASES=" + fs::absolute(cases.pool).string());
  made.environment.push_back("MORPH_SPEC_CASE_IDS=" + ids.string());
  return made;
}

result<void> write_ids(const fs::path& file, const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += id + '\n';
  return system::write_file_atomically(file, text);
}

class measured_rows : public row_source {
 public:
  measured_rows(const build::build_tree& tree, std::string suite, build::build_tree twin,
                build::dependency_map dependencies, git::repository repo, system::file_lock lock,
                system::observer& told)
      : tree_(tree),
        suite_(std::move(suite)),
        twin_(std::move(twin)),
        dependencies_(std::move(dependencies)),
        repo_(std::move(repo)),
        kinds_(repo_.root(), tree.ignore),
        outside_(twin_),
        lock_(std::move(lock)),
        told_(told) {
    for (const workspace::listed_suite& each : workspace::list_suites(tree))
      for (const frameworks::listed_program& of : each.programs)
        for (const frameworks::listed_case& test : of.cases)
          test_files_.insert(fs::path(test.file).lexically_normal().string());
  }
  ~measured_rows() override { mutation::remove_folder(folder()); }

  std::size_t all() const override { return all_; }

  result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) override {
    mutation::remove_folder(folder());
    fs::create_directories(folder());
    const fs::path ids = folder() / "ids";
    if (auto written = write_ids(ids, cases.ids); !written) return tl::unexpected(written.error());
    const build::suite suite = with_cases(*twin_.find_suite(suite_), cases, ids);
    // A store that is forgotten: rows of cases that somebody else may never see.
    auto store = store::evidence_store::open_for_writing((folder() / "rows.db").string());
    if (!store) return tl::unexpected(store.error());
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    auto writer = store->begin({"breeding", "", {}}, tree_.configuration, now.tv_sec);
    if (!writer) return tl::unexpected(writer.error());
    std::vector<frameworks::listed_case> listed;
    for (const std::string& id : cases.ids) {
      const std::string name = cases.spec + "." + id;
      listed.push_back({name, name, "", 0, false});
    }
    const build::test_program& program = suite.programs.front();
    measuring::register_tests(*writer, suite, program, listed);
    std::vector<store::test_outcome> outcomes;
    measuring::session m{twin_,
                         dependencies_,
                         repo_,
                         kinds_,
                         outside_,
                         *writer,
                         [] {},
                         outcomes,
                         told_,
                         measuring::isolation::fork,
                         tree_.binary_dir,
                         now,
                         false};
    const auto measured = measuring::measure_program(m, suite, program, listed);
    if (!measured) return tl::unexpected(measured.error());
    writer->finish();
    const auto facts = store->load(writer->measurement());
    if (!facts) return tl::unexpected(facts.error());
    return taken_from(*facts, cases.ids);
  }

 private:
  fs::path folder() const { return tree_.own_dir() / "breed"; }

  std::vector<requirement_row> taken_from(const store::evidence& facts, const std::vector<std::string>& ids) {
    report::coverage covered = report::make_coverage(facts);
    report::keep_files(covered, [&](const std::string& path) {
      return test_files_.count((fs::path(repo_.root()) / path).lexically_normal().string()) == 0;
    });
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < ids.size(); ++i) places[ids[i]] = i;
    std::vector<std::optional<std::size_t>> of_test;
    for (const report::reported_test& test : covered.tests) {
      const auto found = places.find(test.facts.case_name.substr(test.facts.case_name.rfind('.') + 1));
      of_test.push_back(found == places.end() ? std::nullopt : std::optional(found->second));
    }
    std::vector<requirement_row> rows(ids.size());
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

  const build::build_tree& tree_;
  std::string suite_;
  build::build_tree twin_;
  build::dependency_map dependencies_;
  git::repository repo_;
  selection::file_kinds kinds_;
  workspace::outside_rules outside_;
  system::file_lock lock_;
  system::observer& told_;
  std::set<std::string> test_files_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
  std::size_t all_ = 0;
};

class judged_rows : public row_source {
 public:
  judged_rows(const build::build_tree& tree, const build::suite& suite, std::vector<mutation::judged_mutant> mutants,
              system::file_lock lock)
      : tree_(tree), suite_(suite), mutants_(std::move(mutants)), lock_(std::move(lock)) {}
  ~judged_rows() override { mutation::remove_folder(folder()); }

  std::size_t all() const override { return mutants_.size(); }

  result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) override {
    mutation::remove_folder(folder());
    fs::create_directories(folder());
    const fs::path ids = folder() / "ids";
    if (auto written = write_ids(ids, cases.ids); !written) return tl::unexpected(written.error());
    const build::suite suite = with_cases(suite_, cases, ids);
    mutation::mutant_program program = mutating::mutant_program_of(suite, suite.programs.front());
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

result<std::unique_ptr<row_source>> coverage_rows(const build::build_tree& tree, const build::suite& suite,
                                                  system::observer& told) {
  auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  auto lock = system::lock_file(tree.own_dir() / "measure.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph measure` at work in this build tree?", lock.error()));
  told.status(fmt::format("building the instrumented twin in '{}'", tree.twin_dir().string()));
  auto twin = build::build_twin(tree, {});
  if (!twin) return tl::unexpected(twin.error());
  if (twin->find_suite(suite.name) == nullptr)
    return tl::unexpected(fmt::format("the instrumented twin has no suite '{}'", suite.name));
  auto dependencies = build::read_dependencies(*twin);
  if (!dependencies) return tl::unexpected(dependencies.error());
  return std::make_unique<measured_rows>(tree, suite.name, std::move(*twin), std::move(*dependencies), std::move(*repo),
                                         std::move(*lock), told);
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
  return std::make_unique<judged_rows>(tree, *there, std::move(mutants), std::move(*lock));
}

}  // namespace morph::pools
