// Rows out of the files of instrumented programs, read by the gcov of their compiler: the way that needs no knowledge
// of any layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/measuring/gcov_output.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/session.hpp"

namespace morph::measuring {

/// Whether the compiler's own gcov reads the counters of a tree's instrumented programs.
bool has_counter_files(const build::build_tree& tree);

/// In what a row of these files differs, for the user; an error if the compiler's gcov cannot be asked.
result<std::string> describe_counter_files(const build::build_tree& twin);

/// Whether gcov shows any function of a .gcno.
bool gcov_shows_functions(const build::build_tree& twin, const std::string& note);

/// gcov shows a line of several expressions as not executed where the one that it counts was not, and nothing of what
/// the compiler wrote. Therefore a row has every line of a function of which anything ran, and the unit and the first
/// line of every function of all that the process had loaded: a change outside of functions selects all tests of a
/// program. gcov is asked once for each content of each file: what a test did not touch has the same one after each.
class counter_files {
 public:
  counter_files(const session& m, std::string suite) : m_(m), suite_(std::move(suite)) {}

  /// Before a process is started: the value of its GCOV_PREFIX.
  std::string begin();

  struct row {
    std::vector<store::element> elements;  // ascending
    std::uint32_t incomplete = 0;          // bits of morph_stream::incomplete
  };
  /// After its end. The first lines of tests are left to those that run them.
  row take(const source_places& registrations);

 private:
  struct shown_unit {
    std::vector<store::element> loaded;    // the unit
    std::vector<store::element> declared;  // first lines of functions
    std::vector<store::element> executed;  // functions, and all their lines
  };

  void ask(const std::vector<std::pair<std::string, std::string>>& files);
  shown_unit read(const shown_files& answered, const std::string& note);
  shown_files where_written(const shown_files& shown, const std::string& note,
                            const std::vector<std::string>& read) const;
  std::uint32_t file_of(const std::string& path);
  void warn(const std::string& what);

  const session& m_;
  std::string suite_;
  std::filesystem::path prefix_;
  std::size_t processes_ = 0;
  std::map<std::string, shown_unit> shown_;     // by path and content of the .gcda
  std::map<std::string, std::uint32_t> files_;  // by path; outside_ for those that are not the repository's
  std::set<store::element> declared_by_tests_;
  bool has_warned_ = false;
};

}  // namespace morph::measuring
