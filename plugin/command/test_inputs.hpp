// What tests read beside code, in the elements of the store: files that they open, environment variables that they ask
// for.
#pragma once

#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugin/command/measure_program.hpp"
#include "plugin/project/process.hpp"
#include "plugin/project/shared_libraries.hpp"

namespace morph::command {

/// Of the processes of one suite.
class test_inputs {
 public:
  explicit test_inputs(const measuring& m) : m_(&m) {}

  /// Lets the kernel tell which files the command's processes open. `on_opened` gets each that counts.
  void watch(project::command& c, std::function<void(const std::vector<store::element>&, bool by_program)> on_opened);
  /// After a watched command: says once for each measurement that the kernel tells nothing.
  void check(const project::process_end& end) const;

  /// Variables that `c` sets or unsets are as they are in ctest: they are left out.
  std::vector<store::element> variables(std::span<const std::string> names, const project::command& c);

  /// The shared libraries that a program needs and that the build does not make, when `c` runs it.
  std::vector<store::element> libraries(const std::string& program, const project::command& c);

 private:
  const std::vector<store::element>& elements_of(const std::string& path);
  std::vector<store::element> find_elements(const std::string& path) const;

  const measuring* m_;
  std::unordered_map<std::string, std::vector<store::element>> known_;  // by path
  mutable project::library_identities libraries_;
};

/// Adds to ascending elements.
void add_elements(std::vector<store::element>& to, std::span<const store::element> more);

/// Records how the suites are declared: what ctest gives their tests beside the programs. Of adopted tests nothing is
/// recorded.
void record_declarations(const project::build_tree& tree, store::measurement_writer& writer);

/// Inputs of a measurement that are not what they were, ascending. Reads variables of this process and files. What is
/// known of libraries is kept in the build tree.
std::vector<std::uint32_t> changed_inputs(const store::evidence& measured, const project::build_tree& tree,
                                          const std::filesystem::path& root);

/// Whether one of them is a shared library.
bool has_changed_library(const store::evidence& measured, const std::filesystem::path& own_dir);

}  // namespace morph::command
