// Finding out.
#include "plugin/measuring/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "plugin/measuring/gcov_files.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::measuring {
namespace {

/// Whether a test has a row although nobody told which files it opens. Of an adopted command that is no program of the
/// build nobody does; it runs in any case.
bool lacks_files(const store::evidence& e, const build::build_tree& tree) {
  const auto wholly = store::tests_that_tell_files(e, store::watched_wholly),
             in_part = store::tests_that_tell_files(e, store::watched_in_part);
  for (std::size_t t = 0; t < e.tests.size(); ++t) {
    const store::measured_test& test = e.tests[t];
    const build::suite* const suite = tree.find_suite(e.programs[test.program].suite);
    if (suite == nullptr || test.is_startup() || (suite->is_adopted() && (!test.measured || test.is_doubtful())))
      continue;
    if (!wholly[t] && !in_part[t]) return true;
  }
  return false;
}

bool is_drawn_in(const selection::planned_test& test) {
  return std::any_of(test.reasons.begin(), test.reasons.end(), [](const selection::reason& why) {
    return why.kind == selection::reason_kind::required || why.kind == selection::reason_kind::same_name;
  });
}

}  // namespace

bool is_still_there(const store::snapshot& measured, const workspace::snapshot& now, const git::repository& repo,
                    workspace::watched_files& watched) {
  if (measured.tree != now.identity.tree) return false;
  std::map<std::string, std::optional<std::string>> blobs;
  for (const auto& o : measured.overrides)
    if (!workspace::is_watched_apart(o.path)) blobs[o.path] = o.blob;
  for (const auto& o : now.identity.overrides) {
    const auto at = blobs.find(o.path);
    if (at == blobs.end() || at->second != o.blob) return false;
    blobs.erase(at);
  }
  std::vector<std::string> paths;
  for (const auto& [path, blob] : blobs) paths.push_back(path);
  const auto contents = repo.contents(paths);
  if (!contents) return false;
  const bool are_as_they_were = std::all_of(blobs.begin(), blobs.end(), [&](const auto& left) {
    const auto at = contents->find(left.first);
    return left.second ? at != contents->end() && git::blob_hash(at->second) == *left.second : at == contents->end();
  });
  return are_as_they_were && std::all_of(measured.overrides.begin(), measured.overrides.end(), [&](const auto& o) {
           return !workspace::is_watched_apart(o.path) || watched.is_as(o);
         });
}

std::optional<refresh> find_refresh(const build::build_tree& tree, const build::build_tree& twin,
                                    const git::repository& repo, const selection::file_kinds& kinds,
                                    store::evidence_store& evidence, const std::vector<workspace::listed_suite>& suites,
                                    bool watches_files, std::string& why_not) {
  auto from = planning::plan_refresh(tree, repo, evidence, suites);
  if (!from) {
    why_not = from.error();
    return std::nullopt;
  }
  if (watches_files && lacks_files(*from->facts, tree)) {
    why_not = "the nearest measurement does not tell which files tests open";
    return std::nullopt;
  }
  for (const git::file_change& change : from->changes)
    if (const auto kind = kinds.kind_of(change.path);
        kind == selection::file_kind::build ||
        (kind == selection::file_kind::unknown && from->for_tests_alone.count(change.path) == 0)) {
      why_not = fmt::format("the changes may affect every test: since '{}', other code may have counters", change.path);
      return std::nullopt;
    }
  auto made = refresh::make(std::move(*from), !has_counter_files(twin));
  if (!made) why_not = "the changes may affect every test";
  return made;
}

std::optional<held_measurement> find_held(const build::build_tree& tree, const git::repository& repo,
                                          store::evidence_store& evidence, double most_pct, bool watches_files) {
  auto suites = workspace::list_suites(tree);
  if (!std::all_of(suites.begin(), suites.end(), [](const workspace::listed_suite& s) { return s.whole(); }))
    return std::nullopt;
  const auto from = planning::plan_refresh(tree, repo, evidence, std::move(suites));
  if (!from) return std::nullopt;
  // A new measurement would know more.
  if (from->facts->links.empty() || (watches_files && lacks_files(*from->facts, tree))) return std::nullopt;
  const auto& baseline = *from->request.baseline;
  if (baseline.distance.value_or(farthest_held + 1) > farthest_held) return std::nullopt;
  held_measurement t;
  double seconds = 0, affected_seconds = 0, drawn_in = 0;
  for (const selection::planned_test& test : from->plan.tests) {
    seconds += test.seconds.value_or(0);
    if (!selection::is_affected(test)) {
      if (is_drawn_in(test)) drawn_in += test.seconds.value_or(0);
      continue;
    }
    if (most_pct <= 0 || !test.seconds) return std::nullopt;
    ++t.affected;
    affected_seconds += *test.seconds;
  }
  // What affected tests need, and who needs them, runs with every plan, too.
  if (t.affected > 0 && !((affected_seconds + drawn_in) * 100 <= seconds * most_pct)) return std::nullopt;
  t.tests = from->plan.tests.size();
  t.commit = from->facts->info.taken_from.commit;
  t.distance = *baseline.distance;
  return t;
}

}  // namespace morph::measuring
