// Which tests a build tree has: every program's own listing, cached by what it is made of and what it read.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/gtest_names.hpp"

namespace morph::frameworks {

/// How ctest runs a test that somebody else has registered.
struct ctest_entry {
  std::vector<std::string> command;  // empty: there is no such program
  std::string directory;
  std::vector<std::pair<std::string, std::string>> properties;  // as ctest has them: a list is joined by semicolons

  /// The elements of a property that is a list; empty without it.
  std::vector<std::string> list(std::string_view property) const;
};

struct listed_case {
  std::string case_name;  // the program's own name, what its filter takes
  std::string name;       // ctest's
  std::string file;       // where it is written; empty if the program does not say
  int line = 0;
  bool disabled = false;
  std::optional<ctest_entry> entry{};  // of an adopted test
  /// ctest's with another CMake, by which earlier runs may know the test.
  std::vector<std::string> other_names{};
};

struct listed_program {
  enum class state { listed, not_built, failed } how = state::listed;
  std::vector<listed_case> cases;  // in declared order
  std::string message;             // of a failure: what happened, where
  bool from_cache = false;
};

/// Lists one program of a suite. `none` programs are their own single case and are not run. The one program of a suite
/// that adopts is ctest; its listing is never cached.
/// The cache lives in <build>/.morph/listing and holds as long as the size and time of the file and of every shared
/// library of the build, and of the suite's pool, stay, and so does what the program read when it listed: files,
/// folders, what it looked for, the environment. A program may list other cases though its own bytes are the same.
/// Where the kernel does not tell what a program reads, it is listed each time.
listed_program list_program(const build::build_tree& tree, const build::suite& in, const build::test_program& program);

/// The same without running it, out of the cache: `from_cache` says whether that is still true. Nothing if there is
/// none.
std::optional<listed_program> last_listing(const build::build_tree& tree, const build::suite& in,
                                           const build::test_program& program);

/// Whether the program of that listing is still there and only what it read is another: then it may list other cases
/// although nothing is to be built.
bool lists_otherwise(const build::build_tree& tree, const build::suite& in, const build::test_program& program);

/// The tests as GoogleTest prints them with --gtest_list_tests, with file and line out of the JSON that it (1.10 and
/// later) writes beside; empty if there is none. What is not in the JSON is dropped: lines that a program printed
/// around its list. Nothing if the text lacks a case that is.
std::optional<std::vector<listed_case>> read_gtest_listing(std::string_view text, std::string_view json_text,
                                                           const gtest_naming& naming);

/// Variables of GoogleTest that would make a program list or run something else than what it is asked for.
const std::vector<std::string>& gtest_variables();

}  // namespace morph::frameworks
