// What `morph plan --export` writes.
#pragma once

#include <vector>

#include "plugin/command/table_files.hpp"
#include "plugin/command/workspace.hpp"

namespace morph::command {

/// .plan.csv: a row a test, in declared order, with a header line. .order.npy: the rows (from 0) of the tests that run,
/// in their order; .costs.npy: microseconds by row, what orders and budgets go by.
std::vector<table_file> tables_of(const planning& p);

}  // namespace morph::command
