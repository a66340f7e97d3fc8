// The zone of a town that an address is in, by its coordinates in the unit square.
#pragma once

#include <string>

struct Address {
  double x, y;
};

/// "centre": at most 0.2 from the middle of the town. Around it, "north" above the diagonal from (0, 0) to (1, 1), and
/// "south" elsewhere.
std::string zone(const Address& at);
