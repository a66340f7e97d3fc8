// Who reads a changed file beside compilers: CMake, the commands of the build, tests.
#pragma once

#include <set>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/impact.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::changes {

/// What object code was compared: objects, relative to the build tree.
struct compared_code {
  const build::built_code& built;
  const std::set<std::string>& compared;
  const std::set<std::string>& not_compared;
};

/// Finds the changed files whose effect on tests is known, now that the code of what is built has been compared:
/// - a file whose every object was compared;
/// - a build description, or a file that CMake makes others of, if all that it can change is compared: code, how it is
///   linked, how the suites are declared, and what the build makes beside, by the tests that opened it;
/// - likewise a changed file that commands of the build read: what they make of it, and so on, is compiled and
/// compared,
///   or opened by tests;
/// - a new source that nothing of the build reads;
/// - a file of unknown use that nothing of the build reads, if the kernel told which files the tests open. What a
///   command may read unseen, it makes others of: files of the build count.
/// All but the first are only known of Ninja, when it has nothing to do.
result<void> explain_files(const build::build_tree& tree, const git::repository& repo,
                           const selection::file_kinds& kinds, const workspace::found_baseline& baseline,
                           const compared_code& code, selection::code_changes& found);

/// As evidence::files has a program without tests, if only those that executed it can be affected by what is in it: no
/// command of the build has anything to do with it, and the kernel told which files the tests open. Else empty.
std::string name_if_only_executed(const build::build_tree& tree, const git::repository& repo,
                                  const workspace::found_baseline& baseline, const std::string& link);

/// What can be told of the changes without comparing anything.
selection::change_facts facts_of(const build::build_tree& tree, const git::repository& repo,
                                 const selection::file_kinds& kinds, const std::vector<git::file_change>& changes);

}  // namespace morph::changes
