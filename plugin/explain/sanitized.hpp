// The tests with new assertions once under AddressSanitizer.
#pragma once

#include <map>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// By test what AddressSanitizer says of it, or how it fails there. Only the changed sources are compiled for it, by
/// the options of the ordinary build, and linked with that build's objects. A program that cannot be built so says
/// nothing. `tests`: those that run, by the names of `last`.
result<std::map<std::string, std::string>> unsanitary(const build::build_tree& tree, const generate::proposal& changed,
                                                      const std::vector<std::string>& tests,
                                                      const report::mutation_result& last);

}  // namespace morph::explain
