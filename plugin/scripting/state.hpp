// `morph spec state`: what experiments have left in a project, as one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"

namespace morph::scripting {

struct kept_file {
  std::string kind;  // pool, script, messages
  std::string path;  // from the top of the project on
  bool operator==(const kept_file&) const = default;
};

/// The pools in .morph/pools, the recorded scripts, logs and messages in .morph/scripts, and the seed.
struct kept_state {
  std::vector<kept_file> files;
  std::optional<std::uint64_t> seed;
};

/// Writes all of it into `file`, and the pools of suites and `pools`, which lie in the project.
contract::outcome<kept_state> save_state(const build::build_tree& tree, const std::string& file,
                                         const std::vector<std::string>& pools);
/// Puts it back, or nothing; what else there is stays. `force`: what is there and differs is replaced.
contract::outcome<kept_state> load_state(const build::build_tree& tree, const std::string& file, bool force);
/// Removes all of it. Without `force` an error lists it.
contract::outcome<kept_state> clear_state(const build::build_tree& tree, bool force);

/// What a state that was loaded says: the seed of `morph spec` and `morph script play`, if MORPH_SEED says none.
std::optional<std::uint64_t> kept_seed(const build::build_tree& tree);

/// "1 pool, 2 scripts, 1 file of messages, seed 7"
std::string as_text(const kept_state& of);
/// Schema morph.state/1. `done`: "saved".
std::string as_json(const kept_state& of, const std::string& done);

}  // namespace morph::scripting
