// A column for each test, and for each class if not all have to be covered; a row for each class, and one for the
// budget.
#include "optimizer/exact/exact.hpp"

#include <coin/Cbc_C_Interface.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace morph::optimizer {
namespace {

constexpr double milliseconds = 1e-3;  // CBC's tolerances are made for numbers of this size

struct program {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> values;
  std::vector<double> objective, row_from, row_to;

  void end_column(double cost) {
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    objective.push_back(cost);
  }
  void add(std::uint32_t row, double value) {
    rows.push_back(static_cast<int>(row));
    values.push_back(value);
  }
};

std::optional<exact_set> solve(const cover_problem& problem, const program& p, exact_effort effort) {
  const cover_matrix& matrix = *problem.matrix;
  const std::vector<double> zeros(p.objective.size(), 0), ones(p.objective.size(), 1);
  const std::unique_ptr<Cbc_Model, decltype(&Cbc_deleteModel)> model(Cbc_newModel(), Cbc_deleteModel);
  Cbc_loadProblem(model.get(), static_cast<int>(p.objective.size()), static_cast<int>(p.row_from.size()),
                  p.starts.data(), p.rows.data(), p.values.data(), zeros.data(), ones.data(), p.objective.data(),
                  p.row_from.data(), p.row_to.data());
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) Cbc_setInteger(model.get(), static_cast<int>(test));
  Cbc_setParameter(model.get(), "log", "0");
  Cbc_setParameter(model.get(), "ratio", "0");
  Cbc_setParameter(model.get(), "allow", "0");
  Cbc_setParameter(model.get(), "maxNodes", std::to_string(effort.nodes).c_str());
  Cbc_setParameter(model.get(), "timeMode", "elapsed");
  Cbc_setParameter(model.get(), "sec", std::to_string(effort.seconds).c_str());
  Cbc_solve(model.get());
  const double* const values = Cbc_getColSolution(model.get());
  if (values == nullptr || Cbc_isProvenInfeasible(model.get()) != 0) return std::nullopt;
  cover_state state(problem);
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (values[test] > 0.5) state.add(test);
  exact_set result;
  state.store(result.found.tests);
  result.found.cost_us = state.cost_us();
  result.found.covered = state.covered();
  result.proven = Cbc_isProvenOptimal(model.get()) != 0;
  return result;
}

}  // namespace

bool has_exact_lane() {
  return true;
}

std::optional<exact_set> cheapest_cover(const cover_problem& problem, exact_effort effort) {
  const cover_matrix& matrix = *problem.matrix;
  program p;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    for (const std::uint32_t c : matrix.classes_of(test)) p.add(c, 1);
    p.end_column(static_cast<double>(matrix.cost_us[test]) * milliseconds);
  }
  // A class that weighs nothing need not be covered.
  for (const std::int64_t weight : problem.weight) p.row_from.push_back(weight > 0 ? 1 : 0);
  p.row_to.assign(p.row_from.size(), std::numeric_limits<double>::max());
  auto result = solve(problem, p, effort);
  if (result && result->found.covered < problem.total_weight) return std::nullopt;
  return result;
}

std::optional<exact_set> largest_cover(const cover_problem& problem, std::int64_t budget_us, exact_effort effort) {
  const cover_matrix& matrix = *problem.matrix;
  const std::uint32_t classes = matrix.class_count();
  program p;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    for (const std::uint32_t c : matrix.classes_of(test)) p.add(c, -1);
    p.add(classes, static_cast<double>(matrix.cost_us[test]) * milliseconds);
    p.end_column(0);
  }
  for (std::uint32_t c = 0; c < classes; ++c) {
    p.add(c, 1);
    p.end_column(-static_cast<double>(problem.weight[c]));
  }
  p.row_from.assign(classes + 1, -std::numeric_limits<double>::max());
  p.row_to.assign(classes, 0);
  p.row_to.push_back(static_cast<double>(budget_us) * milliseconds);
  auto result = solve(problem, p, effort);
  if (result && result->found.cost_us > budget_us) return std::nullopt;
  return result;
}

}  // namespace morph::optimizer
