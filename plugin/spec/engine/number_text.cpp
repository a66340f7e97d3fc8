// Writing them.
#include "plugin/spec/engine/number_text.hpp"

#include <cstdio>

namespace morph::engine {

std::string number_text(double number, const char* format) {
  char text[40];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string seconds_text(double seconds) {
  return number_text(seconds, "%g s");
}

}  // namespace morph::engine
