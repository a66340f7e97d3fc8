// From what changed to what coverage can see: whoever refers to it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coverage/object/compare/compare.hpp"

namespace morph::object {

struct seen_change {
  unit_atom function = none;  // that coverage sees, in the older unit
  std::uint32_t change = 0;   // the index of the change that leads to it
};

struct reach {
  std::vector<seen_change> functions;
  /// Changes that can reach every test: they run before main(), or the chain of referrers ends where nobody can see it.
  std::vector<std::uint32_t> everything;
};

/// Replaces every change of a function that is not visible by its referrers, transitively and through data, until all
/// are; `visible` gets numbers of functions of `before`. A function without referrers cannot run, unless others call it
/// by name: `main`, what a shared library defines, what `options.is_exported` names. Data counts by its referrers
/// alone. Linear in the unit's references, once.
reach reach_of(const link_unit& before, const std::vector<change>& changes,
               const std::function<bool(unit_atom)>& visible, const compare_options& options = {});

}  // namespace morph::object
