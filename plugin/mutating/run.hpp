// The run of `morph mutate`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

struct request {
  unsigned jobs = 0;                       // compile and run so many at once; 0: one a processor
  std::vector<std::string> operators;      // their names, all that count
  std::vector<std::string> only, without;  // globs of files
  std::string since;                       // a revision
  bool only_changed = false;
  std::optional<std::size_t> sample{};
  std::optional<shard> part{};
  std::optional<double> budget{};  // seconds, after which no mutant is begun
  bool all_killers = false;
  bool forgets = false;            // what earlier runs have found
  bool keeps_equivalents = false;  // does not look for mutants that no test can kill
  unsigned unmutated_runs = 2;
};

/// "all", or none for those that are on by default; an error names one that there is not.
result<std::vector<std::string>> operators_named(const std::vector<std::string>& names);

/// Prepares and builds the mutation twin, and has the tests judge the mutants. Interrupted, it keeps the verdicts.
result<mutation_report> run(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::mutating
