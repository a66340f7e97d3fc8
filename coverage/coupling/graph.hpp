// Functions of a program with their branches and calls, and its classes, as several units tell them.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace morph::coupling {

/// An outcome of a site, numbered as morph::source::branch.
struct branch {
  std::uint32_t site = 0;  // in its function
  std::uint32_t outcome = 0;

  auto operator<=>(const branch&) const = default;
};

inline constexpr std::uint32_t entry_site = std::numeric_limits<std::uint32_t>::max();

struct branch_id {
  std::uint32_t function = 0;  // in its graph
  std::uint32_t site = 0;      // entry_site: that the function is entered
  std::uint32_t outcome = 0;

  bool is_entry() const { return site == entry_site; }
  auto operator<=>(const branch_id&) const = default;
};

struct site {
  std::uint32_t line = 0;
  std::string kind{}, text{};
  std::vector<std::uint32_t> outcomes{};  // that can occur
};

struct call {
  std::uint32_t line = 0;
  std::string callee{}, callee_class{}, callee_file{};
  std::string receiver{};       // the class of the expression that it is called on
  bool is_virtual = false;      // a derived class may have its own
  bool is_always = false;       // made whenever the function is entered
  bool is_from_entry = false;   // else an exception leads to it
  std::vector<branch> leads{};  // on which it depends, and which always lead to it
};

struct function {
  std::string name{}, in_class{}, file{};
  std::uint32_t line = 0, end_line = 0;
  std::uint32_t begin = 0, body = 0, end = 0;  // bytes of its file
  std::vector<site> sites{};
  std::vector<call> calls{};
  std::vector<branch> entry{};            // that can follow when it is entered
  std::optional<std::uint32_t> within{};  // a lambda: the function that it is written in
};

struct class_facts {
  std::vector<std::string> bases{};
  std::map<std::string, std::set<std::string>> overrides{};  // by its function: those of bases
};

struct branch_graph {
  std::vector<function> functions{};
  std::map<std::string, class_facts> classes{};
};

/// Of what `morph-source` answers for its task "branches", a value for each unit. A function that several units read is
/// one.
branch_graph graph_of(const std::vector<nlohmann::json>& units);

/// Classes whose name ends with `named`, namespace by namespace.
std::vector<std::string> classes_named(const branch_graph& graph, const std::string& named);

}  // namespace morph::coupling
