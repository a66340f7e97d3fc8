// Violations made smaller: values of all kinds, shorter derivations, what may be tried, and that it ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "morph/generate.hpp"
#include "morph/shrink.hpp"
#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/report/report.hpp"

namespace tried_smaller {

struct point {
  int x = 0, y = 0;
  std::string name;
};
struct grid {
  int cells[2][2] = {};
  char label[4] = {};
  std::array<int, 2> sizes{};
};
enum class colour { red, green };
struct painted {
  colour is = colour::red;
  int weight = 0;
};
/// Says itself what is smaller.
struct halving {
  int is = 0;
  friend int morph_save(const halving& h) { return h.is; }
  friend void morph_load(halving& h, int is) { h.is = is; }
  friend std::vector<halving> morph_shrink(const halving& h) {
    return h.is == 0 ? std::vector<halving>{} : std::vector<halving>{{h.is / 2}};
  }
};

}  // namespace tried_smaller

namespace {

using morph::case_index;
using morph::engine::derivation_text;
using morph::engine::options;
using morph::engine::session;
using namespace tried_smaller;

template <typename T>
std::vector<T> smaller(const T& value) {
  std::vector<T> made;
  morph::detail::shrink(value, [&](T one) { made.push_back(std::move(one)); });
  return made;
}

/// The violation of "good" that is left of one with this input.
template <typename In>
std::string shrunk(const In& input, bool (*good)(const In&)) {
  morph::spec<In, int> s("s");
  s.execute([](const In&) { return 0; });
  s.seeds("literal", std::vector<In>{input});
  s.relation("good", morph::seeds, [good](auto& c) { return good(c.input); });
  session at_work(s, options{});
  at_work.run();
  if (at_work.report().violations.size() != 1) return "no violation";
  return derivation_text(at_work, at_work.report().violations[0].how);
}

// ---- values

TEST(SpecShrink, TriesOfAnInteger) {
  EXPECT_EQ(smaller(10), (std::vector<int>{0, 5, 8, 9, 9}));
  EXPECT_EQ(smaller(-3), (std::vector<int>{0, 3, -2, -2}));
  EXPECT_EQ(smaller(0), (std::vector<int>{}));
  EXPECT_EQ(smaller(std::numeric_limits<signed char>::min()),
            (std::vector<signed char>{0, -64, -96, -112, -120, -124, -126, -127, -127}));
  EXPECT_EQ(smaller(true), (std::vector<bool>{false}));
}

TEST(SpecShrink, TriesOfAFloatingPointNumber) {
  EXPECT_EQ(smaller(2.5), (std::vector<double>{0, 2}));
  EXPECT_EQ(smaller(-2.375), (std::vector<double>{0, 2.375, -2, -2.3}));
  EXPECT_EQ(smaller(4.0), (std::vector<double>{0, 2, 3, 3}));
  EXPECT_EQ(smaller(std::numeric_limits<double>::infinity()), (std::vector<double>{0, 1}));
  EXPECT_EQ(smaller(std::nan("")), (std::vector<double>{0, 1}));
  EXPECT_EQ(smaller(-0.0), (std::vector<double>{}));
}

TEST(SpecShrink, TriesOfASequence) {
  using numbers = std::vector<int>;
  EXPECT_EQ(smaller(numbers{7, 0}), (std::vector<numbers>{{}, {0}, {7}, {0, 0}, {4, 0}, {6, 0}, {6, 0}}));
  EXPECT_EQ(smaller(std::string("xa")), (std::vector<std::string>{"", "a", "x", "aa"}));
}

TEST(SpecShrink, TriesOfSetsAndOptionals) {
  using set = std::set<int>;
  EXPECT_EQ(smaller(set{1, 2}), (std::vector<set>{{}, {2}, {1}}));
  using map = std::map<std::string, int>;
  EXPECT_EQ(smaller(map{{"a", 1}, {"b", 2}}), (std::vector<map>{{}, {{"b", 2}}, {{"a", 1}}}));
  using maybe = std::optional<int>;
  EXPECT_EQ(smaller(maybe(1)), (std::vector<maybe>{std::nullopt, 0, 0}));
  EXPECT_EQ(smaller(std::vector<bool>{true, false}), (std::vector<std::vector<bool>>{{}, {false}, {true}}));
}

TEST(SpecShrink, Integers) {
  EXPECT_EQ(shrunk<int>(1000, [](const int& x) { return x < 17; }), R"({"in":17})");
  EXPECT_EQ(shrunk<int>(-1000, [](const int& x) { return x > -17; }), R"({"in":-17})");
  EXPECT_EQ(shrunk<int>(-1000, [](const int& x) { return std::abs(x) < 17; }), R"({"in":17})");
  EXPECT_EQ(shrunk<int>(std::numeric_limits<int>::min(), [](const int& x) { return x >= 0; }), R"({"in":-1})");
  EXPECT_EQ(shrunk<std::uint64_t>(~std::uint64_t{0}, [](const std::uint64_t& x) { return x < 100; }), R"({"in":100})");
}

TEST(SpecShrink, FloatingPointNumbers) {
  EXPECT_EQ(shrunk<double>(1234.56789, [](const double& x) { return x < 7.25; }), R"({"in":8})");
  EXPECT_EQ(shrunk<double>(1e300, [](const double& x) { return x < 1e6; }), R"({"in":1e+06})");
  EXPECT_EQ(shrunk<double>(-1e300, [](const double& x) { return x >= 0; }), R"({"in":-1})");
  EXPECT_EQ(shrunk<double>(0.123456, [](const double& x) { return x == std::trunc(x); }), R"({"in":0.1})");
  EXPECT_EQ(shrunk<float>(0.3F, [](const float& x) { return x == std::trunc(x); }), R"({"in":0.3})");
  EXPECT_EQ(shrunk<double>(std::nan(""), [](const double& x) { return x == x; }), R"({"in":"nan"})");
  EXPECT_EQ(shrunk<double>(-std::numeric_limits<double>::infinity(), [](const double& x) { return x > -1e308; }),
            R"({"in":"-inf"})");
}

TEST(SpecShrink, Vectors) {
  std::vector<int> long_one;
  for (int i = 0; i < 100; ++i) long_one.push_back(i * 37 % 101);
  EXPECT_EQ(
      shrunk<std::vector<int>>(long_one, [](const std::vector<int>& v) { return std::is_sorted(v.begin(), v.end()); }),
      R"({"in":[1,0]})");
  EXPECT_EQ(shrunk<std::vector<int>>(long_one, [](const std::vector<int>& v) { return v.size() < 9; }),
            R"({"in":[0,0,0,0,0,0,0,0,0]})");
  EXPECT_EQ(shrunk<std::vector<int>>(std::vector<int>(200, 5), [](const std::vector<int>& v) { return v.size() < 20; }),
            R"({"in":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]})");
}

TEST(SpecShrink, Strings) {
  EXPECT_EQ(shrunk<std::string>("the quick, brown, fox",
                                [](const std::string& s) { return std::count(s.begin(), s.end(), ',') < 2; }),
            R"({"in":",,"})");
  EXPECT_EQ(
      shrunk<std::string>(std::string(20'000, 'z') + "!", [](const std::string& s) { return s.find('!') == s.npos; }),
      R"({"in":"!"})");
}

TEST(SpecShrink, Aggregates) {
  EXPECT_EQ(shrunk<point>({70, -80, "north"}, [](const point& p) { return p.x + 10 > p.y || p.name.empty(); }),
            "no violation");
  EXPECT_EQ(shrunk<point>({70, -80, "north"}, [](const point& p) { return p.x - p.y < 10 || p.name.empty(); }),
            R"({"in":[0,-10,"a"]})");
  EXPECT_EQ((shrunk<std::pair<int, std::vector<int>>>({5, {4, 3}},
                                                      [](const auto& p) { return p.first == 0 || p.second.empty(); })),
            R"({"in":[1,[0]]})");
}

TEST(SpecShrink, ArraysInsideAggregates) {
  EXPECT_EQ(shrunk<grid>({{{5, 6}, {7, 8}}, {'a', 'b', 'c', 'd'}, {8, 9}},
                         [](const grid& g) { return g.cells[1][0] < 3 || g.sizes[1] < 2; }),
            R"({"in":[[[0,0],[3,0]],"abcd",[0,2]]})");
}

TEST(SpecShrink, EnumeratorsStay) {
  EXPECT_EQ(shrunk<painted>({colour::green, 9}, [](const painted& p) { return p.is == colour::red && p.weight < 0; }),
            R"({"in":[1,0]})");
}

TEST(SpecShrink, ATypeMaySayWhatIsSmaller) {
  EXPECT_EQ(shrunk<halving>({100}, [](const halving& h) { return h.is < 5; }), R"({"in":6})");
}

// ---- bounds

TEST(SpecShrink, StaysInsideTheBoundsOfItsGenerator) {
  const auto run = [](auto... more) {
    morph::spec<int, int> s("s");
    s.execute([](int in) { return in; });
    (s.seeds("more", more), ...);
    s.seeds("drawn", morph::draw(20, morph::integers(1000, 1100)));
    s.relation("small", morph::seeds, [](auto& c) { return c.input < 5; });
    session at_work(s, options{});
    at_work.run();
    return derivation_text(at_work, at_work.report().violations[0].how);
  };
  EXPECT_EQ(run(), R"({"in":1000})");
  EXPECT_EQ(run(morph::draw(2, morph::integers(0, 3))), R"({"in":1000})") << "those of another one are none of its";
}

TEST(SpecShrink, StaysInsideTheBoundsOfWhatIsPutTogether) {
  using numbers = std::vector<int>;
  morph::spec<numbers, int> s("s");
  s.execute([](const numbers&) { return 0; });
  s.seeds("drawn", morph::draw(20, morph::vectors(9, morph::integers(5, 9))));
  s.relation("short", morph::seeds, [](auto& c) { return c.input.size() < 3; });
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"in":[5,5,5]})");
}

TEST(SpecShrink, TriesWhatIsValidAlone) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {990});
  s.valid([](int x) { return x % 10 == 0; });
  s.relation("small", morph::seeds, [](auto& c) { return c.input < 37; });
  session at_work(s, options{});
  at_work.run();
  const std::string left = derivation_text(at_work, at_work.report().violations[0].how);
  EXPECT_TRUE(left == R"({"in":40})" || left == R"({"in":60})" || left == R"({"in":130})") << left;
}

