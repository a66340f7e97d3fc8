// All that answers about coupled branches are made of.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "coverage/coupling/graph.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/coupled/branch_tests.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::coupled {

struct subject {
  report::coverage covered{};
  std::vector<store::measured_program> programs{};  // of its tests
  report::origin from{};
  std::vector<nlohmann::json> units{};
  coupling::branch_graph graph{};
  std::vector<const nlohmann::json*> read{};  // by function of the graph; into `units`
  std::unique_ptr<branch_evidence> evidence{};
};

result<subject> read_subject(const build::build_tree& tree, bool approximate, system::observer& told);

}  // namespace morph::coupled
