// What tests read beside code, in the elements of the store: files that they open or look for, environment variables
// that they ask for.
//
// Of a file and of a folder that is listed there is the name, of a folder with a '/' behind it. With "/." behind it it
// only mattered that the file or folder was there. The name of what was not there stands for what may come.
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

  /// Lets the kernel tell which files the command's processes open and look for. `on_opened` gets each that counts.
  void watch(project::command& c, std::function<void(const std::vector<store::element>&, bool by_program)> on_opened);
  /// After a watched command: says once for each measurement that the kernel tells nothing.
  void check(const project::process_end& end) const;

  /// Since watch(): says of a row that the kernel told all files (store::watched_tests), or most of them. Nothing if it
  /// told none.
  const std::vector<store::element>& watched() const { return watched_; }

  /// The same of what is known to open nothing.
  std::vector<store::element> opens_nothing();

  /// Variables that `c` sets or unsets are as they are in ctest: they are left out.
  std::vector<store::element> variables(std::span<const std::string> names, const project::command& c);

  /// The shared libraries that a program needs and that the build does not make, when `c` runs it.
  std::vector<store::element> libraries(const std::string& program, const project::command& c);

 private:
  using use = project::opened_file::use;
  const std::vector<store::element>& elements_of(const std::string& path, use how);
  store::element telling(const char* how_far);
  std::vector<store::element> find_elements(const std::string& path, use how) const;
  std::vector<store::element> elements_in_build(const std::string& path, use how, bool is_twin) const;

  const measuring* m_;
  std::vector<store::element> watched_;
  std::unordered_map<std::string, std::vector<store::element>> known_[4];  // by use and path
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
