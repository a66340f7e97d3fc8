// Which cases a refresh of a pool keeps: of those that it had, and of those that exploring has found.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/frameworks/pool_lines.hpp"
#include "plugin/pools/rows.hpp"

namespace morph::pools {

std::set<std::string> ids_of(const std::vector<frameworks::pool_line>& lines);

/// The lines of a pool that a spec with these seeds and datamorphisms can read.
struct usable_cases {
  std::vector<frameworks::pool_line> lines;
  std::vector<frameworks::pool_line> stale;  // made by what the spec does not have any more, or of such cases
};
usable_cases usable_of(const std::vector<frameworks::pool_line>& lines, const std::set<std::string>& seeds,
                       const std::set<std::string>& datamorphisms);

struct united_cases {
  std::vector<frameworks::pool_line> lines;             // behind those that they were made of
  std::set<std::string> violated_before;                // ids: what violated a relation keeps the line that says so
  std::map<std::string, std::set<std::string>> serves;  // by id: relations that applied, with the kind of case
};
united_cases unite(const std::vector<frameworks::pool_line>& explored, const std::vector<frameworks::pool_line>& known);

struct chosen_cases {
  std::set<std::string> stay;       // ids
  reduced_cases found;              // the fewest that cover all and serve what all serve
  std::size_t unmeasured = 0;       // stay, too
  std::size_t left_violations = 0;  // cases that violate what enough others of their kind violate
};
/// With all that they were made of. `before`: ids that are preferred.
chosen_cases choose(const united_cases& all, const suite_rows& rows, const std::set<std::string>& before);

}  // namespace morph::pools
