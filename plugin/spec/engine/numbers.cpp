// What the headers ask of <cmath>, which takes long to compile.
#include <cmath>

#include "morph/shrink.hpp"

namespace morph::detail {

long double without_fraction(long double value) {
  return std::trunc(value);
}

}  // namespace morph::detail
