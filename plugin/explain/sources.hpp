// What Clang says of the project's functions: who calls whom, what tests can call, and who reads which field.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "coverage/coupling/graph.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// As coverage/source/access writes it; `header` from the root of the sources.
struct function_access {
  std::string name{}, in_class{}, header{}, why_not{}, result{};
  std::uint32_t parameters = 0, objects = 0;
  bool is_constant = false, is_getter = false;
  std::vector<std::string> reads{};
  std::string gives{};
};

struct project_functions {
  coupling::branch_graph graph{};
  std::map<std::string, function_access> access{};  // by name
};

/// Of the repository, or else of the project.
std::filesystem::path root_of(const build::build_tree& tree);

/// Of answers of the task "access".
void add_access(const nlohmann::json& answer, const std::string& root, project_functions& to);

/// The whole call graph, kept from call to call, and the access of functions that lead to one of these, or are members
/// of one of these classes. `wanted`: names of functions.
result<project_functions> read_functions(const build::build_tree& tree, const std::set<std::string>& wanted,
                                         const std::set<std::string>& classes, system::observer& told);

}  // namespace morph::explain
