// The object code of the ordinary build: recorded with a measurement, compared with it by plans.
#pragma once

#include "coverage/object/compare/compare.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/impact.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::changes {

/// Records what programs and shared libraries are linked of, if they are up to date with the files that were measured.
/// An error says in one line why nothing was recorded: plans go by lines then.
result<void> record_object_code(const build::build_tree& tree, const build::dependency_map& twin,
                                store::measurement_writer& writer);

/// What differs since the baseline, in all programs but those that were `left_out` of the build. An error says in one
/// line why plans go by lines.
result<selection::code_changes> compare_object_code(const build::build_tree& tree, const git::repository& repo,
                                                    const selection::file_kinds& kinds, store::evidence_store& evidence,
                                                    const workspace::found_baseline& baseline,
                                                    const std::set<std::string>& left_out);

/// A program or shared library, now and before.
struct link_difference {
  std::string path;
  std::string incomparable;  // why; then everything counts as changed
  object::comparison found;
};

/// All that differs since the baseline, whether a test executes it or not. An error says why there is nothing to
/// compare.
result<std::vector<link_difference>> object_code_differences(const build::build_tree& tree, const git::repository& repo,
                                                             const selection::file_kinds& kinds,
                                                             store::evidence_store& evidence,
                                                             const workspace::found_baseline& baseline);

}  // namespace morph::changes
