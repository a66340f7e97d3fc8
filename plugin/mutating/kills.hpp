// Kills of program mutants as what tests are there for: in the store, beside what each of them executes.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

struct known_kill {
  std::string file;     // from the root of the project
  std::string mutant;   // what no other one of the file is called
  std::string program;  // suite/target
  std::string test;     // as its framework calls it
};

/// Of a report whose mutants are called so.
std::vector<known_kill> known_kills(const mutation_report& report, const std::vector<std::string>& names);

/// Into the measurement of what the work tree holds, in place of earlier ones. Returns a line that says what was done;
/// without such a measurement, what to do.
result<std::string> keep_kills(const build::build_tree& tree, const std::vector<known_kill>& kills);

/// Of a result of `morph mutate --all-killers`, one or several united; an error if it is not of all mutants of the
/// present sources.
result<std::string> keep_kills_of(const report::mutation_result& result, const build::build_tree& tree);

}  // namespace morph::mutating
