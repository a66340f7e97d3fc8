// The results of several runs on the same sources as one: the shards of several machines.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// A mutant is in the state that says most: a kill before equivalence, a survivor, one that no test reaches, and one
/// that was not judged. Killers are united; of times and counts the largest is taken, so that a shard counts once
/// however often it comes. Commutative and idempotent; what is missing of the whole says missing_of(). The error names
/// the first thing in which the two runs differ.
tl::expected<mutation_result, std::string> unite(mutation_result one, const mutation_result& other);

}  // namespace morph::report
