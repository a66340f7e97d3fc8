// Coverage in the formats of other tools.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "plugin/report/coverage.hpp"

namespace morph::report {

/// Takes the parts of a text one after the other: a tracefile of a large suite is larger than memory should be.
using text_sink = std::function<void(std::string_view)>;

/// LCOV's tracefile: a section for each test and each file that it ran a line of, with every line of the file that can
/// run, and its branches; a section without a test's name for each file that no test ran. Counts are 1 or 0; added up,
/// as lcov does, they are the number of tests. Names of tests become letters, digits and underscores, the only ones
/// that lcov takes, and stay distinct. `root` is the repository.
void write_lcov(const coverage& c, const std::string& root, const text_sink& out);

/// gcovr's JSON, format 0.3, as gcovr 5.2 reads it with --add-tracefile. Counts are numbers of tests. Paths are
/// relative to the repository, gcovr's --root.
void write_gcovr(const coverage& c, const text_sink& out);

}  // namespace morph::report
