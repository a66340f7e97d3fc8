// Options of morph spec refresh, and what it prints.
#include "plugin/command/spec_refresh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/command/failed.hpp"
#include "plugin/pools/refresh.hpp"
#include "plugin/pools/suites.hpp"

namespace morph::command {
namespace {

constexpr const char* help_text =
    R"(Explores the specs of suites that have a POOL, and writes into it the fewest cases that keep what all of them do.

usage: morph spec refresh [--suite NAME] [--spec NAME] [--anew] [--dry-run] [--if-any] [options of `morph spec run`]

Cases of the strategy join those of the pool; all are measured one by one (`morph measure`), and those stay that
  - cover together all lines and branches that any of them covers (the fewest that can),
  - apply each relation to each kind of case that it applied to,
  - violated a relation, now or when an earlier refresh found them (up to ten for each relation and kind),
  - could not be measured,
and what they were made of. The pool is as before if anything goes wrong.

  --spec NAME   the spec, where the program has several and the pool is not there yet
  --anew        forget the cases that are in the pool
  --dry-run     print what would come and go, and leave the pool unchanged
  --if-any      exit status 0 where no suite has a POOL
  --json        JSON instead of text
Everything else is for `morph spec run`: --strategy, --order, --seed, --max-cases, --max-time and so on.

Exit status: 0 every relation holds, 1 one is violated (its cases are in the pool), 2 wrong arguments, 3 something is
missing or broken, 4 an internal error.
)";

struct refresh_arguments {
  pools::refresh_request asked;
  bool if_any = false, help = false, json = false;
};

refresh_arguments read_words(const std::vector<std::string>& words, const common_options& common) {
  refresh_arguments given;
  given.json = common.json;
  given.asked.quiet = common.quiet;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    bool* const flag = word == "--anew"                    ? &given.asked.anew
                       : word == "--dry-run"               ? &given.asked.dry_run
                       : word == "--if-any"                ? &given.if_any
                       : word == "--help"                  ? &given.help
                       : word == "--json"                  ? &given.json
                       : word == "--quiet" || word == "-q" ? &given.asked.quiet
                                                           : nullptr;
    if (flag != nullptr)
      *flag = true;
    else if (word == "--spec" && i + 1 < words.size())
      given.asked.spec = words[++i];
    else if (word.starts_with("--spec="))
      given.asked.spec = word.substr(7);
    else
      given.asked.for_run.push_back(word);
  }
  given.asked.shows_exploring = !given.json;
  given.asked.shows_measuring = !given.json && !given.asked.quiet;
  return given;
}

}  // namespace

int refresh_pools(const build::build_tree& tree, const build::suite* only, const std::vector<std::string>& words,
                  const common_options& common) {
  const refresh_arguments given = read_words(words, common);
  if (given.help) {
    fmt::print("{}", help_text);
    return contract::fine;
  }
  const auto suites = pools::suites_with_pool(tree, only);
  if (!suites) return given.if_any ? contract::fine : failed(suites.error());
  int worst = contract::fine;
  std::vector<pools::refreshed> all;
  for (const build::suite* const suite : *suites) {
    const auto done = pools::refresh(tree, *suite, given.asked);
    worst = std::max(worst, !done ? failed(done.error()) : done->has_violations ? contract::finding : contract::fine);
    if (!done) continue;
    all.push_back(*done);
    if (!given.json && !given.asked.quiet) fmt::print("{}", pools::as_text(*done));
  }
  if (given.json) fmt::print("{}\n", pools::as_json(all));
  return worst;
}

}  // namespace morph::command
