// The object code of the ordinary build: recorded with a measurement, compared with it by plans.
#pragma once

#include "plugin/command/workspace.hpp"
#include "plugin/project/dependencies.hpp"

namespace morph::command {

/// Records what programs and shared libraries are linked of, if they are up to date with the files that were measured.
/// An error says in one line why nothing was recorded: plans go by lines then.
project::result<void> record_object_code(const project::build_tree& tree, const project::dependency_map& twin,
                                         store::measurement_writer& writer);

/// What differs since the baseline, in all programs but those that were `left_out` of the build. An error says in one
/// line why plans go by lines.
project::result<selection::code_changes> compare_object_code(
    const project::build_tree& tree, const project::repository& repo, const selection::file_kinds& kinds,
    store::evidence_store& evidence, const found_baseline& baseline, const std::set<std::string>& left_out);

}  // namespace morph::command
