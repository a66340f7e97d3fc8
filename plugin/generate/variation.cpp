// Operators of the search (EvoSuite's for sequences of calls: insertion, change, deletion, single-point crossover).
#include "plugin/generate/variation.hpp"

#include <algorithm>

namespace morph::generate {
namespace {

constexpr int most_depth = 6;
constexpr std::uint32_t most_calls_at_first = 8;
constexpr std::uint32_t recipe_share = 4;  // one in so many objects is made by a recipe
constexpr std::uint32_t reuse_share = 3;   // one in so many literals is one that the sequence has

}  // namespace

std::vector<bool> variation::taken(const sequence& in) const {
  std::vector<bool> gone(in.size(), false);
  for (const call& each : in)
    for (std::size_t s = 0; s < each.arguments.size(); ++s)
      if (each.arguments[s].kind == morph_argument_value && api_.callables[each.callable].slots[s].takes)
        gone[each.arguments[s].number] = true;
  return gone;
}

/// One object cannot be taken twice, nor be used and taken by one call. What a later argument is made of may have taken
/// the value of an earlier one.
bool variation::uses_taken(const call& of, const sequence& after) const {
  const std::vector<bool> gone = taken(after);
  for (std::size_t i = 0; i < of.arguments.size(); ++i) {
    if (of.arguments[i].kind != morph_argument_value) continue;
    if (gone[of.arguments[i].number]) return true;
    if (api_.callables[of.callable].slots[i].takes &&
        std::count(of.arguments.begin(), of.arguments.end(), of.arguments[i]) > 1)
      return true;
  }
  return false;
}

std::optional<std::uint32_t> variation::value_for(const sequence& in, const slot& of) const {
  const std::vector<bool> gone = taken(in);
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    const auto& gives = api_.callables[in[i].callable].gives;
    if (gives && !gone[i] && api_.serves(*gives, of)) fitting.push_back(i);
  }
  if (fitting.empty()) return std::nullopt;
  // New values are used rather than old ones.
  const auto size = static_cast<std::uint32_t>(fitting.size());
  return fitting[std::max(random_.below(size), random_.below(size))];
}

