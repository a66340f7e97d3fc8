// Numbers as people read them.
#pragma once

#include <string>

namespace morph::engine {

/// `format`: one of printf's for a double.
std::string number_text(double number, const char* format = "%g");
/// "2.5 s"
std::string seconds_text(double seconds);

}  // namespace morph::engine
