// Configuring and building the instrumented twin of a build tree.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

struct twin_options {
  unsigned jobs = 0;         // 0 = as many as there are processors
  bool show_output = false;  // else it goes to <build>/.morph/twin.log
  bool keeps_going = false;  // with other steps, when one has failed
};

/// Configures the twin in tree.twin_dir() from the cache snapshot and builds the test programs there. The error holds
/// the end of what CMake or the compiler said.
result<build_tree> build_twin(const build_tree& tree, const twin_options& options);

/// The mutation twin: a mirror of the sources and its build tree.
struct mutation_place {
  std::filesystem::path source;
  std::filesystem::path binary;
  std::filesystem::path log;  // what CMake and the compilers said
};
mutation_place mutation_place_of(const build_tree& tree);
/// That holds both.
std::filesystem::path twin_folder(const build_tree& tree);

/// Configures it as the tree is, with the mirror in place of its sources and a record of compile commands.
result<build_tree> configure_mutation_twin(const build_tree& tree, const twin_options& options);

/// Makes what the sources of its programs include and a command of the build makes, as far as that can be done without
/// compiling them: by Ninja. Returns whether it was.
bool make_included_files(const build_tree& tree, const twin_options& options);

/// Builds the programs of its suites, as far as that goes. The errors of compilers are in the log.
result<void> build_mutation_twin(const build_tree& tree, const twin_options& options);

}  // namespace morph::build
