// The set of tests that was chosen of an instance, and what is said of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/reduction.hpp"
#include "plugin/optimize/instance.hpp"

namespace morph::optimize {

struct chosen_set {
  optimizer::cover_problem problem;
  std::optional<std::int64_t> budget_us;
  optimizer::reduced_set reduced;
  std::vector<optimizer::test_role> roles;

  bool keeps(std::uint32_t test) const { return optimizer::has(reduced.set.tests, test); }
  /// Those that cover most of what no other one does first.
  std::vector<std::uint32_t> kept() const;
};

/// Schema morph.optimize/1.
nlohmann::json as_json(const optimize_instance& of, const chosen_set& chosen);
/// For people.
std::string as_text(const optimize_instance& of, const chosen_set& chosen);
/// Names of the tests that run, one a line.
std::string as_names(const optimize_instance& of, const chosen_set& chosen);

}  // namespace morph::optimize
