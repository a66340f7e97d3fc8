// Rows of a plan as columns.
#include "plugin/planning/plan_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "plugin/report/tables.hpp"
#include "plugin/selection/ranking.hpp"
#include "plugin/selection/reason.hpp"

namespace morph::planning {
namespace {

using fields = std::vector<std::string>;

std::string plan_table(const full_plan& p) {
  std::string table =
      report::csv_line(fields{"suite", "target", "case", "name", "selected", "rank", "seconds", "reasons", "marks"});
  for (const selection::planned_test& t : p.plan.tests) {
    const selection::current_test& test = p.request.tests[t.test];
    table += report::csv_line(fields{
        p.request.suites[test.suite].name, test.target, test.case_name, test.name, report::true_or_false(t.selected),
        t.rank ? std::to_string(*t.rank) : "", t.seconds ? report::exact_seconds(std::llround(*t.seconds * 1e6)) : "",
        fmt::format("{}", fmt::join(texts_of(t.reasons), "; ")), fmt::format("{}", fmt::join(t.marks, "; "))});
  }
  return table;
}

}  // namespace

std::vector<report::table_file> tables_of(const full_plan& p) {
  std::vector<std::uint32_t> order;
  for (const selection::planned_test& t : p.plan.tests)
    if (t.selected) order.push_back(t.test);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p.plan.tests[a].rank < p.plan.tests[b].rank; });
  return {{".plan.csv", plan_table(p)},
          {".order.npy", report::npy_array(order)},
          {".costs.npy", report::npy_array(selection::costs_of(p.plan.tests))}};
}

}  // namespace morph::planning
