// First step: the mirror and its build tree are made ready, and the sources are read for their mutants.
#pragma once

#include <filesystem>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/mutating/inputs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

struct prepared_twin {
  build::build_tree tree;
  std::vector<build::compile_unit> commands;
  chosen_sources chosen;
  bool has_included_files = false;  // when sources are read; else once they are built
  source_reader::source_request request;
};

/// Into the report go the sources, and none that the compiler has rejected. An error too if no suite can judge.
result<prepared_twin> prepare(const setting& run, mutation_report& report);

/// The build may have changed what the twin is configured by.
result<build::build_tree> configure_again(const setting& run);

}  // namespace morph::mutating
