// The functions of a class or a file as one graph: which they are, and where a call within it leads.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coverage/coupling/coupling.hpp"

namespace morph::coupling {

class hierarchy {
 public:
  explicit hierarchy(const branch_graph& graph) : graph_(graph) {}

  /// The bases of a class and theirs, the nearest first.
  std::vector<std::string> above(const std::string& name) const;
  bool is_below(const std::string& derived, const std::string& base) const;
  /// Which function an object of the class has for a virtual one.
  std::string final_one(const std::string& of_class, const std::string& function) const;

 private:
  bool does_override(const std::string& of_class, const std::string& own, const std::string& function) const;

  const branch_graph& graph_;
};

/// Keeps a reference to the graph.
class class_graph {
 public:
  /// `other`: the caller or callee, for the rules of one hierarchy (section 3.1.5).
  class_graph(const branch_graph& graph, const unit& of, const unit& other);

  const std::set<std::uint32_t>& functions() const { return functions_; }
  /// The function that a call from `from` enters, if it is one of these.
  std::optional<std::uint32_t> target(std::uint32_t from, const call& of) const;
  /// Functions with a call to `function`, and the calls.
  std::vector<std::pair<std::uint32_t, const call*>> calls_of(std::uint32_t function) const;
  /// Lambdas that are written in it.
  std::vector<std::uint32_t> lambdas_in(std::uint32_t function) const;

 private:
  bool belongs(const function& each, const std::vector<std::string>& above) const;

  const branch_graph& graph_;
  const unit of_, other_;
  hierarchy classes_;
  std::set<std::uint32_t> functions_;
  std::multimap<std::string, std::uint32_t> by_name_;
  std::multimap<std::uint32_t, std::pair<std::uint32_t, const call*>> calls_of_;
};

}  // namespace morph::coupling
