// What `morph mutate` is asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugin/mutating/scope.hpp"
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

  /// Whether mutants of this file are wanted.
  bool is_chosen(const std::string& path) const;
};

/// "all", or none for those that are on by default; an error names one that there is not.
result<std::vector<std::string>> operators_named(const std::vector<std::string>& names);

/// The options that leave mutants out, as they were given. Those that leave mutants unjudged are not among them.
std::vector<std::string> scope_of(const request& asked);

}  // namespace morph::mutating
