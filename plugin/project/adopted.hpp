// Tests that others have registered with ctest, as a ctest inside the build tree lists them.
#pragma once

#include <string>
#include <string_view>

#include "plugin/project/discovery.hpp"

namespace morph::project {

/// Set for a ctest that Morph runs itself: Morph's own scripts then register nothing that could be run.
constexpr const char* nested_ctest_variable = "MORPH_NESTED_CTEST";

/// Runs `ctest --show-only=json-v1` on the suite's directory, from a folder of its own: ctest empties the log of the
/// last run where it is started. Not cached, because scripts may register what they like: it costs what each listing
/// by ctest costs anyway, and a test that it does not know would lose its label.
listed_program list_adopted(const build_tree& tree, const suite& in);

/// The tests in ctest's JSON, Morph's own placeholders left out. An error if it is not such JSON, or if the name of a
/// test was not UTF-8 and therefore did not survive.
result<std::vector<listed_case>> parse_ctest_listing(std::string_view json_text);

}  // namespace morph::project
