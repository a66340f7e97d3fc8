// Whether an earlier measurement will do, whole or in part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/incremental.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/suites.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::measuring {

/// Whether what was measured is what is there now: every file that differs from the commit was measured as it is, and
/// every file that was watched has still that content.
bool is_still_there(const store::snapshot& measured, const workspace::snapshot& now, const git::repository& repo,
                    workspace::watched_files& watched);

/// A refresh of the nearest measurement. Nothing if every test has to run, with the reason.
std::optional<refresh> find_refresh(const build::build_tree& tree, const build::build_tree& twin,
                                    const git::repository& repo, const selection::file_kinds& kinds,
                                    store::evidence_store& evidence, const std::vector<workspace::listed_suite>& suites,
                                    bool watches_files, std::string& why_not);

/// Farther away than this many commits no measurement stays in place: a clone may not have its commit.
constexpr std::uint32_t farthest_held = 20;

/// A measurement that stays in place.
struct held_measurement {
  std::string commit;
  std::uint32_t distance = 0;  // commits since
  std::size_t affected = 0;    // tests since then
  std::size_t tests = 0;
};

/// Nothing if the changes since the nearest measurement affect more than that, or if it is not known what they affect.
std::optional<held_measurement> find_held(const build::build_tree& tree, const git::repository& repo,
                                          store::evidence_store& evidence, double most_pct, bool watches_files);

}  // namespace morph::measuring
