// Transformations that test authors make by hand: how one literal comes from another one.
#pragma once

#include <string>
#include <vector>

#include "plugin/scout/relations.hpp"

namespace morph::scout {

/// One way from a first call's input to a second call's.
struct literal_step {
  std::string before{}, behind{};  // code around the input
  bool takes_input = true;
  std::string words{};  // "negated"
  bool operator==(const literal_step&) const = default;
};

/// Those of the catalogue that lead from one literal to the other, the most special first: negated, scaled, exchanged
/// with another input, upper or lower case, backwards, sorted, rotated, without blanks, with a text around it, before
/// or behind it, shifted. `with`: all pairs of the same relation.
std::vector<literal_step> steps_of(const literal_pair& pair, const relation_function& with);

/// Gives each function that has pairs the first step that explains all pairs of its kind: of the same two functions,
/// compared alike, in the same place. Where there is none, the function goes, with the reason.
void infer_follow_ups(std::vector<test>& tests);

}  // namespace morph::scout
