// Slots against arguments, and backward slices.
#include "plugin/generate/fitting.hpp"

#include <algorithm>

namespace morph::generate {
namespace {

bool fits_slot(const argument& one, const slot& of, const sequence& before, const api& in,
               const literal_table& literals) {
  switch (one.kind) {
    case morph_argument_nothing:
      return of.from == slot::source::nothing || of.may_be_null;
    case morph_argument_literal:
      return of.from == slot::source::literal && is_of_role(one.number, of.role, literals);
    case morph_argument_value:
      break;
  }
  if (of.from != slot::source::value || one.number >= before.size()) return false;
  const auto& gives = in.callables[before[one.number].callable].gives;
  return gives && in.serves(*gives, of);
}

bool is_gone(const argument& object, const sequence& before, const api& in) {
  for (const call& each : before)
    for (std::size_t s = 0; s < each.arguments.size(); ++s)
      if (each.arguments[s] == object && in.callables[each.callable].slots[s].takes) return true;
  return false;
}

/// With all that they are made of.
void add_with_makers(std::uint32_t one, const sequence& of, std::vector<bool>& to) {
  if (to[one]) return;
  to[one] = true;
  for (const argument& each : of[one].arguments)
    if (each.kind == morph_argument_value) add_with_makers(each.number, of, to);
}

}  // namespace

bool is_of_role(std::uint32_t number, std::uint32_t role_number, const literal_table& literals) {
  const literal& one = literals[number];
  const role& of = literals.role_at(role_number);
  if (one.kind != of.kind) return false;
  if (of.kind == 'i' && !of.values.empty())
    return std::find(of.values.begin(), of.values.end(), one.number) != of.values.end();
  if (of.kind == 'i') return one.number >= of.least && one.number <= of.most;
  if (of.kind != 'l') return true;
  if (of.is_tuple && one.elements.size() != of.elements.size()) return false;
  for (std::size_t i = 0; i < one.elements.size(); ++i)
    if (!is_of_role(one.elements[i], of.elements[of.is_tuple ? i : 0], literals)) return false;
  return true;
}

bool fits(const call& one, const sequence& before, const api& of, const literal_table& literals) {
  if (one.callable >= of.callables.size()) return false;
  const auto& slots = of.callables[one.callable].slots;
  if (slots.size() != one.arguments.size()) return false;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const argument& each = one.arguments[s];
    if (!fits_slot(each, slots[s], before, of, literals)) return false;
    if (each.kind != morph_argument_value) continue;
    if (is_gone(each, before, of)) return false;
    if (slots[s].takes && std::count(one.arguments.begin(), one.arguments.end(), each) > 1) return false;
  }
  return true;
}

std::vector<std::uint32_t> roots_of(const sequence& of, const api& in) {
  std::vector<std::uint32_t> made(of.size());
  for (std::uint32_t i = 0; i < of.size(); ++i) {
    made[i] = i;
    for (const argument& each : of[i].arguments) {
      if (each.kind != morph_argument_value) continue;
      if (in.callables[of[i].callable].gives) made[i] = made[each.number];
      break;
    }
  }
  return made;
}

std::vector<bool> needed_by(std::uint32_t last, const sequence& of, const api& in, std::size_t most,
                            const std::vector<bool>& avoided) {
  const std::vector<std::uint32_t> roots = roots_of(of, in);
  std::vector<bool> kept(of.size(), false);
  add_with_makers(last, of, kept);
  const auto is_used = [&](std::uint32_t root) {
    for (std::uint32_t i = 0; i < of.size(); ++i)
      if (kept[i] && roots[i] == root && in.callables[of[i].callable].gives) return true;
    return false;
  };
  for (std::uint32_t i = last; i-- > 0;) {
    if (kept[i] || (i < avoided.size() && avoided[i])) continue;
    const auto& slots = in.callables[of[i].callable].slots;
    bool changes = false;
    for (std::size_t s = 0; s < slots.size() && !changes; ++s)
      changes = of[i].arguments[s].kind == morph_argument_value && slots[s].changes &&
                is_used(roots[of[i].arguments[s].number]);
    if (!changes) continue;
    std::vector<bool> with = kept;
    add_with_makers(i, of, with);
    if (static_cast<std::size_t>(std::count(with.begin(), with.end(), true)) <= most) kept = std::move(with);
  }
  return kept;
}

}  // namespace morph::generate
