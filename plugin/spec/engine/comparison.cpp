// The text that a value's own operator writes.
#include "morph/comparison.hpp"

#include <sstream>

namespace morph::detail {

std::string shown_by(void (*write)(std::ostream& to, const void* value), const void* value) {
  std::ostringstream to;
  write(to, value);
  return to.str();
}

}  // namespace morph::detail
