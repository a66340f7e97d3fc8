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

/// The tests of one program that reach a mutant and may notice it, by their numbers in the baseline.
struct watched_mutant {
  const chosen_mutant* what = nullptr;
  std::uint32_t point = 0;  // of its function's calls; 0: they are not observed
  std::vector<std::uint32_t> tests{};
};

/// What becomes of a mutant in all programs.
struct watched_result {
  observation::observed_mutant seen{};
  std::map<std::string, std::set<std::string>> given{};  // of the function's calls: values by name
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