/// In the same role: what is stored by a name is found by that name only.
std::optional<std::uint32_t> variation::literal_in(const sequence& of, std::uint32_t role) const {
  std::vector<std::uint32_t> fitting;
  for (const call& each : of) {
    const auto& slots = api_.callables[each.callable].slots;
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (slots[s].from == slot::source::literal && slots[s].role == role &&
          each.arguments[s].kind == morph_argument_literal)
        fitting.push_back(each.arguments[s].number);
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[random_.below(static_cast<std::uint32_t>(fitting.size()))];
}

std::optional<argument> variation::argument_for(sequence& to, const slot& of, int depth) {
  if (of.from == slot::source::nothing) return argument{morph_argument_nothing, 0};
  if (of.from == slot::source::literal) {
    if (of.may_be_null && below(20) == 0) return argument{morph_argument_nothing, 0};
    if (below(reuse_share) == 0)
      if (const auto known = literal_in(to, of.role)) return argument{morph_argument_literal, *known};
    return argument{morph_argument_literal, literals_.draw(of.role, random_)};
  }
  if (of.may_be_null && below(10) == 0) return argument{morph_argument_nothing, 0};
  if (const auto made = append_preferred(to, of, depth)) return made;
  if (recipes_ != nullptr && below(recipe_share) == 0)
    if (const auto made = append_recipe(to, of)) return made;
  if (const auto known = value_for(to, of); known && below(of.takes ? 4 : 5) != 0)
    return argument{morph_argument_value, *known};
  const auto& makers = api_.makers[of.type];
  if (depth < most_depth && !makers.empty()) {
    // The cheapest ones, and now and then any.
    std::size_t cheap = 0;
    while (cheap < makers.size() && api_.callables[makers[cheap]].level <= api_.callables[makers[0]].level) ++cheap;
    for (int attempt = 0; attempt < 4; ++attempt) {
      const auto maker = makers[below(depth > 2 || below(3) != 0 ? cheap : makers.size())];
      if (!api_.serves(*api_.callables[maker].gives, of)) continue;
      const std::size_t before = to.size();
      if (append(to, maker, depth + 1))
        return argument{morph_argument_value, static_cast<std::uint32_t>(to.size() - 1)};
      to.resize(before);
    }
  }
  if (const auto known = value_for(to, of)) return argument{morph_argument_value, *known};
  if (of.may_be_null) return argument{morph_argument_nothing, 0};
  return std::nullopt;
}

/// An object as a user makes it, one in two where there are such.
std::optional<argument> variation::append_preferred(sequence& to, const slot& of, int depth) {
  if (depth >= most_depth || of.type >= api_.preferred_makers.size()) return std::nullopt;
  const auto& makers = api_.preferred_makers[of.type];
  if (makers.empty() || below(2) == 0) return std::nullopt;
  const auto maker = makers[below(makers.size())];
  if (!api_.serves(*api_.callables[maker].gives, of)) return std::nullopt;
  const std::size_t before = to.size();
  if (append(to, maker, depth + 1)) return argument{morph_argument_value, static_cast<std::uint32_t>(to.size() - 1)};
  to.resize(before);
  return std::nullopt;
}

/// With some of its literals varied. Gives the object that it makes.
std::optional<argument> variation::append_recipe(sequence& to, const slot& of) {
  const auto number = recipes_->any_for(of, random_);
  if (!number) return std::nullopt;
  const object_recipe& chosen = (*recipes_)[*number];
  if (!api_.serves(*api_.callables[chosen.calls[chosen.gives].callable].gives, of)) return std::nullopt;
  if (to.size() + chosen.calls.size() >= most_calls) return std::nullopt;
  const auto before = static_cast<std::uint32_t>(to.size());
  for (call each : chosen.calls) {
    const auto& slots = api_.callables[each.callable].slots;
    for (std::size_t s = 0; s < slots.size(); ++s) {
      argument& one = each.arguments[s];
      if (one.kind == morph_argument_value) one.number += before;
      if (one.kind == morph_argument_literal && below(4) == 0)
        one.number = literals_.vary(one.number, slots[s].role, random_);
    }
    to.push_back(std::move(each));
  }
  used_.push_back(*number);
  return argument{morph_argument_value, before + chosen.gives};
}

bool variation::append(sequence& to, std::uint32_t callable, int depth) {
  if (to.size() >= most_calls) return false;
  if (api_.callables[callable].is_risky() && below(20) != 0) return false;
  call made{.callable = callable};
  for (const slot& each : api_.callables[callable].slots) {
    const auto argument = argument_for(to, each, depth);
    if (!argument) return false;
    made.arguments.push_back(*argument);
  }
  if (to.size() >= most_calls || uses_taken(made, to)) return false;
  to.push_back(std::move(made));
  return true;
}

/// Of the unit; one in `share` is any.
std::uint32_t variation::any_callable(std::uint32_t share) {
  return below(share) == 0 || api_.of_unit.empty() ? below(api_.callables.size())
                                                   : api_.of_unit[below(api_.of_unit.size())];
}

sequence variation::random() {
  sequence made;
  if (api_.callables.empty()) return made;
  const std::uint32_t calls = 1 + below(most_calls_at_first);
  for (std::uint32_t i = 0; i < calls; ++i) {
    const std::size_t before = made.size();
    if (!append(made, any_callable(10), 0)) made.resize(before);
  }
  return made;
}

sequence variation::continued(sequence of) {
  for (std::uint32_t left = 1 + below(3); left > 0 && !api_.callables.empty(); --left) {
    const std::size_t before = of.size();
    if (!append(of, any_callable(5), 0)) of.resize(before);
  }
  return of;
}

/// `from` as a call of `to`, where call i of its own sequence is now[i], or is not there (-1).
bool variation::append_bound(sequence& to, const call& from, const std::vector<std::int64_t>& now) {
  if (to.size() >= most_calls) return false;
  call made = from;
  const std::vector<bool> gone = taken(to);
  for (std::size_t s = 0; s < made.arguments.size(); ++s) {
    argument& each = made.arguments[s];
    if (each.kind != morph_argument_value) continue;
    const std::int64_t at = now[each.number];
    if (at >= 0 && !gone[static_cast<std::size_t>(at)]) {
      each.number = static_cast<std::uint32_t>(at);
      continue;
    }
    const auto other = argument_for(to, api_.callables[made.callable].slots[s], 1);
    if (!other) return false;
    each = *other;
  }
  if (to.size() >= most_calls || uses_taken(made, to)) return false;
  to.push_back(std::move(made));
  return true;
}

sequence variation::crossed(const sequence& head, const sequence& tail) {
  if (head.empty() || tail.empty()) return head.empty() ? tail : head;
  const std::uint32_t from_head = 1 + below(head.size()), from_tail = below(tail.size());
  sequence made(head.begin(), head.begin() + from_head);
  std::vector<std::int64_t> now(tail.size(), -1);
  for (std::uint32_t i = from_tail; i < tail.size(); ++i) {
    const std::size_t before = made.size();
    if (append_bound(made, tail[i], now))
      now[i] = static_cast<std::int64_t>(made.size() - 1);
    else
      made.resize(before);
  }
  return made;
}

void variation::insert_anywhere(sequence& into) {
  const std::uint32_t at = below(into.size() + 1);
  sequence made(into.begin(), into.begin() + at);
  if (!append(made, any_callable(5), 0)) return;
  std::vector<std::int64_t> now(into.size(), -1);
  for (std::uint32_t i = 0; i < into.size(); ++i) {
    if (i < at) {
      now[i] = i;
      continue;
    }
    const std::size_t before = made.size();
    if (append_bound(made, into[i], now))
      now[i] = static_cast<std::int64_t>(made.size() - 1);
    else
      made.resize(before);
  }
  into = std::move(made);
}

sequence variation::without_one(const sequence& of) {
  const std::uint32_t gone = below(of.size());
  sequence made;
  std::vector<std::int64_t> now(of.size(), -1);
  for (std::uint32_t i = 0; i < of.size(); ++i) {
    if (i == gone) continue;
    bool needs_gone = false;
    for (const argument& each : of[i].arguments)
      needs_gone = needs_gone || (each.kind == morph_argument_value && now[each.number] < 0);
    // What used it uses another value if there is one, and goes with it otherwise.
    const std::size_t before = made.size();
    if (needs_gone && below(2) == 0) continue;
    if (append_bound(made, of[i], now))
      now[i] = static_cast<std::int64_t>(made.size() - 1);
    else
      made.resize(before);
  }
  return made;
}

void variation::change_somewhere(sequence& of) {
  const std::uint32_t at = below(of.size());
  const auto& slots = api_.callables[of[at].callable].slots;
  if (slots.empty()) return;
  const std::uint32_t s = below(slots.size());
  argument& changed = of[at].arguments[s];
  if (slots[s].from == slot::source::literal) {
    const auto known = below(reuse_share) == 0 ? literal_in(of, slots[s].role) : std::nullopt;
    if (known && *known != changed.number)
      changed = {morph_argument_literal, *known};
    else
      changed = changed.kind == morph_argument_literal
                    ? argument{morph_argument_literal, literals_.vary(changed.number, slots[s].role, random_)}
                    : argument{morph_argument_literal, literals_.draw(slots[s].role, random_)};
  } else if (slots[s].from == slot::source::value && !slots[s].takes) {
    const sequence before(of.begin(), of.begin() + at);
    if (const auto other = value_for(before, slots[s])) {
      // Not one that is taken further on.
      const argument now = changed;
      changed = {morph_argument_value, *other};
      if (taken(of)[*other]) changed = now;
    }
  }
}

sequence variation::mutated(sequence of) {
  if (of.empty()) return random();
  const std::uint32_t changes = 1 + below(3);
  for (std::uint32_t i = 0; i < changes && !of.empty(); ++i) {
    const std::uint32_t kind = below(10);
    if (kind < 5)
      change_somewhere(of);
    else if (kind < 7)
      of = without_one(of);
    else
      insert_anywhere(of);
  }
  return of.empty() ? random() : of;
}

}  // namespace morph::generate
