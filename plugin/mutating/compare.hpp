// Fifth step: the code of survivors is compared. What no test can kill is no weakness of the tests.
#pragma once

#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/source_reader/morph_source.hpp"

namespace morph::mutating {

/// With the original's and with each other's, unless the request does without or the run was interrupted.
void compare_survivors(const setting& run, const source_reader::source_request& request, mutation_report& report);

/// The numbers of mutants that tests could have noticed and have not.
std::vector<std::size_t> survivors_of(const mutation_report& report);

}  // namespace morph::mutating
