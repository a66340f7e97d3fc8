// A row a test, a row a class, and the arrays of the matrix.
#include "plugin/optimize/tables.hpp"

#include "plugin/report/tables.hpp"

namespace morph::optimize {
namespace {

using fields = std::vector<std::string>;

std::string tests_table(const optimizer::instance_file& instance, const std::vector<optimizer::test_role>& roles,
                        const optimizer::test_set& kept, const std::vector<std::string>& always) {
  std::string table = report::csv_line(fields{"name", "seconds", "covers", "alone", "kept", "same_as", "always"});
  for (std::uint32_t test = 0; test < roles.size(); ++test) {
    const optimizer::test_role& role = roles[test];
    table += report::csv_line(fields{instance.tests[test], report::exact_seconds(instance.matrix.cost_us[test]),
                                     std::to_string(role.covers), std::to_string(role.alone),
                                     report::true_or_false(optimizer::has(kept, test)),
                                     role.same_as ? instance.tests[*role.same_as] : "", report::true_or_false(false)});
  }
  for (const std::string& name : always)
    table += report::csv_line(fields{name, "", "", "", report::true_or_false(true), "", report::true_or_false(true)});
  return table;
}

std::string classes_table(const optimizer::instance_file& instance, const optimizer::cover_problem& problem) {
  const optimizer::cover_matrix& matrix = instance.matrix;
  fields header{"class", "tests", "weight"};
  for (const optimizer::requirement_group& group : matrix.groups) header.push_back("weight." + group.name);
  std::string table = report::csv_line(header);
  for (std::uint32_t c = 0; c < matrix.class_count(); ++c) {
    fields row{std::to_string(c), std::to_string(matrix.tests_of(c).size()), std::to_string(problem.weight[c])};
    for (std::size_t g = 0; g < matrix.groups.size(); ++g)
      row.push_back(std::to_string(matrix.members[c * matrix.groups.size() + g] * instance.group_weights[g]));
    table += report::csv_line(row);
  }
  return table;
}

}  // namespace

std::vector<report::table_file> tables_of(const optimizer::instance_file& instance,
                                          const optimizer::cover_problem& problem,
                                          const std::vector<optimizer::test_role>& roles,
                                          const optimizer::test_set& kept, const std::vector<std::string>& always) {
  return {{".tests.csv", tests_table(instance, roles, kept, always)},
          {".classes.csv", classes_table(instance, problem)},
          {".indptr.npy", report::npy_array(instance.matrix.test_begin)},
          {".indices.npy", report::npy_array(instance.matrix.classes)},
          {".costs.npy", report::npy_array(instance.matrix.cost_us)},
          {".weights.npy", report::npy_array(problem.weight)}};
}

}  // namespace morph::optimize
