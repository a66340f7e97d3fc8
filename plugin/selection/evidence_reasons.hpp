// Why the evidence says that a test may be affected.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/selection/plan.hpp"

namespace morph::selection {

/// By test of the request, its index in the evidence of the baseline, or `ranking::not_measured`.
std::vector<std::uint32_t> match_tests(const plan_request& request);

class evidence_reasons {
 public:
  /// `facts_of`: match_tests(). Both have to outlive it.
  evidence_reasons(const plan_request& request, const std::vector<std::uint32_t>& facts_of);

  /// Reasons of the request's test `i`, its recorded time, and marks of what its row says.
  void add(std::uint32_t i, planned_test& planned);

  bool is_measured(const std::string& suite) const { return measured_suites_.count(suite) != 0; }

 private:
  void add_named_files(const current_test& test, std::vector<reason>& reasons) const;
  const store::measured_function* changed_function(const reason& why, const std::string& file) const;
  bool is_in_production(const reason& why, const current_test& test);

  const plan_request& r_;
  const std::vector<std::uint32_t>& matched_;
  std::vector<bool> startup_incomplete_;  // by program of the evidence
  std::set<std::string> measured_suites_;
  std::map<std::string, std::string> production_;  // by file and detail of a reason: the function, if it is no test's
};

}  // namespace morph::selection
