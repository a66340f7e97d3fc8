// Describes what a header offers: functions of a name with their parameters, and all types that these are made of.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/clang/parse.hpp"

namespace morph::source {

/// `of` is a source whose first line includes the header. It may declare, in a namespace `morph_asked`, a type `input`
/// and a variable `instance`, the address of a function: these are described, too.
///
/// Gives an object, empty but for its members' names if there are errors, with
///   `header`     the file that the first line includes
///   `functions`  those called `wanted` (the end of a qualified name will do), or only the one whose address is asked
///   for `names`      qualified names of all functions of the header and of those beside it `types`      by their
///   canonical names; a function's parameters, its result and members of types refer to them `input`      how the asked
///   type is used, if there is one
nlohmann::json describe(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                        const std::string& wanted, std::vector<parse_error>& errors);

}  // namespace morph::source
