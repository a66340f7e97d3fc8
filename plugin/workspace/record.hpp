// `morph record`: the verdicts of a run of tests go to the store.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/store/store.hpp"

namespace morph::workspace {

struct recorded {
  std::size_t verdicts = 0;
  std::size_t added = 0;                     // that were not recorded before
  std::set<std::string> failed, flaky;       // names of tests
  std::set<std::string> unknown, ambiguous;  // names of reports
  struct row_counts {
    std::size_t known = 0, tests = 0;
  };
  std::size_t removed = 0;           // measurements, the oldest
  std::optional<row_counts> rows{};  // of what was built last, in a tree that learns from ctest
};

/// Of JUnit reports, or without any of what ctest left in the build tree.
/// The store keeps the newest measurements within `bounds`.
result<recorded> record(const build::build_tree& tree, const std::vector<std::string>& reports,
                        const store::store_bounds& bounds = {});

/// What a user should mend: names that stand for several tests, or for none.
std::vector<std::string> warnings_of(const recorded& of);

/// Schema morph.record/1.
std::string as_json(const recorded& of);
std::string as_text(const recorded& of);

}  // namespace morph::workspace
