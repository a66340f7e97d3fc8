// The measurement that plans and reports start from.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::workspace {

/// The measurement that plans and reports start from.
struct found_baseline {
  store::evidence facts;
  std::string commit;
  std::optional<std::uint32_t> distance;  // commits between it and the start of the search
  std::optional<std::int64_t> days;       // by the times of the two commits
  std::vector<git::file_change> changes;  // from what was measured to the work tree
};

/// The measurement of this configuration nearest to the work tree; an error says in one line why there is none.
/// `approximate`: one that was measured without isolation will do. `other_options`: if there is none, one whose
/// configuration lacks an option of the project, or has one more, if a change of the build description may be why:
/// whoever asks for it has to find out what that change makes.
/// `compares_rows`: not one of the present content that lacks rows, if there is another: that a test has no row yet is
/// no reason, and no order.
struct baseline_wish {
  std::string base_revision{};
  bool approximate = false;
  bool other_options = false;
  bool compares_rows = false;
};
result<found_baseline> find_baseline(const build::build_tree& tree, const git::repository& repo,
                                     store::evidence_store& evidence, const selection::file_kinds& kinds,
                                     const baseline_wish& wish);

/// The nearer one of what was learned and of the store; either may be missing. In a tree with probes a measurement
/// counts from its beginning: what it lacks runs, and has a row then.
struct nearest_baseline {
  found_baseline found;
  store::evidence_store* from;
  std::optional<found_baseline> present{};  // of baseline_wish::compares_rows: what `found` stands in for
  store::evidence_store* present_from = nullptr;
};
result<nearest_baseline> find_nearest(const build::build_tree& tree, surroundings& around,
                                      const selection::file_kinds& kinds, const baseline_wish& wish);

/// A measurement whose content may be that of any commit.
struct other_measurement {
  store::measurement_info info;
  store::evidence_store* from;
  std::vector<git::file_change> changes;  // from what was measured to the work tree
};

/// Of what was learned and of the store, the latest of this configuration that are not `nearest` and that `wanted`
/// accepts, whose content git still has; the nearest content first. Not those that differ from the work tree wherever
/// the nearest one does (`since_nearest`, if it is not empty): they know of no more.
std::vector<other_measurement> find_others(
    const build::build_tree& tree, surroundings& around, const selection::file_kinds& kinds,
    const store::measurement_info& nearest, const std::vector<git::file_change>& since_nearest,
    const std::function<bool(store::evidence_store&, const store::measurement_info&)>& wanted);

}  // namespace morph::workspace
