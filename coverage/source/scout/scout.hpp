// Metamorphic relations in the tests of a unit (MR-Scout, section 2).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/parse.hpp"

namespace morph::source {

/// Of the tests of GoogleTest, Catch2 and doctest that the unit's own file defines. Gives an object, with
///   `tests`        in the order of the source, one a path of sections: name, file, line, end_line, `sections` (line
///                  and name, outermost first) and `relations`: file, line and text of the assertion, kind (CompAssert,
///                  BoolAssert), by (`==`), is_echo, transformation (none, identity, state, computed), and two
///                  `invocations`, the later one second: text, file, line, units, inputs
///   `consists_of`  the files that were read
nlohmann::json scout(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                     const file_choice& chosen, std::vector<parse_error>& errors);

}  // namespace morph::source
