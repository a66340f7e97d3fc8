// `morph spec refresh`: the pool of a suite declared with POOL, explored anew, measured and reduced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/frameworks/pool_lines.hpp"

namespace morph::pools {

struct refresh_request {
  std::string spec;                  // empty: that of the pool, or the only one
  bool anew = false;                 // forget the cases that are in the pool
  bool dry_run = false;              // leave the pool as it is
  bool shows_exploring = false;      // what the program of specs says goes to the terminal
  bool shows_measuring = false;      // likewise
  bool quiet = false;                // the program is asked to be
  std::vector<std::string> for_run;  // options of the program's `run`
};

/// What became of a pool.
struct refreshed {
  std::string suite, pool;
  std::size_t explored = 0;                   // cases, with those of the pool
  std::size_t cases = 0;                      // that stay
  std::size_t enough = 0;                     // of them, that cover all and apply the relations alike
  std::size_t violating = 0, unmeasured = 0;  // of them
  std::size_t left_violations = 0;            // cases that violate what others do, and went
  std::int64_t covered = 0;                   // lines and branches
  bool is_proven = false;                     // that no fewer are enough
  std::int64_t bound = 0;                     // else: no fewer than these can be
  bool is_written = false;
  bool has_violations = false;  // that exploring has found
  std::vector<frameworks::pool_line> came, went;
  std::size_t stale = 0;  // of those that went: made by what the spec has no more
};

/// Explores, measures with `morph measure`, and writes the pool, which is as before if anything goes wrong.
contract::outcome<refreshed> refresh(const build::build_tree& tree, const build::suite& suite,
                                     const refresh_request& asked);

std::string as_text(const refreshed& of);
std::string as_json(const std::vector<refreshed>& all);

}  // namespace morph::pools
