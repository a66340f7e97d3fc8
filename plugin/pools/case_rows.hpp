// What new cases of a pool cover and kill: the instrumented twin's program of specs runs them, and the mutation twin's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/system/observer.hpp"

namespace morph::pools {

/// Requirements, ascending.
using requirement_row = std::vector<std::uint32_t>;

/// Cases that are to be run: those of a saved pool of the spec with these ids.
struct cases_to_run {
  std::string spec;
  std::filesystem::path pool;
  std::vector<std::string> ids;
};

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
};

/// Lines and branches of the code under test, which is all but what tests are written in. Builds the twin.
result<std::unique_ptr<row_source>> coverage_rows(const build::build_tree& tree, const build::suite& suite,
                                                  system::observer& told);

/// The mutants of the last `morph mutate` that are not known to be equivalent, in its build tree.
result<std::unique_ptr<row_source>> kill_rows(const build::build_tree& tree, const build::suite& suite);

}  // namespace morph::pools
