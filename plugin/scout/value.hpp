// What relations that were written as specs add to the project's own tests.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "plugin/report/coverage.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/scout/specs.hpp"

namespace morph::scout {

/// MR-Scout, section 4.4: on top of the tests that were there.
struct spec_value {
  spec of{};
  std::string target{};
  std::size_t kills = 0;  // mutants
  std::size_t added = 0;  // of these, that no test of the project kills
  std::size_t lines = 0;  // that no test of the project runs

  auto worth() const { return std::tuple(added, lines, kills); }
};

/// Of mutants or lines: all, those that the project's own tests reach, and those that relations reach beside them.
struct gain {
  std::size_t all = 0, own = 0, added = 0;
  /// Nothing if the tests have none.
  std::optional<double> relative() const;
};

struct relation_values {
  std::vector<spec_value> specs{};  // what adds most comes first
  gain mutants{};
  std::optional<gain> lines{};  // nothing: not measured
};

/// Of the specs that have tests in the result. It has to have all killers. Lines of tests count for nothing; `covered`
/// may be null.
relation_values values_of(const std::vector<spec_source>& of, const report::mutation_result& mutated,
                          const report::coverage* covered);

std::string as_text(const relation_values& of, bool has_colour);
std::string as_markdown(const relation_values& of);
/// Schema morph.scout-rank/1; one line.
std::string as_json(const relation_values& of);

}  // namespace morph::scout
