// A column for each test, and for each class if not all have to be covered; a row for each class, and one for the
// budget.
#include "optimizer/exact/exact.hpp"

#include <coin/Cbc_C_Interface.h>
#include <dlfcn.h>

#include <limits>
#include <memory>
#include <string>
#include <type_traits>
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

/// CBC, loaded when it is asked for the first time: with all that it needs that takes milliseconds, which other
/// commands spare.
struct cbc_functions {
  decltype(&Cbc_newModel) new_model = nullptr;
  decltype(&Cbc_deleteModel) delete_model = nullptr;
  decltype(&Cbc_loadProblem) load_problem = nullptr;
  decltype(&Cbc_setInteger) set_integer = nullptr;
  decltype(&Cbc_setParameter) set_parameter = nullptr;
  decltype(&Cbc_solve) solve = nullptr;
  decltype(&Cbc_getColSolution) solution = nullptr;
  decltype(&Cbc_isProvenOptimal) is_proven_optimal = nullptr;
  decltype(&Cbc_isProvenInfeasible) is_proven_infeasible = nullptr;

  bool all() const {
    return new_model && delete_model && load_problem && set_integer && set_parameter && solve && solution &&
           is_proven_optimal && is_proven_infeasible;
  }
};

cbc_functions load() {
  cbc_functions f;
  void* const library = ::dlopen(MORPH_CBC, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return f;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
  };
  find(f.new_model, "Cbc_newModel");
  find(f.delete_model, "Cbc_deleteModel");
  find(f.load_problem, "Cbc_loadProblem");
  find(f.set_integer, "Cbc_setInteger");
  find(f.set_parameter, "Cbc_setParameter");
  find(f.solve, "Cbc_solve");
  find(f.solution, "Cbc_getColSolution");
  find(f.is_proven_optimal, "Cbc_isProvenOptimal");
  find(f.is_proven_infeasible, "Cbc_isProvenInfeasible");
  return f;
}

const cbc_functions& cbc() {
  static const cbc_functions loaded = load();
  return loaded;
}

std::optional<exact_set> solve(const cover_problem& problem, const program& p, exact_effort effort) {
  const cover_matrix& matrix = *problem.matrix;
  const std::vector<double> zeros(p.objective.size(), 0), ones(p.objective.size(), 1);
  const std::unique_ptr<Cbc_Model, decltype(cbc_functions::delete_model)> model(cbc().new_model(), cbc().delete_model);
  cbc().load_problem(model.get(), static_cast<int>(p.objective.size()), static_cast<int>(p.row_from.size()),
                     p.starts.data(), p.rows.data(), p.values.data(), zeros.data(), ones.data(), p.objective.data(),
                     p.row_from.data(), p.row_to.data());
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    cbc().set_integer(model.get(), static_cast<int>(test));
  cbc().set_parameter(model.get(), "log", "0");
  cbc().set_parameter(model.get(), "ratio", "0");
  cbc().set_parameter(model.get(), "allow", "0");
  cbc().set_parameter(model.get(), "maxNodes", std::to_string(effort.nodes).c_str());
  cbc().set_parameter(model.get(), "timeMode", "elapsed");
  cbc().set_parameter(model.get(), "sec", std::to_string(effort.seconds).c_str());
  cbc().solve(model.get());
  const double* const values = cbc().solution(model.get());
  if (values == nullptr || cbc().is_proven_infeasible(model.get()) != 0) return std::nullopt;
  cover_state state(problem);
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (values[test] > 0.5) state.add(test);
  return exact_set{point_of(state), cbc().is_proven_optimal(model.get()) != 0};
}

}  // namespace

bool has_exact_lane() {
  return cbc().all();
}

std::string_view exact_solver() {
  return has_exact_lane() ? MORPH_CBC : "";
}

std::optional<exact_set> cheapest_cover(const cover_problem& problem, exact_effort effort) {
  if (!has_exact_lane()) return std::nullopt;
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
  if (!has_exact_lane()) return std::nullopt;
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
