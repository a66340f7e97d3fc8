// Variables of written tests: their names, and how they are declared.
#pragma once

#include <string>

#include "plugin/generate/model.hpp"

namespace morph::generate {

/// "tinyxml2::XMLElement" -> "element": the last word.
std::string variable_name(const std::string& type);

/// What stands before the name of a variable that keeps such a result, with a blank: "auto& ".
const char* declaration(const returned& of);

}  // namespace morph::generate
