#include <vector>

#include "header.hpp"

int fixed() {
  return header(static_cast<int>(std::vector<int>(2).size()));
}
