// The program under test.
#include "zones.hpp"

std::string zone(const Address& at) {
  const double x = at.x - 0.5, y = at.y - 0.5;
  if (x * x + y * y <= 0.2 * 0.2) return "centre";
  return y > x ? "north" : "south";
}
