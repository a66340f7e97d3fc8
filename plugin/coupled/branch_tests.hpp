// Which tests took which branch, as far as the evidence says.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "coverage/coupling/graph.hpp"
#include "plugin/coupled/mapping.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/report/coverage.hpp"

namespace morph::coupled {

/// A set of tests, a bit each.
using test_bits = std::vector<std::uint64_t>;

/// Of a branch: the tests that took it for sure, and those that may have.
struct branch_tests {
  test_bits surely, perhaps;

  bool is_mapped() const { return surely == perhaps; }
};

/// Of each function of the graph: what `morph-source` says of it.
std::vector<const nlohmann::json*> functions_read(const coupling::branch_graph& graph,
                                                  const std::vector<nlohmann::json>& units);

/// Answers for the branches of one graph.
class branch_evidence {
 public:
  /// `read`: functions_read(); `covered`: with the lines of the work tree; `ways`: with those of the
  /// measurement, by file; `changes`: from the one to the other.
  branch_evidence(const coupling::branch_graph& graph, const std::vector<const nlohmann::json*>& read,
                  const report::coverage& covered, const std::map<std::string, std::vector<store::packed_way>>& ways,
                  const std::vector<git::file_change>& changes);

  /// Whether the function is not what was measured.
  bool is_changed(std::uint32_t function) const { return functions_[function].is_changed; }
  const branch_tests& of(coupling::branch_id branch) const;
  std::size_t tests() const { return tests_; }

 private:
  struct function_tests {
    bool is_changed = false;
    branch_tests entered;
    std::vector<std::vector<branch_tests>> of_site;  // by outcome
  };

  function_tests tests_of(const coupling::function& of, const nlohmann::json* read, const file_decisions* compiled,
                          const report::coverage& covered) const;

  std::size_t tests_ = 0;
  std::vector<test_bits> sets_;  // by report::set_id
  std::vector<function_tests> functions_;
};

/// The tests of both, ascending.
std::vector<std::uint32_t> common(const test_bits& a, const test_bits& b);

}  // namespace morph::coupled
