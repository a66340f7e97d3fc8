#include "source.hpp"
int source() {
  return 1;
}
