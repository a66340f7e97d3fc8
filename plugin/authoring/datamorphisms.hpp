// The datamorphisms that a type suggests: swap what has one type, negate, scale, permute, append, change case.
#pragma once

#include <string>
#include <vector>

#include "plugin/authoring/types.hpp"

namespace morph::authoring {

struct proposed_datamorphism {
  std::string name;               // "swap left and right"
  std::string variable;           // swap_left_and_right
  std::vector<std::string> body;  // statements that change `in`
  bool may_not_apply = false;     // one of them returns std::nullopt
};

/// Of inputs whose members are `fields` (uses with a "name"), or, if there is one without a name, of that type. At most
/// `most` of them, taken from all members in turn; `left_out` says how many more there are.
std::vector<proposed_datamorphism> propose_datamorphisms(const described_types& types, const nlohmann::json& fields,
                                                         std::size_t most, std::size_t& left_out);

/// As part of a name in C++: "swap a.x and b" is swap_a_x_and_b.
std::string as_identifier(const std::string& text);

/// Whether the text is an identifier that C++ leaves to users.
bool is_identifier(const std::string& text);

}  // namespace morph::authoring
