// What `morph mutate` and `morph report mutation` say beside a result.
#pragma once

#include <optional>
#include <string>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::command {

/// What is wrong with a result that was printed, on stderr alone: with --json, stdout has one JSON value.
void say_beside_result(const std::string& message);

/// With the least score in percent that is wanted: says what is wrong, and returns how the command ends.
contract::exit_code compare_score(const report::mutation_result& result, std::optional<double> fail_under);

}  // namespace morph::command
