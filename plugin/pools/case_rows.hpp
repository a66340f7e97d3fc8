// What new cases of a pool cover and kill: the instrumented twin's program of specs runs them, and the mutation twin's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/pools/twin_cases.hpp"
#include "plugin/system/observer.hpp"

namespace morph::pools {

/// Requirements, ascending.
using requirement_row = std::vector<std::uint32_t>;

/// Rows of one kind, the same numbers for the same requirements as long as it lives.
class row_source {
 public:
  row_source() = default;
  row_source(const row_source&) = delete;
  row_source& operator=(const row_source&) = delete;
  virtual ~row_source() = default;
  /// A row for each of the cases.
  virtual result<std::vector<requirement_row>> rows_of(const cases_to_run& cases) = 0;
  /// What there is to cover, known behind the first rows.
  virtual std::size_t all() const = 0;
  /// Why that is nothing, if it is.
  virtual std::string why_none() const = 0;
};

/// Lines and branches of the code under test.
std::unique_ptr<row_source> coverage_rows(std::shared_ptr<twin_cases> twin);

/// Coupled branches of classes under test. What is not mapped counts, and no case covers it. Clang reads the sources.
result<std::unique_ptr<row_source>> coupled_rows(const build::build_tree& tree, std::shared_ptr<twin_cases> twin,
                                                 system::observer& told);

/// The mutants of the last `morph mutate` that are not known to be equivalent, in its build tree.
result<std::unique_ptr<row_source>> kill_rows(const build::build_tree& tree, const build::suite& suite);

}  // namespace morph::pools
