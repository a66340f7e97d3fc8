// What holds for every program that classifies triangles, and the four for which it is checked.
#include "triangle.hpp"

#include <algorithm>
#include <map>
#include <morph/morph.hpp>
#include <set>
#include <string>

void triangle_rules(morph::spec<Triangle, Kind>& s) {
  using enum Kind;
  s.seeds("typical", {{5, 5, 5}, {5, 5, 7}, {5, 7, 9}, {3, 5, 9}});
  s.seeds("labelled", {{{5, 5, 5}, equilateral}, {{5, 5, 7}, isosceles}, {{5, 7, 9}, scalene}, {{3, 5, 9}, none}});
  s.seeds("typed in", morph::standard_input{});
  s.seeds("file", morph::csv{"triangles.csv"});

  const auto longest = [](const Triangle& t) { return std::max({t.x, t.y, t.z}); };
  const auto is_same = [](auto& m, auto& o) { return m.output == o.output; };
  const auto is_none = [](auto& m, auto&) { return m.output == none; };
  const auto of_a_side = [&](const std::string& name, int Triangle::*a) {
    const auto up = s.datamorph("increase" + name, [=](Triangle t) { return ++(t.*a), t; });
    const auto down = s.datamorph("decrease" + name, [=](Triangle t) { return --(t.*a), t; });
    const auto negate = s.datamorph("negate" + name, [=](Triangle t) { return t.*a = -(t.*a), t; });
    const auto zero = s.datamorph("zero" + name, [=](Triangle t) { return t.*a = 0, t; });
    const auto regular = [](auto&, auto& o) { return o.output == equilateral && o.input.x > 1; };
    const auto widens = [=](auto& m, auto& o) {
      return o.output == none && (m.input.*a > o.input.*a) == (longest(o.input) == o.input.*a);
    };
    const auto not_positive = [=](auto& m, auto&) { return m.input.*a <= 0; };
    s.relation("one side off an equilateral triangle is isosceles", {up, down}, regular,
               [](auto& m, auto&) { return m.output == isosceles; });
    s.relation("further from a triangle is none", {up, down}, widens, is_none);
    s.relation("no side is below 1", {negate, zero}, not_positive, is_none);
  };
  const auto x = &Triangle::x, y = &Triangle::y, z = &Triangle::z;
  of_a_side("X", x), of_a_side("Y", y), of_a_side("Z", z);
  const auto of_two_sides = [&](const std::string& from, const std::string& to, int Triangle::*a, int Triangle::*b) {
    const auto swap = s.datamorph("swap" + from + to, [=](Triangle t) { return std::swap(t.*a, t.*b), t; });
    const auto copy = s.datamorph("copy" + from + "To" + to, [=](Triangle t) { return t.*b = t.*a, t; });
    s.relation("the order of the sides is irrelevant", swap, is_same);
    s.relation("two equal sides are not scalene", copy, [](auto& m, auto&) { return m.output != scalene; });
  };
  of_two_sides("X", "Y", x, y), of_two_sides("X", "Z", x, z), of_two_sides("Y", "Z", y, z);
  const auto left = s.datamorph("rotateL", [](Triangle t) { return Triangle{t.y, t.z, t.x}; });
  const auto right = s.datamorph("rotateR", [](Triangle t) { return Triangle{t.z, t.x, t.y}; });
  s.relation("the order of the sides is irrelevant", {left, right}, is_same);
  const auto flat = [=](auto& c) { return 2 * longest(c.input) == c.input.x + c.input.y + c.input.z; };
  s.relation("flat is none", morph::all_cases, flat, [](auto& c) { return c.output == none; });
  s.relation("the kind counts the different sides", morph::all_cases, [](auto& c) {
    return c.output == none || c.output == Kind(std::set{c.input.x, c.input.y, c.input.z}.size() - 1);
  });

  s.analyser("cases by kind", [](auto& pool) {
    std::map<Kind, int> cases;
    for (const auto& each : pool) ++cases[each.output];
    return morph::show(cases);
  });
  s.analyser("distance to the nearest case", [](auto& pool) { return std::to_string(pool.mean_nearest()); });
}

MORPH_SPEC(sorting, Triangle, Kind, s) {
  triangle_rules(s), s.execute(by_sorting);
}
MORPH_SPEC(sorting_wrong, Triangle, Kind, s) {
  triangle_rules(s), s.execute(by_sorting_wrong);
}
MORPH_SPEC(counting, Triangle, Kind, s) {
  triangle_rules(s), s.execute(by_counting);
}
MORPH_SPEC(counting_wrong, Triangle, Kind, s) {
  triangle_rules(s), s.execute(by_counting_wrong);
}
