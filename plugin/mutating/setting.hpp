// What all steps of a run of `morph mutate` work with: who asks, where the twin lies, how many run at once.
#pragma once

#include <filesystem>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/mutating/request.hpp"
#include "plugin/system/observer.hpp"

namespace morph::mutating {

struct setting {
  const build::build_tree& tree;  // the ordinary one
  const request& asked;
  system::observer& told;
  build::mutation_place at;
  mutation::run_limits limits;

  std::filesystem::path state_folder() const { return tree.own_dir() / "mutation"; }
  std::filesystem::path temporary_folder() const { return state_folder() / "tmp"; }
  std::filesystem::path verdicts_file() const { return state_folder() / "verdicts.json"; }
};

/// The budget counts from now on. Refers to its arguments.
setting setting_of(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::mutating
