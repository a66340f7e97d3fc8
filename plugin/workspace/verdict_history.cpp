// Gathering it.
#include "plugin/workspace/verdict_history.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>

#include "plugin/frameworks/batch.hpp"
#include "plugin/git/repository.hpp"

namespace morph::workspace {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using store::evidence_store;

}  // namespace

std::vector<frameworks::run_outcome> last_runs(const build::build_tree& tree) {
  std::set<fs::path> folders{tree.binary_dir};  // ctest leaves its log where it was started
  folders.insert(tree.test_directories.begin(), tree.test_directories.end());
  const auto remember = [&](const fs::path& own, const std::function<bool(const frameworks::run_outcome&)>& counts) {
    auto runs = frameworks::remember_last_runs(folders, frameworks::runs_dir(own), own / "outcomes.json", counts);
    std::erase_if(runs, [&](const auto& o) { return frameworks::is_entry(tree, o.name); });
    return runs;
  };
  if (tree.config.empty()) return remember(tree.own_dir(), {});

  // The log does not say which configuration was run, but which programs. Every configuration is brought up to date:
  // the next run, of another one, replaces the log.
  std::map<std::string, std::set<std::string>> configs_of_program;
  const auto configs = build::configurations(tree.binary_dir);
  for (const std::string& config : configs)
    if (const auto other = build::read_build_tree(tree.binary_dir, config))
      for (const build::suite& s : other->suites)
        for (const auto& program : s.programs) configs_of_program[program.executable.string()].insert(config);
  std::vector<frameworks::run_outcome> ours;
  for (const std::string& config : configs) {
    const auto is_of_config = [&](const frameworks::run_outcome& o) {
      const auto known = configs_of_program.find(o.program);
      return known == configs_of_program.end() || known->second.count(config) != 0;
    };
    auto of_config = remember(tree.binary_dir / ".morph" / config, is_of_config);
    if (config == tree.config) ours = std::move(of_config);
  }
  return ours;
}

std::string configuration_id(const std::string& configuration) {
  return git::blob_hash(configuration).substr(0, 16);
}

std::string configuration_id(const build::build_tree& tree) {
  return configuration_id(tree.configuration);
}

known_verdicts verdicts_of(const build::build_tree& tree, evidence_store* evidence, evidence_store* overlay,
                           std::uint32_t within) {
  known_verdicts known;
  std::map<std::string, std::uint32_t> passes;  // since its last failure, of each test that has one
  std::map<std::string, store::test_outcome> latest;
  if (evidence != nullptr)
    if (auto stored = evidence->histories(configuration_id(tree)))
      for (auto& [name, history] : *stored) {
        if (history.flaky) known.flaky.insert(name);
        if (history.failed_at) passes[name] = history.passes_since_failure;
        for (const auto& [at, failed] : history.verdicts) known.past[name].push_back({at, failed});
        latest.emplace(name, std::move(history.latest));
      }
  const std::int64_t now = std::time(nullptr);
  for (const auto& o : last_runs(tree)) {
    const auto at = latest.find(o.name);
    const bool passed_elsewhere = at != latest.end() && !at->second.failed &&
                                  (at->second.source == "measure" || at->second.configuration.empty());
    const bool is_of_future = at != latest.end() && at->second.at > now;
    if (at == latest.end() || at->second.at <= o.at || passed_elsewhere || (is_of_future && o.failed))
      latest[o.name] = {o.name, o.failed, o.at, o.seconds, "ctest", ""};
    auto& past = known.past[o.name];
    if (past.empty() || past.back().at < o.at) past.push_back({o.at, o.failed});
    // Runs that were recorded are in the store too: each counts them from the failure that it knows.
    if (o.passes_since_failure) {
      std::uint32_t& since = passes.try_emplace(o.name, *o.passes_since_failure).first->second;
      since = std::min(since, *o.passes_since_failure);
    }
  }
  for (const auto& [name, times] : passes)
    if (within > 1 && times < within) known.failed.insert(name);
  for (const auto& [name, outcome] : latest)
    if (outcome.failed) known.failed.insert(name);
  if (overlay != nullptr)
    if (auto stored = overlay->histories(configuration_id(tree)))
      for (const auto& [name, history] : *stored)
        if (history.latest.failed || (within > 1 && history.failed_at && history.passes_since_failure < within))
          known.failed.insert(name);
  return known;
}

void follow_names(known_verdicts& verdicts, const std::vector<listed_suite>& suites) {
  const auto last = [&](const std::string& name) {
    const auto past = verdicts.past.find(name);
    return past == verdicts.past.end() || past->second.empty() ? 0 : past->second.back().at;
  };
  for (const listed_suite& suite : suites)
    for (const frameworks::listed_program& program : suite.programs)
      for (const frameworks::listed_case& c : program.cases)
        for (const std::string& other : c.other_names) {
          if (verdicts.failed.contains(other) && last(other) >= last(c.name)) verdicts.failed.insert(c.name);
          if (verdicts.flaky.contains(other)) verdicts.flaky.insert(c.name);
          if (const auto past = verdicts.past.find(other); past != verdicts.past.end()) {
            const std::vector<selection::past_verdict> theirs = past->second;
            auto& own = verdicts.past[c.name];
            own.insert(own.end(), theirs.begin(), theirs.end());
            std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
          }
        }
}

}  // namespace morph::workspace
