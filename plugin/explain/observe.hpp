// Where explanations get their observations from.
#pragma once

#include <string>
#include <vector>

#include "coverage/observation/difference.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/explain/request.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// Runs the tests with and without each of these mutants of the last `morph mutate`, by their ids.
result<std::vector<observation::observed_mutant>> observe(const build::build_tree& tree,
                                                          const std::vector<std::string>& mutants, const request& asked,
                                                          system::observer& told);

}  // namespace morph::explain
