// Calls refer to each other by their numbers: what keeps these right.
#include "plugin/generate/sequence.hpp"

#include <cstddef>

namespace morph::generate {

bool is_ordered(const sequence& of) {
  for (std::uint32_t i = 0; i < of.size(); ++i)
    for (const argument& each : of[i].arguments)
      if (each.kind == morph_argument_value && each.number >= i) return false;
  return true;
}

sequence only(const sequence& of, const std::vector<bool>& kept) {
  sequence made;
  std::vector<std::uint32_t> now(of.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!kept[i]) continue;
    now[i] = static_cast<std::uint32_t>(made.size());
    made.push_back(of[i]);
    for (argument& each : made.back().arguments)
      if (each.kind == morph_argument_value) each.number = now[each.number];
  }
  return made;
}

}  // namespace morph::generate
