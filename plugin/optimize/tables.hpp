// What `morph optimize --export` writes.
#pragma once

#include <string>
#include <vector>

#include "optimizer/cover/instance_file.hpp"
#include "optimizer/reduction.hpp"
#include "plugin/report/export_files.hpp"

namespace morph::optimize {

/// .tests.csv and .classes.csv, with a header line each, and the matrix as arrays, tests x classes (CSR): .indptr.npy
/// and .indices.npy; .costs.npy (microseconds) by test, .weights.npy by class. The tests of the matrix come in its
/// order, and then `always`: names of those that run in any case, of which nothing else is known. `problem` and `roles`
/// are of the instance's matrix.
std::vector<report::table_file> tables_of(const optimizer::instance_file& instance,
                                          const optimizer::cover_problem& problem,
                                          const std::vector<optimizer::test_role>& roles,
                                          const optimizer::test_set& kept, const std::vector<std::string>& always);

}  // namespace morph::optimize
