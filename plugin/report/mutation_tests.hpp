// What tests and suites kill: which mutants no other one kills, and whose kills the others make anyway.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// Of a test among those of its suite, of a suite among all. As far as killers are known: without
/// mutation_result::has_all_killers, what the first ones killed.
struct kill_row {
  std::string name;
  std::string suite;
  std::size_t kills = 0;
  std::size_t alone = 0;  // that none of the others kills
  /// Without all that are redundant, what is left kills the same mutants. Those that kill least are left out first.
  bool is_redundant = false;

  bool operator==(const kill_row&) const = default;
};

/// In the order of the result's tests, without those that were left out. `suite`: its tests alone, if one is named.
std::vector<kill_row> kills_of_tests(const mutation_result& result, const std::string& suite = {});

/// By name.
std::vector<kill_row> kills_of_suites(const mutation_result& result);

/// A table of either, with a line that says how far it can be trusted.
std::string kills_as_text(const mutation_result& result, const std::vector<kill_row>& rows, const char* title);

/// The kill matrix: a line a mutant that one of these tests kills, a column of 0 and 1 a test.
std::string kills_as_csv(const mutation_result& result, const std::string& suite = {});

}  // namespace morph::report
