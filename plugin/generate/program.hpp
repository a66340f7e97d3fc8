// Builds the program of calls: rewritten sources of the unit, thunks, and what the project links.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// A test program that links what is under test, and where its sources are.
struct test_place {
  std::string framework{};         // gtest, catch2 or doctest
  std::string include{};           // as its sources include the framework, with quotes or brackets
  std::string target{};            // of CMake
  std::filesystem::path source{};  // one of its sources
  build::compile_unit unit{};      // how that is compiled
};

struct call_program {
  std::filesystem::path executable{};
  std::filesystem::path folder{};  // in which its calls run
  std::vector<bool> dropped{};     // callables that the compiler or linker rejects
  std::optional<test_place> tests{};
  build::compile_unit as{};              // whose options tests are compiled with: one of theirs, or one under test
  std::vector<std::string> link_head{};  // of a command that links another program with what is under test, which
  std::vector<build::compile_unit> sources{};  // under test
  std::vector<std::string> link_rest{};        // link_tail without the objects of these
  std::vector<std::string> link_tail{};        // runs in the build tree: compiler and options; objects and libraries
};

/// The compiler and its options: without the source, what is written, and what makes warnings errors.
std::vector<std::string> options_of(const build::compile_unit& unit);

/// What it says if it fails comes behind `log`.
bool run_compiler(const std::vector<std::string>& words, const std::string& directory, std::string& log);

/// Nothing outside of <build>/.morph/generate is written. Functions and callables that the compiler rejects are
/// dropped, in `of` too, until the rest compiles.
result<call_program> build_program(const build::build_tree& tree, subject& of, system::observer& told);

}  // namespace morph::generate
