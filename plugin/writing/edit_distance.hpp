// How far names are apart, and the nearest one, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace morph::writing {

/// Levenshtein's: how many characters have to be inserted, removed or replaced. Time: the product of the lengths;
/// memory: the length of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The first of the strings in `names` that are least far away by `distance(name)`; empty if none is nearer than
/// `limit`.
template <typename Names, typename Distance>
std::string nearest_name(const Names& names, std::size_t limit, Distance distance) {
  std::string nearest;
  for (const auto& each : names) {
    const std::string& name = each;
    if (const std::size_t apart = distance(name); apart < limit) {
      limit = apart;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace morph::writing