// ---- derivations

TEST(SpecShrink, DerivationsGetShorter) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {50});
  s.datamorph("more", [](int x) { return x + 1; });
  auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  s.relation("small", twice, [](auto& m, auto&) { return m.output < 200; });
  options how;
  how.order = 3;
  session at_work(s, how);
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 1U);
  const auto& found = at_work.report().violations[0];
  EXPECT_EQ(derivation_text(at_work, found.how), R"({"by":"twice","from":[{"in":100}]})");
  EXPECT_GT(found.shrunk_in, 0U);
  EXPECT_TRUE(found.before_shrinking.has_value());
}

TEST(SpecShrink, WhatCanBeNoSeedStaysAMutant) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("even", {50});
  s.valid([](int x) { return x % 2 == 0; });
  s.datamorph("more", [](int x) { return x + 1; });
  auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  s.relation("of even ones", twice, [](auto&, auto& o) { return o.input % 2 == 0; });
  options how;
  how.order = 2;
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how),
            R"({"by":"twice","from":[{"by":"more","from":[{"in":0}]}]})");
}

TEST(SpecShrink, AMutantOfAnyKindMayBecomeItsOrigin) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {50, 60});
  s.datamorph("more", [](int x) { return x + 1; });
  s.datamorph("sum", [](int x, int y) { return x + y; });
  s.relation("all small", morph::all_cases, [](auto& c) { return c.output < 100; });
  s.relation("mutants small", morph::mutants, [](auto& c) { return c.output < 100; });
  options how;
  how.order = 2;
  session at_work(s, how);
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 2U);
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"in":100})");
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[1].how),
            R"({"by":"sum","from":[{"in":40},{"in":60}]})");
}

