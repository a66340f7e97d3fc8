// The results of several runs on the same sources as one: the shards of several machines.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// A mutant is in the state that says most: a kill before equivalence, a survivor, one that no test reaches, and one
/// that was not judged. Killers are united, times are added. The error names the first thing in which the two are of
/// other sources or mutants.
tl::expected<mutation_result, std::string> unite(mutation_result one, const mutation_result& other);

}  // namespace morph::report
