// Which part of its mutants a result has judged, and whether two results are parts of one.
#pragma once

#include <string>
#include <vector>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// What a result lacks to be whole, in words: "shard 3 of 4 is missing". Empty: every mutant of its scope is judged by
/// every program. A result without a record cannot be proven whole.
std::vector<std::string> missing_of(const mutation_result& result);

/// Of records with equal facts. Commutative and idempotent.
run_record unite(const run_record& one, const run_record& other);

/// In what two runs differ, by kind and name; empty if they are parts of one.
std::string difference_of(const run_facts& one, const run_facts& other);

/// Equal for equal facts.
std::string digest_of(const run_facts& facts);

}  // namespace morph::report
