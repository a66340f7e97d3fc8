// In which order tests run.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "optimizer/matrix/matrix.hpp"
#include "plugin/selection/plan.hpp"

namespace morph::selection {

/// In microseconds, by test: recorded wall time; of a test without, the median.
std::vector<std::int64_t> costs_of(const std::vector<planned_test>& tests);

/// What orders are made of. Tests are numbered as in the request.
class ranking {
 public:
  /// `facts_of`: by test, its index in the evidence of the baseline, or `not_measured`. All have to outlive it.
  ranking(const plan_request& request, const std::vector<planned_test>& tests,
          const std::vector<std::uint32_t>& facts_of);
  static constexpr std::uint32_t not_measured = ~std::uint32_t{0};

  /// By urgency, then by additional greedy per cost: what changed first, then all lines and known kills, by the churn
  /// of their files where it is known. A test that has failed in recorded runs counts as if it covered that part of
  /// what changed, too, that optimizer::failure_rates() says.
  std::vector<std::uint32_t> of_selected() const;
  std::vector<std::uint32_t> of_waiting() const;

  /// What the order of the selected tests is made of.
  optimizer::instance of_levels() const;

  /// One level, of the tests that are selected: changed lines; all that they cover of a kind.
  optimizer::instance of_change() const;
  optimizer::instance of_all(optimizer::requirement_kind kind) const;

  /// costs_of(); orders go by two digits of it.
  const std::vector<std::int64_t>& costs() const { return cost_us_; }

  /// Whether orders by all lines found failures of recorded runs later than chance would have: then they go by failure
  /// rates instead.
  bool coverage_misleads() const { return misleads_; }

 private:
  std::vector<bool> selected() const;
  // Of the tests that count.
  template <typename Weight>
  std::vector<optimizer::requirement_class> classes(const std::vector<bool>& counts, Weight weight_of) const;
  std::vector<optimizer::requirement_class> all_of(optimizer::requirement_kind kind,
                                                   const std::vector<bool>& counts) const;
  std::vector<optimizer::requirement_class> changed_lines(const std::vector<bool>& counts) const;
  std::vector<optimizer::requirement_class> changed(const std::vector<bool>& counts) const;
  std::vector<optimizer::requirement_class> lines_and_kills(const std::vector<bool>& counts) const;
  optimizer::instance instance_of(const std::vector<bool>& counts) const;
  std::vector<std::map<std::uint32_t, bool>> failed_runs() const;  // by test, whether it failed
  bool finds_failures_late() const;

  const plan_request& r_;
  const std::vector<planned_test>& tests_;
  const std::vector<std::uint32_t>& facts_of_;
  std::vector<std::int64_t> cost_us_, rounded_;
  std::vector<double> rates_;     // by test; none if no test has failed in a recorded run
  std::vector<bool> has_failed_;  // by test, in a recorded run
  bool misleads_ = false;
};

}  // namespace morph::selection
