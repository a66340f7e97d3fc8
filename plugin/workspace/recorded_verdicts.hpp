// The verdicts of a run of tests, by their ctest names, and what the run was on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/store.hpp"

namespace morph::workspace {

/// The content of the work tree for what ran after its last change; nothing for what ran before, since nobody knows
/// what that ran on.
class known_snapshot {
 public:
  known_snapshot(const build::build_tree& tree, const git::repository* repo);
  std::string at(std::int64_t time) const { return time >= since_ ? id_ : std::string(); }

 private:
  std::string id_;
  std::int64_t since_ = 0;
};

struct run_verdicts {
  std::vector<store::test_outcome> outcomes;
  std::set<std::string> unknown, ambiguous;  // names of reports
  std::set<std::string> skipped;             // names of reports: no verdict, but not forgotten
};

/// Of JUnit reports, or without any of what ctest left in the build tree.
result<run_verdicts> read_verdicts(const build::build_tree& tree, const std::vector<std::string>& reports,
                                   const known_snapshot& content);

}  // namespace morph::workspace
