// Takes verdicts of a run, and plans without them.
#include "plugin/planning/earlier_run.hpp"

#include <algorithm>
#include <limits>

#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/recorded_verdicts.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {

result<present_run> read_present_run(const build::build_tree& tree, const git::repository& repo,
                                     const std::vector<std::string>& reports) {
  const workspace::known_snapshot content(tree, &repo);
  auto read = workspace::read_verdicts(tree, reports, content);
  if (!read) return tl::unexpected(read.error());
  present_run run{.skipped = std::move(read->skipped), .began = std::numeric_limits<std::int64_t>::max()};
  for (const auto& o : read->outcomes) {
    if (o.content.empty()) continue;  // it may have run on something else
    verdict& v = run.verdicts[o.name];
    v.failed = v.failed || o.failed;
    v.seconds = std::max(v.seconds, o.seconds);
    run.began = std::min(run.began, o.at);
    run.ended = std::max(run.ended, o.at);
    run.ran_on = o.content;
  }
  return run;
}

contract::outcome<std::unique_ptr<full_plan>> plan_before(const build::build_tree& tree, plan_options options,
                                                          std::int64_t began) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  const auto within = parse_failed_within(options.failed_within);
  if (!within) return contract::not_done(contract::usage, within.error());
  options.failed.emplace();
  options.before = began;
  for (auto* const store : {&around.evidence, &around.overlay})
    if (*store)
      if (const auto known = (*store)->histories(workspace::configuration_id(tree), began))
        for (const auto& [name, past] : *known)
          if (past.latest.failed || (*within > 1 && past.failed_at && past.passes_since_failure < *within))
            options.failed->insert(name);
  auto made = make_planning(tree, options);
  if (!made) return contract::not_done(contract::usage, made.error());
  return std::move(*made);
}

contract::outcome<past_run> plan_before_run(const build::build_tree& tree, plan_options options,
                                            const std::vector<std::string>& reports) {
  auto repo = git::repository::open(tree.source_dir);
  if (!repo) return contract::not_done(contract::environment, repo.error());
  auto run = read_present_run(tree, *repo, reports);
  if (!run) return contract::not_done(contract::environment, run.error());
  if (run->verdicts.empty())
    return contract::not_done(contract::environment,
                              "no verdicts on the present content; run all tests (ctest without -L) first");
  auto plan = plan_before(tree, std::move(options), run->began);
  if (!plan) return tl::unexpected(plan.error());
  return past_run{std::move(*repo), std::move(*plan), std::move(*run)};
}

}  // namespace morph::planning
