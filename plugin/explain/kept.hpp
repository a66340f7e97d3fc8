// What `morph explain` keeps in the build tree: observations, so that its stages run one by one, and its last report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "coverage/observation/difference.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// <build>/.morph/explain/report.json: what was printed last, as JSON.
std::filesystem::path report_path(const build::build_tree& tree);

/// Observations of mutants of one result of `morph mutate`. How far they got: "infection", "propagation".
struct kept_observations {
  std::int64_t of = 0;  // when that result was made
  std::string stage{};
  std::vector<observation::observed_mutant> mutants{};
};

/// An error if there are none, if a source of the project has changed since, of tests too, or if what is there cannot
/// be read.
result<kept_observations> read_observations(const build::build_tree& tree);
result<void> keep_observations(const build::build_tree& tree, const kept_observations& of);

}  // namespace morph::explain
