// Which program mutants mean the same as the original, or as each other, going by what LLVM makes of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coverage/source/clang/parse.hpp"

namespace morph::source {

/// An alternative of a place, as rewritten sources count them.
struct compared_mutant {
  std::uint32_t node = 0;
  std::uint32_t function_node = 0;  // that is set with it
  std::uint32_t alternative = 0;    // from 1
};

/// What became of a mutant in one unit: equal text, equal code. The code of the original has a name of its own, empty
/// where the unit has no code of the mutant's place, or none that could be compared.
struct mutant_code {
  std::string code{};
  bool is_original = false;
};

struct unit_comparison {
  std::vector<mutant_code> mutants;  // in their order
  std::vector<parse_error> errors;   // with one, nothing was compared
};

/// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015) without a compiler run a mutant: the
/// rewritten unit becomes LLVM code once; of each function that has a mutant a copy with this one on for good is
/// optimized alone, as -O2 does without inlining, and compared with the copy in which none is on. Equal code is a proof
/// (as far as the project's compiler gives programs the same meaning), different code says nothing.
unit_comparison compare_code(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                             std::span<const compared_mutant> mutants);

}  // namespace morph::source
