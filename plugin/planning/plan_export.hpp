// What `morph plan --export` writes.
#pragma once

#include <vector>

#include "plugin/planning/planning.hpp"
#include "plugin/report/export_files.hpp"

namespace morph::planning {

/// .plan.csv: a row a test, in declared order, with a header line. .order.npy: the rows (from 0) of the tests that run,
/// in their order; .costs.npy: microseconds by row, what orders and budgets go by.
std::vector<report::table_file> tables_of(const full_plan& p);

}  // namespace morph::planning
