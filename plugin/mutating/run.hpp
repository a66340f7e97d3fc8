// The run of `morph mutate`: prepare, list, build, judge, compare.
#pragma once

#include "plugin/build/build_tree.hpp"
#include "plugin/mutating/request.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

/// Prepares and builds the mutation twin, and has the tests judge the mutants. Interrupted, it keeps the verdicts.
result<mutation_report> run(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::mutating
