// What is known of the cases of a pool where they are tests (MORPH_SPEC_CASES): coverage, kills, which of them are
// enough.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "optimizer/reduction.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::pools {

/// Of the code under test, which is all but what tests are written in, by the nearest measurement.
struct suite_rows {
  std::optional<workspace::found_baseline> from;  // whose rows these are
  std::filesystem::path root;                     // of the repository
  report::coverage all;
  std::vector<std::uint32_t> of_suite;            // all tests of the suite
  std::map<std::string, std::uint32_t> of_cases;  // by id, the cases that were measured one by one
  std::string missing;                            // why there is nothing
};
suite_rows rows_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids);

/// Of the cases, or, where none was measured, of the suite.
report::file_tally tally_of(const suite_rows& rows);

struct reduced_cases {
  std::vector<std::string> ids;
  std::size_t different = 0;  // cases that do not cover the same as another one
  std::int64_t covered = 0;   // lines and branches
  std::int64_t all = 0;       // that any measured case covers
  bool is_proven = false;     // that no fewer cover all, or no others more
  std::int64_t bound = 0;     // the fewest there may be, or the most that may be covered
};
/// What cases are there for beside their rows, and which are taken where others would do as well.
struct case_wishes {
  std::map<std::string, std::set<std::string>> serves;  // by id: each of these needs a case that serves it
  std::set<std::string> preferred;                      // ids
};
/// The fewest measured cases that cover all that these cover, or the `most` that cover the most.
reduced_cases reduce_cases(const suite_rows& rows, std::optional<std::uint32_t> most, const case_wishes& wishes = {});

/// Which mutants of the last `morph mutate` the pool's cases kill, where cases are tests, else all tests of the suite.
struct pool_kills {
  std::size_t killed = 0;
  report::mutation_tally of;
  bool of_cases = false;
  bool is_all = true;                                    // else others may have killed first, and these kill more
  std::map<std::string, std::set<std::string>> by_case;  // by id, the mutants, if these are all
  std::string missing;                                   // why there are none
};
pool_kills kills_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids);

}  // namespace morph::pools
