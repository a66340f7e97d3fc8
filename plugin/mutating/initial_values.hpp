// Who can notice a mutant of an initial value: what runs before main() is over when tests begin, so only code that
// names the variable can.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugin/mutating/sources.hpp"

namespace morph::mutating {

/// For each place within an initial value: the nodes of which one is reached before the variable is read. A place is
/// missing where that cannot be told: somebody names the variable outside of what has nodes, or where Clang did not
/// read, or macros of the project paste names together. `project_files` by their paths from the root of the sources.
std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_that_read(const mutated_sources& sources,
                                                                    const source_reader::source_request& request,
                                                                    const std::vector<std::string>& project_files);

}  // namespace morph::mutating
