// Before the build: which tests a build of the changes could select, told from git, lines and link lines alone; what
// has to be built for them; and what was left out of the build on that ground.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/changes/text_changes.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// The tests of a program without a look at it: as it was listed if it is still that file, else as the baseline has
/// them, else as it was listed last. State `not_built`: nobody knows.
frameworks::listed_program remembered_program(const build::build_tree& tree, const build::suite& in,
                                              const build::test_program& program, const store::evidence* baseline);

/// Adds to the request's tests the reasons that object code could give once it is built, and more: a changed file
/// selects every test of the programs that are linked of an object compiled from it. If the change is confined and the
/// object comes out of a library: those that executed something compiled with it. What a shared library or a program
/// without tests of its own is linked of concerns every test. A file that its texts explain has its reasons already.
void widen_to_links(full_plan& p, const build::build_tree& tree, const git::repository& repo,
                    const selection::file_kinds& kinds, const changes::text_changes& of_texts);

/// What a planned build needs: in declared order.
build_needs needs_of(const full_plan& p, const build::build_tree& tree);

/// Notes which programs the needs leave out, for the plans of this very content. An error says why it could not.
result<void> remember_left_out(const full_plan& p, const build::build_tree& tree, const git::repository& repo,
                               const selection::file_kinds& kinds);

/// The programs that were left out of the build of this content, and that are not there or older than what they are
/// made of.
programs_left_out left_out_of_build(const build::build_tree& tree, const git::repository& repo,
                                    const selection::file_kinds& kinds);

}  // namespace morph::planning
