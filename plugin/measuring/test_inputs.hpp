// What tests read beside code, in the elements of the store: files that they open or look for, environment variables
// that they ask for.
//
// Of a file and of a folder that is listed there is the name, of a folder with a '/' behind it. With "/." behind it it
// only mattered that the file or folder was there. The name of what was not there stands for what may come. What git
// does not track, in the repository and outside, has a digest of what was there when the test had ended: what a test
// makes or changes by itself is no input of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugin/build/path_digests.hpp"
#include "plugin/build/shared_libraries.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/spool/records.hpp"
#include "plugin/system/process.hpp"
#include "plugin/workspace/changed_inputs.hpp"

namespace morph::measuring {

/// What the processes of one test do with files, as it happens.
struct used_files {
  std::vector<store::element> elements;  // ascending
  /// Inputs of the kind `file` by name; whether it is a link. What is there counts when the test has ended.
  std::set<std::pair<std::string, bool>> inputs;
  build::changed_paths changed;  // by the test itself
  bool is_whole = true;          // false: it uses others, too
  /// Of a test that ran some time ago: what paths led to when it had ended.
  const std::map<std::string, spool::file_state>* states = nullptr;

  void clear() { *this = {}; }
};

/// Of the processes of one suite.
class test_inputs {
 public:
  explicit test_inputs(const session& m);

  /// Lets the kernel tell which files the command's processes open and look for. `whose`: where they belong.
  void watch(system::command& c, std::function<used_files&(bool by_program)> whose);
  /// After a watched command: says once for each measurement that the kernel tells nothing.
  void check(const system::process_end& end) const;

  /// When the test has ended: its elements, and bits of morph_stream::incomplete. `before`: what ran for it, or with
  /// it, whose files it may find.
  std::vector<store::element> settle(const used_files& used, std::span<const used_files* const> before,
                                     std::uint32_t& incomplete);

  /// Since watch(): says of a row that the kernel told all files (store::watched_tests), or most of them. Nothing if it
  /// told none.
  const std::vector<store::element>& watched() const { return watched_; }

  /// The same of what is known to open nothing.
  std::vector<store::element> opens_nothing();

  /// Variables that `c` sets or unsets are as they are in ctest: they are left out.
  std::vector<store::element> variables(std::span<const std::string> names, const system::command& c);

  /// The shared libraries that a program needs and that the build does not make, when `c` runs it.
  std::vector<store::element> libraries(const std::string& program, const system::command& c);

  /// What the suite's DATA names beside the files that git tracks. Belongs to its start.
  std::vector<store::element> data(const build::suite& suite);

 private:
  using use = system::opened_file::use;
  struct found_file {
    std::vector<store::element> elements;
    std::vector<std::pair<std::string, bool>> inputs;
  };
  void add(const system::opened_file& opened, used_files& to);
  const found_file& find(const std::string& path, use how);
  store::element telling(const char* how_far);
  store::element input(const std::string& name, std::optional<std::string> digest) const;
  found_file find_elements(const std::string& path, use how) const;
  std::vector<store::element> elements_in_build(const std::string& path, use how, bool is_twin) const;

  const session* m_;
  std::string twin_, build_;  // without links
  std::string runtime_;       // of probes
  std::vector<store::element> watched_;
  std::unordered_map<std::string, found_file> known_[5];  // by use and path
  mutable build::library_identities libraries_;
  build::path_digests digests_;
};

/// Adds to ascending elements.
void add_elements(std::vector<store::element>& to, std::span<const store::element> more);

/// Records how the suites are declared: what ctest gives their tests beside the programs. Of adopted tests nothing is
/// recorded.
void record_declarations(const build::build_tree& tree, store::measurement_writer& writer);

}  // namespace morph::measuring