TEST(SpecShrink, OneOfSeveralMutantsIsMeant) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {20});
  auto many = s.datamorph("many", [](int x) { return std::vector<int>{x, x + 1, x + 2}; });
  s.relation("not two more", many, [](auto& m, auto& o) { return m.input != o.input + 2; });
  for (const bool distinct_inputs : {false, true}) {
    options how;
    how.distinct_inputs = distinct_inputs;
    session at_work(s, how);
    at_work.run();
    ASSERT_EQ(at_work.report().violations.size(), 1U);
    EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how),
              R"({"by":"many","which":2,"from":[{"in":0}]})");
  }
}

TEST(SpecShrink, LabelsBelongToTheirInput) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("labelled", {{50, 51}});
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"in":50,"expected":51})");
}

TEST(SpecShrink, DisagreementsOfExecuters) {
  morph::spec<int, int> s("s");
  s.execute("one", [](int in) { return in; });
  s.execute("two", [](int in) { return in > 20 ? 0 : in; });
  s.executers_agree();
  s.seeds("literal", {500});
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"in":21})");
}

TEST(SpecShrink, ExceptionsOfThePogram) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in > 20 ? throw std::runtime_error("large") : in; });
  s.seeds("literal", {500});
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"in":21})");
}

TEST(SpecShrink, ADatamorphismThatThrowsOnSmallerInputsStopsNothing) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {500});
  auto part = s.datamorph("part", [](int x) { return x < 30 ? throw std::runtime_error("small") : 10'000 / x; });
  s.relation("never", part, [](auto&, auto&) { return false; });
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(derivation_text(at_work, at_work.report().violations[0].how), R"({"by":"part","from":[{"in":30}]})");
  EXPECT_EQ(at_work.report().broken.size(), 0U);
}

// ---- unsteady ones

TEST(SpecShrink, WhatDoesNotFailAgainIsSaidToBeUnsteady) {
  morph::spec<int, int> s("s");
  int runs = 0;
  s.execute([&runs](int in) { return runs++ == 0 ? -1 : in; });
  s.seeds("literal", {500});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input; });
  session at_work(s, options{});
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 1U);
  EXPECT_FALSE(at_work.report().violations[0].steady);
  EXPECT_EQ(at_work.report().violations[0].shrunk_in, 0U);
}

