// Inputs near the constants that a function compares with.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plugin/authoring/types.hpp"
#include "plugin/source_reader/constants.hpp"

namespace morph::authoring {

/// At most so many inputs, each the values of all fields as C++: one field has a constant or a neighbour of it, the
/// others an example.
std::vector<std::vector<std::string>> borders_of(const described_types& types, const nlohmann::json& fields,
                                                 const std::vector<source_reader::constant>& constants,
                                                 std::size_t most);

}  // namespace morph::authoring
