// What `morph mutate` reads of a configured twin: production sources, sources of tests, and what verdicts hang on.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/mutating/request.hpp"
#include "plugin/mutating/sources.hpp"

namespace morph::mutating {

/// What is read, and what in the mirror is not mutated: sources of tests, and headers beside them. Sources of a test
/// program that are not named as tests are read as production code is, and mutated but for the test code in them.
struct chosen_sources {
  std::vector<build::compile_unit> units;
  std::size_t production = 0;  // so many units; those of tests follow
  std::vector<std::string> except;
  std::map<std::string, std::set<std::string>> tests;  // their sources by target, those that hold both among them
  std::set<std::string> outside{};                     // neither the project's nor made by its build
};
chosen_sources choose_sources(const std::vector<build::compile_unit>& all, const build::build_tree& tree,
                              const std::filesystem::path& mirror);

/// Names of units of which no file is wanted, as far as the last build of `tree` tells.
std::set<std::string> unwanted_units(const std::vector<build::compile_unit>& units, const build::build_tree& tree,
                                     const std::filesystem::path& mirror, const request& asked);

/// A digest of the sources that are neither the project's nor made by its build, and of all that they include.
std::string digest_of_foreign(const std::vector<build::compile_unit>& commands, const build::mutation_place& at,
                              const build::dependency_map& dependencies);

/// What the compilations of a target read; of all targets without a name.
std::set<std::string> read_for(const std::string& target, const build::dependency_map& dependencies);

/// A digest of everything by which a program can judge otherwise, but for sources and tests. `foreign`: of sources of
/// which nothing more is known.
std::string conditions_of(const build::build_tree& tree, const build::suite& suite,
                          const std::vector<build::compile_unit>& commands, const mutation::run_limits& limits,
                          const std::string& foreign);

/// Sources and headers of the tests of a program: their texts in `originals`, named as in the mirror, as compilers do.
/// `files`: of both; `places`: of its tests, as `file:line`.
std::vector<test_source> test_sources_of(const std::string& target, const chosen_sources& chosen,
                                         const std::filesystem::path& originals, const std::filesystem::path& mirror,
                                         const std::vector<std::string>& files, const std::vector<std::string>& places);

}  // namespace morph::mutating
