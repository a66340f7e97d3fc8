// Takes verdicts of a run, and plans without them.
#include "plugin/planning/earlier_run.hpp"

#include <algorithm>
#include <limits>

#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/recorded_verdicts.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {

contract::outcome<past_run> plan_before_run(const build::build_tree& tree, plan_options options,
                                            const std::vector<std::string>& reports) {
  auto repo = git::repository::open(tree.source_dir);
  if (!repo) return contract::not_done(contract::environment, repo.error());
  const workspace::known_snapshot content(tree, &*repo);
  auto read = workspace::read_verdicts(tree, reports, content);
  if (!read) return contract::not_done(contract::environment, read.error());
  std::map<std::string, verdict> verdicts;
  std::int64_t began = std::numeric_limits<std::int64_t>::max(), ended = 0;
  std::string ran_on;
  for (const auto& o : read->outcomes) {
    if (o.content.empty()) continue;  // it may have run on something else
    verdict& v = verdicts[o.name];
    v.failed = v.failed || o.failed;
    v.seconds = std::max(v.seconds, o.seconds);
    began = std::min(began, o.at);
    ended = std::max(ended, o.at);
    ran_on = o.content;
  }
  if (verdicts.empty())
    return contract::not_done(contract::environment,
                              "no verdicts on the present content; run all tests (ctest without -L) first");

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
  return past_run{std::move(*repo), std::move(*made), std::move(verdicts), std::move(read->skipped), ran_on, ended};
}

}  // namespace morph::planning
