// All that answers about coupled branches are made of.
#pragma once

#include <memory>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/coupled/branch_tests.hpp"
#include "plugin/coupled/sources.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::coupled {

struct subject {
  report::coverage covered{};
  std::vector<store::measured_program> programs{};  // of its tests
  report::origin from{};
  source_branches sources{};
  std::unique_ptr<branch_evidence> evidence{};
};

result<subject> read_subject(const build::build_tree& tree, bool approximate, system::observer& told);

}  // namespace morph::coupled
