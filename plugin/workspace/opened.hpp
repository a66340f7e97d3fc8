// Repository and store of a build tree, as far as they are there.
#pragma once

#include <optional>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/store.hpp"

namespace morph::workspace {

/// An error that says what to do, if the sources of the build tree are not where they were when it was configured.
result<void> has_sources(const build::build_tree& tree);

/// What people type to measure.
std::string how_to_measure(const build::build_tree& tree);
/// An empty store, in words.
std::string nothing_measured(const build::build_tree& tree);

/// MORPH_STORE, else .morph/evidence.db at the top of the repository, else (no repository) in the source folder.
std::string store_path(const build::build_tree& tree, const git::repository* repository);

/// Where measurements and verdicts go: the overlay, if there is one.
std::string writable_store_path(const build::build_tree& tree, const git::repository* repository);

/// What plans have learned from tests that ctest ran under probes, until `morph record` takes it into the store.
std::string learned_path(const build::build_tree& tree);

/// Repository and store of a build tree, as far as they are there.
struct surroundings {
  std::optional<git::repository> repo;
  std::optional<git::head_state> head;
  std::optional<store::evidence_store> evidence;
  std::string missing;                           // which of them, why, and what to do; empty if all are there
  std::optional<store::evidence_store> learned;  // of a tree with probes; is there without a store, too
  /// Nobody vouches for it: it may add tests to a plan.
  std::optional<store::evidence_store> overlay;
  std::string unread_overlay;  // why it cannot be read
  git::known_differences differences;
};
surroundings open_surroundings(const build::build_tree& tree);

}  // namespace morph::workspace
