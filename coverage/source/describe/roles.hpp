// Guesses what a callable does with its arguments and who owns its result, by types and names.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace morph::source {

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// Adds "role" to each of `parameters` (uses with a "name"), by the types of a type_table:
///   in, out, in_out, sink (given away), callback, file (FILE*), any (void*), stream (with "direction": in or out)
///   array   a pointer whose elements the parameter at "length" counts; that one has the role `length`, and "of"
/// A pointer to output or to anything has "length" as well if it is counted.
void add_roles(nlohmann::json& parameters, const nlohmann::json& types);

/// "value", "none" (void), "tied" (lives no longer than what the call was given), "owned" (the caller deletes it), or
/// "made" (new, but no delete can be written: another function may release it).
const char* ownership_of(const nlohmann::json& result, const std::string& function, bool can_be_deleted,
                         const nlohmann::json& types);

}  // namespace morph::source
