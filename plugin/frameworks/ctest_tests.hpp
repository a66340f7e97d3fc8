// Tests that others have registered with ctest: their listing, and how ctest runs them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/frameworks/listing.hpp"
#include "plugin/system/process.hpp"

namespace morph::frameworks {

/// Names the build tree in which a ctest that Morph runs itself is to see the tests of others alone: Morph's own
/// scripts then register nothing that could be run. Trees in which those tests run another ctest are not meant.
constexpr const char* nested_ctest_variable = "MORPH_NESTED_CTEST";

/// Runs `ctest --show-only=json-v1` on the suite's directory, from a folder of its own: ctest empties the log of the
/// last run where it is started. Not cached, because scripts may register what they like: it costs what each listing
/// by ctest costs anyway, and a test that it does not know would lose its label.
listed_program list_adopted(const build::build_tree& tree, const build::suite& in);

/// The tests in ctest's JSON, Morph's own placeholders left out. An error if it is not such JSON, or if the name of a
/// test was not UTF-8 and therefore did not survive.
result<std::vector<listed_case>> parse_ctest_listing(std::string_view json_text);

/// A test's program, arguments, directory, and ENVIRONMENT with its modifications; a command `cmake -E env` is replaced
/// by what it would run. No value: it asks for surroundings that only ctest can give.
std::optional<system::command> as_ctest_runs(const ctest_entry& entry);

/// Paths that a test's command, environment and REQUIRED_FILES name and that are there: whole words, and what follows
/// `=` or stands between colons. Absolute.
std::vector<std::filesystem::path> named_paths(const ctest_entry& entry);

/// A command of CMake's own that runs nothing of the project and reads nothing: `cmake -E make_directory` and its like.
bool is_inert(const ctest_entry& entry);

/// The one GoogleTest case that a command as those of gtest_discover_tests() runs; empty for other commands.
std::string only_gtest_case(const ctest_entry& entry);

/// What comes before what, by index.
struct test_order {
  std::vector<std::vector<std::size_t>> setups;    // of the fixtures that each test requires
  std::vector<std::vector<std::size_t>> depends;   // what each test names in DEPENDS
  std::vector<std::vector<std::size_t>> cleanups;  // of the fixtures that each test sets up
  std::vector<std::size_t> order;                  // as ctest runs them one by one; circles in listed order
};
test_order order_tests(const std::vector<listed_case>& cases);

}  // namespace morph::frameworks
