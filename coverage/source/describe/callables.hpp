// The model of an API: everything that generated code could call, and what it cannot call with the reason.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/parse.hpp"

namespace morph::source {

/// Of what the headers of the choice declare, if `of` includes them. Gives an object, empty but for its members' names
/// if there are errors, with
///   `headers`    of the choice that the unit consists of; `includes`: those of them that it names itself, in its order
///   `types`      as of describe(), `classes` of the API by their names there
///   `callables`  by file, line and column; instances of templates as far as the unit has them
///   `refused`    what cannot be called: name, signature, file, line, reason, and a remedy if there is one
nlohmann::json callables_of(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                            const file_choice& chosen, std::vector<parse_error>& errors);

}  // namespace morph::source
