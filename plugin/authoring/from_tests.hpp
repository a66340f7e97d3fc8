// Inputs of a spec that the project's tests give to the function.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/authoring/types.hpp"

namespace morph::authoring {

/// Where the function is declared: calls of it are found by this.
struct declared_function {
  std::string file;  // whole
  unsigned line = 0;
  std::string root;  // names of files in the recipes count from there
};

/// Values for the fields as source text, at most `most` rows, evenly from all calls, each once. `recipes`: as
/// morph-source writes them. A field's "from" says which argument it is, the receiver first, and of which argument of a
/// constructor. Calls with an argument that is not known, or with a text too long to read in a spec, are left out.
std::vector<std::vector<std::string>> inputs_of_tests(const described_types& types, const nlohmann::json& fields,
                                                      const declared_function& of,
                                                      const std::vector<nlohmann::json>& recipes, std::size_t most);

}  // namespace morph::authoring
