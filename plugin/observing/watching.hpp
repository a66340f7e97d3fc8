// Runs the tests of a program that reach mutants, and compares what they observe without and with each.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "coverage/mutation/judge.hpp"
#include "coverage/observation/compare.hpp"
#include "coverage/observation/difference.hpp"
#include "plugin/observing/chosen.hpp"
#include "plugin/observing/request.hpp"
#include "plugin/observing/woven.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::observing {

/// The tests of one program that reach a mutant, by their numbers in the baseline.
struct watched_mutant {
  const chosen_mutant* what = nullptr;
  std::uint32_t point = 0;  // of its function's calls; 0: they are not observed
  std::vector<std::uint32_t> tests{};
  std::vector<std::uint32_t> unaffected{};  // in which its value never differs: their calls alone are of interest
};

/// Values of one thing that calls were given.
struct given_values {
  std::set<std::string> known{};
  bool has_others = false;  // beyond these, or in calls that were not read
};

/// What becomes of a mutant in all programs.
struct watched_result {
  observation::observed_mutant seen{};
  std::map<std::string, given_values> given{};  // of the function's calls, by name
};

struct watched_program {
  mutation::mutant_program what{};
  const mutation::program_baseline* baseline = nullptr;
  std::vector<std::string> names{};  // of its tests, as people know them
};

/// Adds to `results`, one for each of `mutants`. The tests run one after the other on each of `jobs` servers.
result<void> watch(const watched_program& program, const std::vector<watched_mutant>& mutants, const woven_twin& twin,
                   const request& asked, unsigned jobs, system::observer& told, std::vector<watched_result>& results);

}  // namespace morph::observing
