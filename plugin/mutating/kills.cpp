// Finds the rows of tests by name, and writes kills beside them.
#include "plugin/mutating/kills.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/snapshot.hpp"

namespace morph::mutating {
namespace {

/// The tests of a measurement by program and case.
class tests_by_name {
 public:
  explicit tests_by_name(const store::evidence& facts) {
    for (std::uint32_t t = 0; t < facts.tests.size(); ++t) {
      const store::measured_test& test = facts.tests[t];
      if (test.is_startup()) continue;
      const auto& program = facts.programs[test.program];
      of_program_[program.suite + '/' + program.target].emplace(test.case_name, t);
    }
  }

  /// A plain program is its only test, whatever either calls it.
  std::optional<std::uint32_t> find(const std::string& program, const std::string& test) const {
    const auto tests = of_program_.find(program);
    if (tests == of_program_.end()) return std::nullopt;
    const auto found = tests->second.find(test);
    if (found != tests->second.end()) return found->second;
    return tests->second.size() == 1 ? std::optional(tests->second.begin()->second) : std::nullopt;
  }

 private:
  std::map<std::string, std::map<std::string, std::uint32_t>> of_program_;
};

}  // namespace

std::vector<known_kill> known_kills(const mutation_report& report, const std::vector<std::string>& names) {
  std::vector<known_kill> kills;
  for (std::size_t i = 0; i < report.mutants.size(); ++i)
    for (const std::uint32_t t : report.mutants[i].verdict.killers)
      kills.push_back(
          {report.sources.files[report.mutants[i].file].path, names[i], report.tests[t].program, report.tests[t].name});
  return kills;
}

result<std::string> keep_kills(const build::build_tree& tree, const std::vector<known_kill>& kills) {
  const workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.repo || !around.head) return tl::unexpected(around.missing);
  const auto now =
      workspace::take_snapshot(tree, *around.repo, selection::file_kinds(around.repo->root(), tree.ignore));
  if (!now) return tl::unexpected(now.error());
  auto evidence = store::evidence_store::open_for_writing(workspace::writable_store_path(tree, &*around.repo));
  if (!evidence) return tl::unexpected(evidence.error());
  const auto measurements = evidence->measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  const auto measured = std::ranges::find_if(*measurements, [&](const store::measurement_info& m) {
    return m.complete && m.configuration == tree.configuration &&
           workspace::id_of(m.taken_from) == workspace::id_of(now->identity);
  });
  if (measured == measurements->end())
    return std::string(
        "these sources are not measured: for `morph optimize` to know kills, run `morph measure` before");
  const auto facts = evidence->load(measured->id);
  if (!facts) return tl::unexpected(facts.error());

  const tests_by_name tests(*facts);
  std::map<std::pair<std::string, std::string>, store::killed_mutant> killed;
  for (const known_kill& each : kills) {
    const auto test = tests.find(each.program, each.test);
    if (!test) continue;
    store::killed_mutant& mutant = killed[{each.file, each.mutant}];
    mutant.file = around.repo->relative(tree.source_dir / each.file);
    if (mutant.tests.empty())
      mutant.number = static_cast<std::uint32_t>(std::stoul(git::blob_hash(each.mutant).substr(0, 8), nullptr, 16));
    mutant.tests.push_back(*test);
  }
  std::vector<store::killed_mutant> all;
  for (auto& [name, mutant] : killed) all.push_back(std::move(mutant));
  if (auto kept = evidence->set_kills(measured->id, all); !kept) return tl::unexpected(kept.error());
  return fmt::format("kept in '{}': which tests kill which of {}", evidence->path(),
                     system::counted(all.size(), "mutant"));
}

result<std::string> keep_kills_of(const report::mutation_result& result, const build::build_tree& tree) {
  if (!result.has_all_killers)
    return tl::unexpected(std::string("not all kills are known: run `morph mutate --all-killers`"));
  if (!result.scope.empty())
    return tl::unexpected(fmt::format("they are of a part of the mutants ({})", fmt::join(result.scope, " ")));
  if (const auto missing = report::missing_of(result); !missing.empty())
    return tl::unexpected(fmt::format("{}; unite the results of all shards with --from", fmt::join(missing, "; ")));
  for (const report::mutated_source& file : result.files)
    if (const auto now = system::read_file(tree.source_dir / file.path); !now || *now != file.text)
      return tl::unexpected(fmt::format("'{}' has changed since `morph mutate`", file.path));
  std::map<std::string, const report::judging_test*> tests;
  for (const report::judging_test& test : result.tests) {
    if (test.program.empty())
      return tl::unexpected(std::string("an older Morph has made the result: run `morph mutate --all-killers` again"));
    tests[test.name] = &test;
  }
  std::vector<known_kill> kills;
  for (const report::mutated_source& file : result.files)
    for (const report::mutant_result& m : file.mutants) {
      const std::string name = fmt::format("{} {} {} {}", m.begin, m.end, m.op, m.replacement);
      for (const std::string& killer : m.killers)
        if (const auto test = tests.find(killer); test != tests.end())
          kills.push_back({file.path, name, test->second->program, test->second->own_name});
    }
  return keep_kills(tree, kills);
}

}  // namespace morph::mutating
