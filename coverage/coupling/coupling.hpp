// Coupled branches of a caller and a callee (Derakhshanfar, Devroey, Panichella, Zaidman, van Deursen: Cling, TSE
// 2022).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "coverage/coupling/graph.hpp"

namespace morph::coupling {

/// A class by its whole name, or a file as the graph names it.
struct unit {
  std::string name{};
  bool is_file = false;
};

struct options {
  bool has_entry_branch = false;  // a call that no branch leads to is coupled with the entry of its function
};

struct call_site {
  std::uint32_t function = 0, call = 0;  // in the graph, in the function
  std::vector<branch_id> caller{};       // B_R(s), definition 3.1
  std::vector<branch_id> callee{};       // B_E(s), definition 3.2
};

struct coupled_pair {
  branch_id caller{}, callee{};

  auto operator<=>(const coupled_pair&) const = default;
};

struct coupled_branches {
  std::vector<call_site> sites{};
  std::vector<coupled_pair> pairs{};     // CB_R,E, definition 3.4, in order
  std::size_t sites_without_branch = 0;  // unconditional calls, which give no pair
};

/// Costs a visit of the units' functions for each call site, and the products.
coupled_branches coupled(const branch_graph& graph, const unit& caller, const unit& callee, const options& by = {});

/// Functions of the caller from which calls within it lead to a call site, in order: the covering methods.
std::vector<std::uint32_t> covering_functions(const branch_graph& graph, const unit& caller,
                                              const coupled_branches& of);

/// A pair of classes that is worth tests of its own.
struct candidate {
  std::string caller{}, callee{};
  std::size_t sites = 0, pairs = 0;
  std::size_t complexity = 0;  // decisions of both
};

/// All pairs of classes with coupled branches, by the product of complexity and call sites, the largest first. Pairs
/// with a class that decides nothing have none.
std::vector<candidate> candidates(const branch_graph& graph, const options& by = {});

/// Classes whose functions a unit calls, by name.
std::vector<std::string> called_classes(const branch_graph& graph, const unit& caller);

}  // namespace morph::coupling
