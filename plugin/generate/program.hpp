// Builds the program of calls: rewritten sources of the unit, thunks, and what the project links.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
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

/// What is written into the sources in place of the originals.
struct program_kind {
  std::filesystem::path folder{};      // of all that is made, in <build>/.morph/generate
  std::vector<std::string> options{};  // of sources and thunks
  std::uint32_t nodes = 0;             // of mutants
  /// By file from the root of the project; lines keep their numbers.
  std::function<result<std::map<std::string, std::optional<std::string>>>()> texts{};
  /// Leaves out what the compiler rejects, as its messages in a log of Ninja say. False if nothing is at fault.
  std::function<bool(const std::string& log)> drop{};
};

std::filesystem::path runtime_folder();

/// Where sources of a program lie in `folder`, and a command as it names them there.
std::filesystem::path mirror_of(const std::filesystem::path& folder, const build::build_tree& tree);
std::string in_mirror(const std::string& text, const build::build_tree& tree, const std::filesystem::path& mirror);
build::compile_unit in_mirror(build::compile_unit unit, const build::build_tree& tree,
                              const std::filesystem::path& mirror);

/// Nothing outside of <build>/.morph/generate is written. Functions and callables that the compiler rejects are
/// dropped, in `of` too, until the rest compiles.
result<call_program> build_program(const build::build_tree& tree, subject& of, system::observer& told);

/// The same with other sources. `dropped`: callables that are known to be rejected.
result<call_program> build_program(const build::build_tree& tree, subject& of, const program_kind& kind,
                                   const std::vector<bool>& dropped, system::observer& told);

}  // namespace morph::generate