TEST(SpecShrink, WhatFailsAgainIsSteady) {
  morph::spec<int, int> s("s");
  s.execute([](int) { return -1; });
  s.seeds("literal", {500});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input; });
  session at_work(s, options{});
  at_work.run();
  EXPECT_TRUE(at_work.report().violations[0].steady);
}

// ---- cost

TEST(SpecShrink, InputsThatWereTriedInVainAreForgotten) {
  using numbers = std::vector<int>;
  morph::spec<numbers, int> s("s");
  s.execute([](const numbers&) { return 0; });
  numbers different(100);
  std::iota(different.begin(), different.end(), 1);
  s.seeds("literal", std::vector<numbers>{different});
  s.relation("short", morph::seeds, [](auto& c) { return c.input.size() < 90; });
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(at_work.report().violations[0].how.input + 1, at_work.spec().number_of_inputs());
  EXPECT_LT(at_work.spec().number_of_inputs(), 4'100U) << "no more than are tried";
  EXPECT_EQ(at_work.cases().size(), 1U);
}

TEST(SpecShrink, TriesOfWhatIsLongAreFew) {
  std::size_t bytes = 0;
  morph::detail::shrink(std::string(1 << 20, 'a'), [&](const std::string& made) { bytes += made.size(); });
  EXPECT_LT(bytes, std::size_t{32} << 20);
}

}  // namespace
