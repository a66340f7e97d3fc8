// Tests for some mutants and nothing else: what is searched for, and which tests are left.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "plugin/generate/emit.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/mutants.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// Of the unit only the functions with these mutants are wanted; all others lead to them. Nothing changes without
/// mutants. An error if no function has one.
result<void> narrow(subject& to, const std::vector<mutant_text>& mutants, const std::filesystem::path& root);

/// Whole numbers and characters in the lines of the mutants, and their neighbours: what tells a mutant from its
/// original is often one of these.
std::vector<literal> constants_of(const std::vector<mutant_text>& mutants, const std::filesystem::path& root);

/// Keeps as few tests as kill together what all of them kill, in their order. For each of `wanted` mutants that were
/// asked for the name of a test that kills it; empty: none does.
std::vector<std::string> keep_killers(std::vector<test_case>& tests, const std::vector<unit_mutant>& mutants,
                                      std::size_t wanted);

}  // namespace morph::generate
