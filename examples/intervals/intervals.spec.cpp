// The algebra of sets, for sets that are kept as intervals.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <morph/morph.hpp>
#include <vector>

#include "interval_set.hpp"

namespace {

using intervals = std::vector<interval>;

/// Two sets, by what is inserted into them, and a number that is looked up.
struct Question {
  intervals a, b;
  int number;
};
struct Found {
  intervals parts;
  long size;
  bool contains;
  bool operator==(const Found&) const = default;
};
struct Answer {
  Found a, b, either, both, only_a, erased, gaps;  // erased: a, behind erasing what was inserted into b
  int nearest;                                     // in a
  bool operator==(const Answer&) const = default;
};

Answer ask(const Question& q) {
  const interval_set a(q.a), b(q.b);
  interval_set erased = a;
  for (const interval& each : q.b) erased.erase(each);
  const auto found = [&](const interval_set& of) { return Found{of.parts(), of.size(), of.contains(q.number)}; };
  return {found(a),     found(b),      found(a | b),    found(a & b),
          found(a - b), found(erased), found(a.gaps()), a.nearest(q.number)};
}

std::array<const Found*, 7> all_sets(const Answer& of) {
  return {&of.a, &of.b, &of.either, &of.both, &of.only_a, &of.erased, &of.gaps};
}
bool is_in(const intervals& told, int number) {
  return std::any_of(told.begin(), told.end(), [=](const interval& i) { return i.begin <= number && number < i.end; });
}
/// Number n becomes `by + n`, or with `mirror` `by - n`.
intervals moved(intervals from, int by, bool mirror) {
  for (interval& each : from)
    each = mirror ? interval{by + 1 - each.end, by + 1 - each.begin} : interval{by + each.begin, by + each.end};
  if (mirror) std::reverse(from.begin(), from.end());
  return from;
}
bool is_moved(const Answer& to, const Answer& from, int by, bool mirror) {
  const auto sets = all_sets(to), origins = all_sets(from);
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (*sets[i] != Found{moved(origins[i]->parts, by, mirror), origins[i]->size, origins[i]->contains}) return false;
  return true;
}

}  // namespace

MORPH_SPEC(sets_of_intervals, Question, Answer, s) {
  s.execute(ask).timeout(1);
  const auto number = morph::integers(-20, 20);
  const auto some = morph::vectors(6, morph::made_of<interval>(number, number));
  s.seeds("random", morph::draw(100, morph::made_of<Question>(some, some, number)));
  s.seeds("few", {Question{{}, {}, 0}, Question{{{0, 1}}, {{1, 2}}, 0}, Question{{{0, 1}, {8, 9}}, {{3, 5}}, 4}});

  s.relation("parts ascend and do not touch", morph::all_cases, [](auto& c) {
    for (const Found* set : all_sets(c.output)) {
      for (const interval& part : set->parts)
        if (part.begin >= part.end) return false;
      for (std::size_t i = 1; i < set->parts.size(); ++i)
        if (set->parts[i - 1].end >= set->parts[i].begin) return false;
    }
    return true;
  });
  s.relation("sizes add up", morph::all_cases, [](auto& c) {
    const Answer& of = c.output;
    return of.either.size + of.both.size == of.a.size + of.b.size && of.only_a.size + of.both.size == of.a.size;
  });
  s.relation("a set has what was inserted", morph::all_cases, [](auto& c) {
    return c.output.a.contains == is_in(c.input.a, c.input.number) &&
           c.output.b.contains == is_in(c.input.b, c.input.number);
  });
  s.relation("sets are combined number by number", morph::all_cases, [](auto& c) {
    const Answer& of = c.output;
    return of.either.contains == (of.a.contains || of.b.contains) &&
           of.both.contains == (of.a.contains && of.b.contains) &&
           of.only_a.contains == (of.a.contains && !of.b.contains) && of.erased == of.only_a;
  });
  const auto has_numbers = [](auto& c) { return !c.output.a.parts.empty(); };
  s.relation("a set and its gaps leave no hole", morph::all_cases, has_numbers, [](auto& c) {
    const Answer& of = c.output;
    return of.a.size + of.gaps.size == of.a.parts.back().end - of.a.parts.front().begin;
  });
  s.relation("the nearest number is in the set", morph::all_cases, has_numbers,
             [](auto& c) { return is_in(c.input.a, c.output.nearest); });
  s.relation("of two nearest numbers it is the lower one", morph::all_cases, has_numbers, [](auto& c) {
    const int other = 2 * c.input.number - c.output.nearest;
    return other >= c.output.nearest || !is_in(c.input.a, other);
  });

  const auto same = [](auto& m, auto& o) { return m.output == o.output; };
  const auto backwards = s.datamorph("backwards", [](const Question& q) {
    return Question{intervals(q.a.rbegin(), q.a.rend()), intervals(q.b.rbegin(), q.b.rend()), q.number};
  });
  const auto again = s.datamorph("again", [](Question q) {
    for (std::size_t i = q.a.size(); i-- > 0;) q.a.push_back(q.a[i]);
    return q;
  });
  const auto halves = s.datamorph("in halves", [](const Question& q) {
    Question made{{}, q.b, q.number};
    for (const interval& each : q.a) {
      const int middle = each.begin + (each.end - each.begin) / 2;
      made.a.insert(made.a.begin(), {{each.begin, middle}, {middle, each.end}});
    }
    return made;
  });
  const auto by_parts = s.datamorph("by parts", [](const morph::test_case<Question, Answer>& c) {
    return Question{c.output.a.parts, c.output.b.parts, c.input.number};
  });
  s.relation("it does not matter how a set is told", {backwards, again, halves, by_parts}, same);

  const auto shift = s.datamorph("shift", [](const Question& q) {
    return Question{moved(q.a, 7, false), moved(q.b, 7, false), q.number + 7};
  });
  s.relation("all moves along", shift, [](auto& m, auto& o) {
    return is_moved(m.output, o.output, 7, false) &&
           (m.output.nearest == o.output.nearest + 7 || o.output.a.parts.empty());
  });
  const auto mirror = s.datamorph("mirror", [](const Question& q) {
    return Question{moved(q.a, 0, true), moved(q.b, 0, true), -q.number};
  });
  s.relation("all is mirrored", mirror, [](auto& m, auto& o) {
    return is_moved(m.output, o.output, 0, true) &&
           std::abs(m.output.nearest - m.input.number) == std::abs(o.output.nearest - o.input.number);
  });
  const auto swap = s.datamorph("swap", [](const Question& q) { return Question{q.b, q.a, q.number}; });
  s.relation("both and either have no order", swap,
             [](auto& m, auto& o) { return m.output.either == o.output.either && m.output.both == o.output.both; });
  const auto apart = s.datamorph("take apart", [](const morph::test_case<Question, Answer>& c) {
    return Question{c.output.only_a.parts, c.output.both.parts, c.input.number};
  });
  s.relation("a set is what it shares and what it does not", apart,
             [](auto& m, auto& o) { return m.output.either == o.output.a && m.output.both.parts.empty(); });
}
