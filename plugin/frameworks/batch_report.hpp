// What is told of a batch that ran: to the next plan, in ctest's output, as JUnit.
#pragma once

#include <string>
#include <vector>

#include "plugin/frameworks/batch.hpp"
#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/last_runs.hpp"

namespace morph::frameworks {

/// For the next plan: a case that was skipped says nothing, and one that was not run must not be forgotten. What went
/// wrong outside of the cases may be the doing of any of them.
std::vector<run_outcome> outcomes_of(const batch& b, const batch_result& of);

/// With a case for each complaint.
std::vector<junit_case> junit_cases_of(const batch& b, const batch_result& of);

/// Lines for ctest, which takes the tags out of the output and hands them to a dashboard.
std::string summary_of(const batch& b, const batch_result& of);

/// run_batch(), and what became of it is left for the next plan: each failure at once, since nobody knows whether this
/// process lives to see the end of the batch. An error says that the next plan will not know.
struct kept_batch {
  batch_result ran;
  result<void> left;
};
kept_batch run_and_keep(const batch& b, const std::function<void(std::string_view)>& show);

}  // namespace morph::frameworks
