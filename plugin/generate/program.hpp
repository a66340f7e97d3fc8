// Builds the program of calls: rewritten sources of the unit, thunks, and what the project links.
#pragma once

#include <filesystem>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct call_program {
  std::filesystem::path executable{};
  std::filesystem::path folder{};  // in which its calls run
  std::vector<bool> dropped{};     // callables that the compiler or linker rejects
};

/// Nothing outside of <build>/.morph/generate is written. Functions and callables that the compiler rejects are dropped,
/// in `of` too, until the rest compiles.
result<call_program> build_program(const build::build_tree& tree, subject& of, system::observer& told);

}  // namespace morph::generate
