// What a generated test is called, by its last call and the goal that it is kept for.
#pragma once

#include <string>

#include "plugin/generate/goals.hpp"
#include "plugin/generate/model.hpp"

namespace morph::generate {

/// "tinyxml2::XMLElement::SetText(int)" -> "SetText".
std::string plain_name(const modelled_callable& of);

/// What tells the test apart, as a name: "WhenChildIsNullFalse" of a goal's condition.
std::string goal_name(const goal& of);

/// "a.cpp:3: n > 1 is true".
std::string described(const goal& of);

}  // namespace morph::generate
