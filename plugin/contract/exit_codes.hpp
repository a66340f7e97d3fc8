// How the `morph` program ends: the contract with scripts.
#pragma once

#include <array>

namespace morph::contract {

/// The contract with scripts.
enum exit_code : int { fine = 0, finding = 1, usage = 2, environment = 3, internal = 4 };
struct exit_row {
  exit_code code;
  const char* name;
  const char* meaning;
};
inline constexpr std::array exit_codes{
    exit_row{fine, "fine", "it did what it was asked for"},
    exit_row{finding, "a finding",
             "`doctor` has found a problem, `store verify` damage, `plan --audit` a failure that the plan would have "
             "missed. `mutate --fail-under`: the mutation score is lower. `explain`: a survivor is explained. `report "
             "coverage --diff`: no test is known to run a changed line. `spec run`: a relation does not hold for a "
             "case. `script play`: a step ended so"},
    exit_row{usage, "usage", "the command line is not understood, or names something that is not there"},
    exit_row{environment, "environment",
             "something around it is missing or broken: build tree, repository, store, compiler; `plan`: the plan is "
             "complete, but a program could not be listed; `--fail-under`: no mutant was judged"},
    exit_row{internal, "internal error", "a bug in Morph"},
};

}  // namespace morph::contract
