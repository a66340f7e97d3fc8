// Cheapest derivations: levels by fixpoint.
#include "plugin/generate/api.hpp"

#include <algorithm>
#include <limits>

namespace morph::generate {

bool api::is_a(std::uint32_t type, std::uint32_t wanted) const {
  return std::find(bases[type].begin(), bases[type].end(), wanted) != bases[type].end();
}

bool api::serves(const produced& given, const slot& in) const {
  return (!in.changes || !given.is_constant) && (!in.destroys || given.is_to_destroy) && is_a(given.type, in.type);
}

std::vector<bool> api::settle() {
  constexpr auto unreached = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> level_of_type(bases.size(), unreached);
  // Not every object serves everywhere, so those that can be changed, and those to destroy, are counted apart.
  std::vector<std::uint32_t> level_of_changing(bases.size(), unreached), level_to_destroy(bases.size(), unreached);
  for (callable& each : callables) each.level = unreached;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (callable& each : callables) {
      std::uint32_t level = 0;
      for (const slot& s : each.slots) {
        if (s.from != slot::source::value || s.may_be_null) continue;
        const auto& levels = s.destroys ? level_to_destroy : s.changes ? level_of_changing : level_of_type;
        level = std::max(level, levels[s.type]);
      }
      if (level >= each.level) continue;
      each.level = level;
      has_changed = true;
      if (!each.gives) continue;
      for (const std::uint32_t base : bases[each.gives->type]) {
        level_of_type[base] = std::min(level_of_type[base], level + 1);
        if (!each.gives->is_constant) level_of_changing[base] = std::min(level_of_changing[base], level + 1);
        if (each.gives->is_to_destroy) level_to_destroy[base] = std::min(level_to_destroy[base], level + 1);
      }
    }
  }
  std::vector<bool> reached(callables.size());
  makers.assign(bases.size(), {});
  preferred_makers.assign(bases.size(), {});
  of_unit.clear();
  for (std::uint32_t i = 0; i < callables.size(); ++i) {
    reached[i] = callables[i].level != unreached;
    if (!reached[i]) continue;
    if (callables[i].is_of_unit) of_unit.push_back(i);
    if (!callables[i].gives) continue;
    for (const std::uint32_t base : bases[callables[i].gives->type]) {
      makers[base].push_back(i);
      if (callables[i].is_preferred) preferred_makers[base].push_back(i);
    }
  }
  for (auto& each : makers)
    std::stable_sort(each.begin(), each.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return callables[a].level < callables[b].level; });
  return reached;
}

}  // namespace morph::generate
