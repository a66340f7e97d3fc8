// Which frameworks a source includes, and whether its text has to do with tests.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace morph::frameworks {

/// The frameworks whose headers a source includes, by their names in the table.
std::set<std::string> frameworks_of_source(std::string_view text);

/// Whether a source has to do with tests: it includes a framework, or says a word as `TEST`, `TEST_CASE`, `SCENARIO`,
/// or one that ends or begins so, as if it were a macro's call.
bool mentions_tests(std::string_view text);

/// What a source calls at the beginning of lines, with a body behind it, as if it were a test's macro; each time.
std::vector<std::string> unknown_test_macros(std::string_view text);

}  // namespace morph::frameworks
