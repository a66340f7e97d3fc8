// Recipes: what tests call, in a form that can be replayed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/parse.hpp"

namespace morph::source {

/// Of the functions without parameters, and main(), that the source defines itself: tests of any framework, and of
/// none. Gives an object, empty but for its members' names if there are errors, with
///   `includes` headers of the choice that the source itself includes
///   `callees`  what headers of the choice declare, by signature, file and line as callables_of() has them; `changes`:
///              which of its arguments it may write to, the receiver first; `use`: an expression that instantiates it,
///              if it is of a template
///   `recipes`  in the order of the source: file, line, test, and `calls`: `callee` (a number), line, `throws` (the
///   test
///              expects it to), `arguments` (the receiver first) and how many of these are `written`, for the others
///              are defaults
///   `texts`    that stand in the source, and in variables of headers of the choice, each once
/// An argument is {"number": n}, {"real": r}, {"text": t}, {"hex": bytes of a text that is not UTF-8}, {"null": true},
/// {"call": the number of the call that gave it}, {"list": arguments}, or null: not known.
nlohmann::json recipes_of(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                          const file_choice& chosen, std::vector<parse_error>& errors);

}  // namespace morph::source
