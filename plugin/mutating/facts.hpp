// What the verdicts of a run hang on, by name: results of several machines are united if all of it is the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugin/mutating/inputs.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/selection/file_kind.hpp"

namespace morph::mutating {

/// A file of the project that verdicts may hang on.
struct counted_file {
  selection::file_kind kind = selection::file_kind::unknown;
  std::string digest;
};

struct run_inputs {
  const build::build_tree& tree;
  const build::mutation_place& at;
  const std::vector<build::compile_unit>& commands;
  const chosen_sources& chosen;
  const std::map<std::string, counted_file>& files;  // by path from the project's root
  const std::string& foreign;                        // digest of what lies elsewhere
  const mutation::run_limits& limits;
  const std::vector<std::string>& operators;
  const std::vector<std::string>& scope;
};

/// No value hangs on where the project or its build lies.
report::run_facts facts_of(const run_inputs& of);

}  // namespace morph::mutating
