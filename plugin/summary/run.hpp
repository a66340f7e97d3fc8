// What `morph report summary` does: reads the evidence that is there, and runs nothing.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/summary/facts.hpp"
#include "plugin/system/observer.hpp"

namespace morph::summary {

struct request {
  /// `base_revision`: the changes since then. Empty: since HEAD left the branch that others work on.
  planning::plan_options options{};
  std::vector<std::string> reports{};  // JUnit; empty = what ctest left
};

/// The plan is that of the moment before the tests ran, by the nearest measurement at the revision or behind it. If
/// there is none, it starts from the measurement that `morph plan` takes, but not from one of the present content: the
/// run itself may have left that.
contract::outcome<facts> run(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::summary
