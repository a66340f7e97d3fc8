// Exploration: what is found, how often the program runs for it, and what is said of specs that cannot be explored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "morph/morph.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/explore/report.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph::engine {
namespace {
using nlohmann::json;

// ---- explorations of specs of a test's own

template <typename In, typename Out>
struct exploration_of {
  morph::spec<In, Out> spec{"explored"};
  explore_options how;
  explored found;
  std::string log;

  std::unique_ptr<session> cases;
  void run() {
    options seeds;
    seeds.seed = how.seed;
    seeds.keep = true;
    cases = std::make_unique<session>(spec, seeds);
    cases->make_seeds();
    ASSERT_EQ(cases->report().error, "");
    how.starts.clear();
    for (morph::case_index c = 0; c < cases->cases().size(); ++c) how.starts.push_back(c);
    ASSERT_EQ(find_midpoint(spec, "", how.mid), "");
    if (how.method != exploration::random_target && how.steps.empty()) {
      ASSERT_EQ(find_steps(spec, {}, how.steps), "");
    }
    log.clear();
    found = explore(*cases, how, [&](const explore_row& row) { log += explore_line(*cases, how, row); });
  }
  std::uint64_t ended(search_end which) const { return found.ends[static_cast<std::size_t>(which)]; }
  In in(morph::case_index c) {
    const morph::spec_base& base = spec;
    return morph::from_text<In>(base.text_of_input(cases->cases().input(c))).value.value();
  }
};

using numbers = exploration_of<double, std::string>;

std::string sign(double x) {
  return x < 0 ? "negative" : "positive";
}
double mean(double a, double b) {
  return a + (b - a) / 2;
}
/// A sign changes at 0; the seeds are -3 and 5.
struct signs : numbers {
  signs() {
    spec.execute(sign);
    spec.seeds("both", {-3.0, 5.0});
    spec.datamorph("mid", mean);
  }
};

TEST(SpecExplore, FindsTheBorderBetweenTwoSeedsWithinTheTolerance) {
  signs of;
  of.run();
  ASSERT_EQ(of.found.error, "");
  ASSERT_EQ(of.found.borders.size(), 1u);
  const border_pair& border = of.found.borders[0];
  EXPECT_LE(border.width, 8e-6);  // of 8
  EXPECT_EQ(of.found.box, 8);
  EXPECT_NE(sign(of.in(border.a)), sign(of.in(border.b)));
  EXPECT_EQ(std::abs(of.in(border.a) - of.in(border.b)), border.width);
  EXPECT_EQ(border.how, search_end::within);
  // 2^20 is the first power of 2 beyond 1e6.
  EXPECT_EQ(border.halvings, 20u);
  EXPECT_EQ(of.found.start_runs, 2u);
  EXPECT_EQ(of.found.midpoint_runs, 20u);
  EXPECT_EQ(of.found.confirming_runs, 2u);
}

TEST(SpecExplore, StopsAtTheLimitOfHalvings) {
  signs of;
  of.how.most_halvings = 3;
  of.run();
  ASSERT_EQ(of.found.borders.size(), 1u);
  EXPECT_EQ(of.found.borders[0].how, search_end::halvings);
  EXPECT_EQ(of.found.borders[0].width, 1.0);
  EXPECT_EQ(of.found.midpoint_runs, 3u);
}

TEST(SpecExplore, AToleranceMayBeADistance) {
  signs of;
  of.how.tolerance = 0.5;
  of.how.is_absolute = true;
  of.run();
  ASSERT_EQ(of.found.borders.size(), 1u);
  EXPECT_EQ(of.found.borders[0].width, 0.5);
}

TEST(SpecExplore, WhereNothingLiesBetweenBothEndsTheyAreABorder) {
  exploration_of<int, bool> of;
  of.spec.execute([](int x) { return x > 41; });
  of.spec.seeds("both", {0, 1000});
  of.spec.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  of.run();
  ASSERT_EQ(of.found.borders.size(), 1u);
  EXPECT_EQ(of.found.borders[0].how, search_end::closest);
  EXPECT_EQ(std::minmax({of.in(of.found.borders[0].a), of.in(of.found.borders[0].b)}), std::pair(41, 42));
  EXPECT_EQ(of.found.borders[0].width, 1);
}

TEST(SpecExplore, EqualStringsAreOneClass) {
  // Fresh strings for each run: a comparison of addresses would find borders everywhere.
  numbers of;
  of.spec.execute([](double) { return std::string("the same everywhere, too long for a small string"); });
  of.spec.seeds("drawn", morph::draw(50, morph::floats(0, 1)));
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_EQ(of.found.error, "");
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.found.classes.size(), 1u);
  EXPECT_EQ(of.found.searches, 0u);
  EXPECT_NE(explore_text(*of.cases, of.how, of.found, 5).find("no border: all outputs are of one class, \"the same"),
            std::string::npos);
}

TEST(SpecExplore, ClassesMayBeToldByAPredicateOrByAKey) {
  for (const bool by_key : {false, true}) {
    exploration_of<double, double> of;
    of.spec.execute([](double x) { return x * x; });
    of.spec.seeds("both", {0.0, 10.0});
    of.spec.datamorph("mid", mean);
    const auto is_large = [](double y) { return y > 4; };
    if (by_key)
      of.spec.same_class(is_large);
    else
      of.spec.same_class([=](double a, double b) { return is_large(a) == is_large(b); });
    of.run();
    ASSERT_EQ(of.found.error, "");
    EXPECT_EQ(of.found.classes.size(), 2u);
    ASSERT_EQ(of.found.borders.size(), 1u);
    EXPECT_NEAR(of.in(of.found.borders[0].a), 2, 1e-5);
  }
}

// ---- strategies

struct place {
  double x, y;
};
enum class part { left, right, top };
/// The plane in three parts, which meet at (0.5, 0.6).
part part_of(const place& p) {
  return p.y > 0.6 ? part::top : p.x < 0.5 ? part::left : part::right;
}
void declare_places(morph::spec<place, part>& s, std::size_t seeds) {
  s.execute(part_of);
  s.seeds("drawn", morph::draw(seeds, morph::made_of<place>(morph::floats(0, 1), morph::floats(0, 1))));
  s.datamorph("mid", [](const place& a, const place& b) { return place{mean(a.x, b.x), mean(a.y, b.y)}; });
  s.datamorph("right", [](place p) { return place{p.x + 0.1, p.y}; });
  s.datamorph("down", [](place p) { return place{p.x, p.y - 0.1}; });
}
using places = exploration_of<place, part>;

TEST(SpecExplore, EachStrategyFindsRealBordersWithoutRepetition) {
  for (const exploration strategy :
       {exploration::random_target, exploration::random_walk, exploration::directed_walk}) {
    SCOPED_TRACE(exploration_name(strategy));
    places of;
    declare_places(of.spec, 60);
    of.how.method = strategy;
    of.how.searches = 120;
    of.run();
    ASSERT_EQ(of.found.error, "");
    EXPECT_EQ(of.found.searches, 120u);
    EXPECT_GT(of.found.borders.size(), 20u);
    for (const border_pair& each : of.found.borders) {
      const place a = of.in(each.a), b = of.in(each.b);
      EXPECT_NE(part_of(a), part_of(b));
      EXPECT_LE(std::abs(a.x - b.x) + std::abs(a.y - b.y), of.found.tolerance);
      for (const border_pair& other : of.found.borders) {
        if (&other == &each || other.class_a != each.class_a || other.class_b != each.class_b) continue;
        const place c = of.in(other.a), d = of.in(other.b);
        EXPECT_GT(std::max(std::abs(a.x - c.x) + std::abs(a.y - c.y), std::abs(b.x - d.x) + std::abs(b.y - d.y)),
                  of.found.tolerance);
      }
    }
    EXPECT_LE(of.found.midpoints_a_border(), 21);
    std::uint64_t ends = 0;
    for (const std::uint64_t each : of.found.ends) ends += each;
    EXPECT_EQ(ends, of.found.searches + of.found.third_classes);
  }
}

TEST(SpecExplore, PairsAreDrawnOnceEachAndOfDifferentClasses) {
  exploration_of<int, int> of;
  of.spec.execute([](int x) { return x / 10; });
  of.spec.seeds("some", {1, 2, 3, 11, 12, 21});
  of.spec.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  of.run();
  // 3 * 2 + 3 * 1 + 2 * 1
  EXPECT_EQ(of.found.searches, 11u);
  std::set<std::set<std::string>> pairs;
  std::istringstream lines(of.log);
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    if (row["event"] == "start") pairs.insert({row["case"].get<std::string>(), row["other"].get<std::string>()});
  }
  EXPECT_EQ(pairs.size(), 11u);
}

TEST(SpecExplore, AThirdClassBetweenTwoIsFollowedOnBothSides) {
  // mid(0, 8) is of class 1.
  exploration_of<double, int> of;
  of.spec.execute([](double x) { return x < 3 ? 0 : x < 6 ? 1 : 2; });
  of.spec.seeds("both", {0.0, 8.0});
  of.spec.datamorph("mid", mean);
  of.run();
  ASSERT_EQ(of.found.borders.size(), 2u);
  EXPECT_EQ(of.found.third_classes, 1u);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> at;
  for (const border_pair& each : of.found.borders) at[{each.class_a, each.class_b}] = of.in(each.a);
  // Classes are numbered as they come: 0, then 2, then 1.
  EXPECT_NEAR((at[{0, 2}]), 3, 1e-5);
  EXPECT_NEAR((at[{1, 2}]), 6, 1e-5);
}

TEST(SpecExplore, ABorderThatIsFoundAgainIsNotReportedAgain) {
  exploration_of<double, bool> of;
  of.spec.execute([](double x) { return x > 0.3; });
  of.spec.seeds("four", {0.0, 0.1, 0.9, 1.0});
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_EQ(of.found.searches, 4u);
  EXPECT_EQ(of.found.borders.size() + of.ended(search_end::known), 4u);
  EXPECT_LT(of.found.borders.size(), 4u);
  for (std::size_t i = 1; i < of.found.borders.size(); ++i)
    EXPECT_GT(std::max(std::abs(of.in(of.found.borders[i].a) - of.in(of.found.borders[0].a)),
                       std::abs(of.in(of.found.borders[i].b) - of.in(of.found.borders[0].b))),
              of.found.tolerance);
}

TEST(SpecExplore, WalksGiveUpAfterTheirSteps) {
  exploration_of<int, bool> of;
  of.spec.execute([](int x) { return x > 6; });
  of.spec.seeds("two", {0, 5});
  of.spec.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  of.spec.datamorph("next", [](int x) { return x + 1; });
  of.how.method = exploration::directed_walk;
  of.how.most_steps = 4;
  of.run();
  EXPECT_EQ(of.found.searches, 2u);
  EXPECT_EQ(of.ended(search_end::same_class), 1u);  // 0 comes to 4
  std::size_t steps = 0;
  for (std::size_t at = of.log.find("{\"search\":1,\"event\":\"step\""); at != of.log.npos;
       at = of.log.find("{\"search\":1,\"event\":\"step\"", at + 1))
    ++steps;
  EXPECT_EQ(steps, 4u);
  ASSERT_EQ(of.found.borders.size(), 1u);
  // 5 has been to 6 and 7, and mid(6, 7) is 6 again.
  EXPECT_EQ(of.found.borders[0].halvings, 0u);
  EXPECT_EQ(of.found.midpoint_runs, 0u);
}

TEST(SpecExplore, StepsThatDoNotApplyOrThrowAreNoSteps) {
  exploration_of<int, bool> of;
  of.spec.execute([](int x) { return x > 6; });
  of.spec.seeds("two", {0, 1});
  of.spec.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  of.spec.datamorph("none", [](int) { return std::optional<int>(); });
  of.spec.datamorph("bad", [](int) -> int { throw std::runtime_error("not today"); });
  of.how.method = exploration::random_walk;
  of.how.searches = 5;
  of.run();
  EXPECT_EQ(of.ended(search_end::no_step), 5u);
  EXPECT_NE(of.found.broken.find("the datamorphism 'bad' threw for "), std::string::npos) << of.found.broken;
  EXPECT_NE(of.found.broken.find("not today"), std::string::npos);
}

// ---- strings and types of one's own

std::string kind_of(const std::string& text) {
  if (text.empty()) return "nothing";
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? (text.size() > 4 ? "long number" : "number") : "word";
}

TEST(SpecExplore, StringsAreHalvedByEdits) {
  exploration_of<std::string, std::string> of;
  of.spec.execute(kind_of);
  of.spec.seeds("words", {"", "7", "12345678", "hello world", "12ab34", "2024"});
  of.spec.datamorph("mid", [](const std::string& a, const std::string& b) { return morph::edit_midpoint(a, b); });
  of.run();
  ASSERT_EQ(of.found.error, "");
  EXPECT_GE(of.found.borders.size(), 8u);
  std::set<std::pair<std::string, std::string>> seen;
  for (const border_pair& each : of.found.borders) {
    const std::string a = of.in(each.a), b = of.in(each.b);
    EXPECT_NE(kind_of(a), kind_of(b));
    EXPECT_EQ(morph::edit_distance(a, b), 1) << a << " | " << b;
    EXPECT_EQ(each.how, search_end::closest);
    EXPECT_TRUE(seen.insert({a, b}).second) << a << " | " << b;
  }
}

TEST(SpecExplore, AMidpointOfEditsIsHalfway) {
  morph::random_source random(5);
  const auto any = morph::strings(12, "ab");
  for (int i = 0; i < 500; ++i) {
    const std::string a = any(random), b = any(random), m = morph::edit_midpoint(a, b);
    const auto apart = static_cast<int>(morph::edit_distance(a, b));
    EXPECT_EQ(morph::edit_distance(a, m), apart / 2) << a << " " << m << " " << b;
    EXPECT_EQ(morph::edit_distance(m, b), apart - apart / 2) << a << " " << m << " " << b;
  }
  EXPECT_EQ(morph::edit_midpoint("", ""), "");
  EXPECT_EQ(morph::edit_midpoint("", "abcd"), "ab");
  EXPECT_EQ(morph::edit_midpoint("same", "same"), "same");
}

/// Not an aggregate, with a text and a distance of its own.
class angle {
 public:
  angle() = default;
  explicit angle(double degrees) : degrees_(std::fmod(degrees + 720, 360)) {}
  double degrees() const { return degrees_; }
  friend double morph_save(const angle& of) { return of.degrees_; }
  friend void morph_load(angle& to, double degrees) { to = angle(degrees); }

 private:
  double degrees_ = 0;
};
/// The way from the first to the second, the shorter one.
double way(const angle& a, const angle& b) {
  const double apart = std::fmod(b.degrees() - a.degrees() + 540, 360) - 180;
  return apart;
}

TEST(SpecExplore, TypesOfOnesOwnHaveTheirOwnDistance) {
  exploration_of<angle, char> of;
  of.spec.execute([](const angle& a) {
    return a.degrees() < 90 ? 'n' : a.degrees() < 180 ? 'e' : a.degrees() < 270 ? 's' : 'w';
  });
  of.spec.seeds("some", std::vector<angle>{angle(10), angle(100), angle(190), angle(350)});
  of.spec.datamorph("mid", [](const angle& a, const angle& b) { return angle(a.degrees() + way(a, b) / 2); });
  of.spec.distance_by([](const angle& a, const angle& b) { return std::abs(way(a, b)); });
  of.run();
  ASSERT_EQ(of.found.error, "");
  ASSERT_GE(of.found.borders.size(), 4u);
  std::set<int> at;
  for (const border_pair& each : of.found.borders) {
    const double middle = angle(of.in(each.a).degrees() + way(of.in(each.a), of.in(each.b)) / 2).degrees();
    EXPECT_LT(std::abs(std::remainder(middle, 90)), 1e-3) << middle;
    at.insert(static_cast<int>(std::lround(middle / 90)) % 4);
  }
  EXPECT_EQ(at.size(), 4u);
}

// ---- the same again

TEST(SpecExplore, EqualSeedsGiveEqualLogsAndOthersGiveOthers) {
  const auto log_of = [](exploration strategy, std::uint64_t seed) {
    places of;
    declare_places(of.spec, 40);
    of.how.method = strategy;
    of.how.seed = seed;
    of.run();
    return of.log + explore_json(*of.cases, of.how, of.found);
  };
  for (const exploration strategy :
       {exploration::random_target, exploration::random_walk, exploration::directed_walk}) {
    EXPECT_EQ(log_of(strategy, 7), log_of(strategy, 7));
    EXPECT_NE(log_of(strategy, 7), log_of(strategy, 8));
  }
}

TEST(SpecExplore, SeveralThreadsFindWhatOneFinds) {
  const auto log_of = [](bool threads, const morph::engine::run_inputs& by) {
    places of;
    declare_places(of.spec, 80);
    if (threads) of.spec.thread_safe();
    of.how.searches = 200;
    options seeds;
    seeds.keep = true;
    of.cases = std::make_unique<session>(of.spec, seeds, nullptr, by);
    of.cases->make_seeds();
    for (morph::case_index c = 0; c < of.cases->cases().size(); ++c) of.how.starts.push_back(c);
    of.found =
        explore(*of.cases, of.how, [&](const explore_row& row) { of.log += explore_line(*of.cases, of.how, row); });
    EXPECT_GT(of.found.borders.size(), 100u);
    return of.log;
  };
  const std::string serial = log_of(false, run_here);
  EXPECT_EQ(log_of(true, run_here), serial);
  EXPECT_EQ(log_of(false, run_isolated), serial);
}

TEST(SpecExplore, ARunThatIsKnownIsNotRunAgain) {
  int runs = 0;
  exploration_of<int, bool> of;
  of.spec.execute([&](int x) { return ++runs, x > 41; });
  of.spec.seeds("many", morph::draw(30, morph::integers(0, 63)));
  of.spec.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  of.how.confirms = false;
  of.run();
  EXPECT_EQ(of.found.searches, 100u);
  EXPECT_EQ(of.found.borders.size(), 1u);
  EXPECT_LE(runs, 64);
  EXPECT_EQ(of.found.start_runs + of.found.midpoint_runs, static_cast<std::uint64_t>(runs));
}

// ---- what keeps a search from a border

struct with_mid : numbers {
  explicit with_mid(std::function<std::optional<double>(double, double)> mid) {
    spec.execute(sign);
    spec.seeds("both", {-3.0, -1.0, 5.0});
    spec.datamorph("mid", [mid](double a, double b) { return mid(a, b); });
  }
};

TEST(SpecExplore, AMidpointThatIsNotThereGivesTheSearchUp) {
  with_mid of([](double a, double b) { return std::abs(a - b) < 1 ? std::nullopt : std::optional(mean(a, b)); });
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.ended(search_end::nothing), 2u);
  EXPECT_NE(
      explore_text(*of.cases, of.how, of.found, 5).find("2 pairs given up: 'mid' does not apply to pairs such as"),
      std::string::npos);
}

TEST(SpecExplore, AMidpointThatThrowsGivesTheSearchUp) {
  with_mid of([](double, double) -> std::optional<double> { throw std::runtime_error("no middle"); });
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.ended(search_end::threw), 2u);
  EXPECT_NE(of.found.broken.find("the datamorphism 'mid' threw for "), std::string::npos);
  EXPECT_NE(of.found.broken.find("no middle"), std::string::npos);
}

TEST(SpecExplore, AMidpointThatGivesOneOfItsEndsAlwaysIsAnError) {
  with_mid of([](double a, double) { return a; });
  of.run();
  EXPECT_NE(of.found.error.find("the datamorphism 'mid' gave one of its two arguments for each of 2 pairs, such as"),
            std::string::npos)
      << of.found.error;
}

TEST(SpecExplore, AMidpointBeyondItsEndsGivesTheSearchUp) {
  with_mid of([](double a, double b) { return a + 3 * (b - a); });
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.ended(search_end::no_progress), 2u);
  EXPECT_EQ(of.found.midpoint_runs, 0u);
}

TEST(SpecExplore, AMidpointThatWorksInOneOrderAloneIsTriedInBoth) {
  with_mid of([](double a, double b) { return a > b ? mean(a, b) : a; });
  of.run();
  ASSERT_FALSE(of.found.borders.empty());
  for (const border_pair& each : of.found.borders) EXPECT_EQ(each.how, search_end::within);
}

TEST(SpecExplore, OfSeveralMidpointsTheMiddleOneIsTaken) {
  numbers of;
  of.spec.execute(sign);
  of.spec.seeds("both", {-3.0, 5.0});
  of.spec.datamorph("mid", [](double a, double b) {
    return std::vector<double>{a, a + (b - a) * 0.9, mean(a, b), a + (b - a) * 0.2};
  });
  of.run();
  ASSERT_EQ(of.found.borders.size(), 1u);
  EXPECT_EQ(of.found.borders[0].halvings, 20u);
}

TEST(SpecExplore, ADistanceThatIsNoNumberIsAnErrorThatNamesBoth) {
  signs of;
  of.spec.distance_by([](double a, double b) { return std::sqrt(a - b) - std::sqrt(b - a); });
  of.run();
  EXPECT_EQ(of.found.error,
            "the distance of -3 and 5 is not a number; bisection needs a finite one from 0 on: mend distance_by(), or "
            "leave such inputs out of the seeds");
  for (const double wrong : {-1.0, std::numeric_limits<double>::infinity()}) {
    signs other;
    other.spec.distance_by([=](double a, double b) { return a == b ? 0 : wrong; });
    other.run();
    EXPECT_NE(other.found.error.find(wrong < 0 ? "is -1; " : "is inf; "), std::string::npos) << other.found.error;
  }
  signs throws;
  throws.spec.distance_by([](double, double) -> double { throw std::runtime_error("too far"); });
  throws.run();
  EXPECT_NE(throws.found.error.find("threw: too far"), std::string::npos);
}

TEST(SpecExplore, ADistanceThatIsZeroEverywhereIsAnError) {
  signs of;
  of.spec.distance_by([](double, double) { return 0.0; });
  of.run();
  EXPECT_NE(of.found.error.find("the distance between all cases is 0"), std::string::npos) << of.found.error;
}

TEST(SpecExplore, ExceptionsAreAClassWhereTheyMayBe) {
  const auto root = [](double x) -> std::string {
    if (x < 0) throw std::domain_error("of " + std::to_string(x));
    return "root";
  };
  for (const bool may_throw : {false, true}) {
    numbers of;
    of.spec.execute(root);
    if (may_throw) of.spec.may_throw();
    of.spec.seeds("some", {-3.0, -2.0, 5.0});
    of.spec.datamorph("mid", mean);
    of.run();
    ASSERT_EQ(of.found.error, "");
    EXPECT_EQ(of.found.borders.empty(), !may_throw);
    EXPECT_EQ(of.found.classes.size(), may_throw ? 2u : 1u);
    EXPECT_EQ(of.found.without_class.size(), may_throw ? 0u : 2u);
    for (const border_pair& each : of.found.borders) EXPECT_NEAR(of.in(each.a), 0, 1e-5);
  }
}

TEST(SpecExplore, ARunWithoutOutputOnTheWayGivesTheSearchUp) {
  numbers of;
  of.spec.execute([](double x) -> std::string { return x == 1 ? throw std::runtime_error("one") : sign(x); });
  of.spec.seeds("both", {-3.0, 5.0});
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.ended(search_end::no_class), 1u);
  ASSERT_EQ(of.found.without_class.size(), 1u);
  EXPECT_EQ(of.in(of.found.without_class[0]), 1);
}

TEST(SpecExplore, AnEndThatIsOfAnotherClassTheNextTimeIsNoBorder) {
  numbers of;
  auto runs = std::make_shared<std::map<double, int>>();
  of.spec.execute([runs](double x) -> std::string { return x > -3 && x < 5 && ++(*runs)[x] > 1 ? "again" : sign(x); });
  of.spec.seeds("both", {-3.0, 5.0});
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_EQ(of.ended(search_end::unsteady), 1u);
  EXPECT_NE(explore_text(*of.cases, of.how, of.found, 5).find("the program depends on more than its input"),
            std::string::npos);
}

TEST(SpecExplore, APredicateThatIsNotTransitiveGivesNoFalseBorder) {
  // 0 is like 1, which is like 2, but 0 is not like 2: where classes meet, their members are alike.
  exploration_of<double, double> of;
  of.spec.execute([](double x) { return x; });
  of.spec.same_class([](double a, double b) { return std::abs(a - b) < 1; });
  of.spec.seeds("both", {0.0, 1.5});
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_TRUE(of.found.borders.empty());
  EXPECT_GT(of.ended(search_end::not_transitive), 0u);
}

TEST(SpecExplore, OutputsOfMoreThanAThousandClassesAreRefused) {
  exploration_of<double, double> of;
  of.spec.execute([](double x) { return x; });
  of.spec.seeds("drawn", morph::draw(1001, morph::floats(0, 1)));
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_NE(of.found.error.find("more than 1000 classes; exploration is for classifiers: say which"), std::string::npos)
      << of.found.error;
}

struct opaque {
  explicit opaque(int value) : value_(value) {}

 private:
  [[maybe_unused]] int value_;
  [[maybe_unused]] std::string more_;
};

TEST(SpecExplore, OutputsThatCannotBeComparedAreRefused) {
  exploration_of<double, opaque> of;
  of.spec.execute([](double) { return opaque(1); });
  of.spec.seeds("both", {0.0, 1.0});
  of.spec.datamorph("mid", mean);
  of.run();
  EXPECT_NE(of.found.error.find("the outputs cannot be compared"), std::string::npos) << of.found.error;
}

// ---- limits

TEST(SpecExplore, TheLimitOfRunsIsKeptAndTold) {
  for (const std::uint64_t most : {1, 7, 30, 100, 333}) {
    std::uint64_t runs = 0;
    places of;
    declare_places(of.spec, 20);
    of.spec.execute("counted", [&](const place& p) { return ++runs, part_of(p); });
    of.how.executer = 1;
    of.how.most_runs = most;
    of.run();
    EXPECT_LE(runs, most);
    EXPECT_EQ(of.found.limit, std::to_string(most) + " runs");
    for (const border_pair& each : of.found.borders) EXPECT_NE(part_of(of.in(each.a)), part_of(of.in(each.b)));
  }
}

TEST(SpecExplore, AChaoticClassifierEndsToo) {
  exploration_of<double, int> of;
  of.spec.execute([](double x) { return static_cast<int>(morph::hash_of(x) % 7); });
  of.spec.seeds("drawn", morph::draw(20, morph::floats(0, 1)));
  of.spec.datamorph("mid", mean);
  of.how.searches = 5;
  of.run();
  ASSERT_EQ(of.found.error, "");
  EXPECT_GT(of.ended(search_end::left_out), 0u);
  EXPECT_LE(of.found.borders.size(), 5u * 65u);
  EXPECT_NE(explore_text(*of.cases, of.how, of.found, 0).find("of third classes, 64 of a search were followed"),
            std::string::npos);
}

// ---- the midpoint and the steps that are meant

TEST(SpecExplore, TheMidpointIsNamedOrTheOnlyOne) {
  morph::spec<double, int> s("s");
  std::size_t found = 99;
  EXPECT_NE(find_midpoint(s, "", found).find("bisection needs a datamorphism of two inputs"), std::string::npos);
  s.datamorph("next", [](double x) { return x + 1; });
  EXPECT_NE(find_midpoint(s, "", found).find("and the spec has none; declare one"), std::string::npos);
  s.datamorph("mid", mean);
  EXPECT_EQ(find_midpoint(s, "", found), "");
  EXPECT_EQ(found, 1u);
  s.datamorph("sum", [](double a, double b) { return a + b; });
  EXPECT_NE(find_midpoint(s, "", found).find("--mid NAME, one of 'mid', 'sum'"), std::string::npos);
  EXPECT_EQ(find_midpoint(s, "mid", found), "");
  EXPECT_EQ(found, 1u);
  EXPECT_EQ(find_midpoint(s, "mad", found), "--mid: the spec has no datamorphism 'mad'; did you mean 'mid'?");
  EXPECT_EQ(find_midpoint(s, "next", found),
            "--mid: the datamorphism 'next' takes 1 input, and bisection needs one of two, such as 'mid', 'sum'");
  const auto other = s.operation("other", [](double) { return 1; });
  s.datamorph("elsewhere", mean).runs(other);
  EXPECT_NE(find_midpoint(s, "elsewhere", found).find("run the operation 'other'"), std::string::npos);
}

TEST(SpecExplore, StepsAreNamedOrAllOfOneInput) {
  morph::spec<double, int> s("s");
  s.datamorph("mid", mean);
  std::vector<std::size_t> found;
  EXPECT_NE(find_steps(s, {}, found).find("a walk needs steps"), std::string::npos);
  s.datamorph("next", [](double x) { return x + 1; });
  s.datamorph("last", [](double x) { return x - 1; });
  EXPECT_EQ(find_steps(s, {}, found), "");
  EXPECT_EQ(found, (std::vector<std::size_t>{1, 2}));
  found.clear();
  EXPECT_EQ(find_steps(s, {"last"}, found), "");
  EXPECT_EQ(found, (std::vector<std::size_t>{2}));
  EXPECT_EQ(find_steps(s, {"mid"}, found), "--step: the datamorphism 'mid' takes 2 inputs, and a step takes one");
  EXPECT_EQ(find_steps(s, {"nest"}, found),
            "--step: the spec has no datamorphism 'nest' of one input; did you mean 'next'?");
}

// ---- pictures

TEST(SpecExplore, PointsAreReadFromArraysAndObjects) {
  double x = 0, y = 0;
  EXPECT_TRUE(read_point("[1.5,-2]", x, y));
  EXPECT_EQ(std::pair(x, y), std::pair(1.5, -2.0));
  EXPECT_TRUE(read_point("{\"lat\":3,\"lon\":4e2}", x, y));
  EXPECT_EQ(std::pair(x, y), std::pair(3.0, 400.0));
  for (const char* const other : {"", "1", "[1]", "[1,2,3]", "[\"a\",2]", "{\"x\":1}", "{\"x\":1,\"y\":2,\"z\":3}",
                                  "[1,2", "[[1,2],3]", "null", "\"text\"", "[1,\"inf\"]"})
    EXPECT_FALSE(read_point(other, x, y)) << other;
}

TEST(SpecExplore, APictureHasEachCaseAndEachBorder) {
  places of;
  declare_places(of.spec, 30);
  of.run();
  std::string error;
  const std::string svg = explore_plot(*of.cases, of.how, of.found, error);
  EXPECT_EQ(error, "");
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != svg.npos; at = svg.find("<circle", at + 1)) ++circles;
  EXPECT_EQ(circles, 30 + of.found.borders.size() + 1 + 3);  // and the legend
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_NE(svg.find(">top</text>"), svg.npos);
  EXPECT_EQ(svg, explore_plot(*of.cases, of.how, of.found, error));
}

// ---- derivations of what many midpoints led to

TEST(SpecExplore, DerivationsOfDeepMidpointsStaySmall) {
  // Both ends move by turns, so that each midpoint is made of two that are nearly as deep.
  exploration_of<double, bool> of;
  of.spec.execute([](double x) { return x < 0.14159265358979312; });
  of.spec.seeds("both", {0.0, 1.0});
  of.spec.datamorph("mid", mean);
  of.how.tolerance = 0;
  of.run();
  ASSERT_EQ(of.found.borders.size(), 1u);
  EXPECT_EQ(of.found.borders[0].how, search_end::closest);
  EXPECT_GT(of.found.borders[0].halvings, 45u);
  const derivation how = of.cases->derivation_of(of.found.borders[0].a);
  std::size_t nodes = 0;
  const std::function<void(const derivation&)> count = [&](const derivation& each) {
    ++nodes;
    for (const derivation& origin : each.from) count(origin);
  };
  count(how);
  EXPECT_GT(nodes, 100u);
  EXPECT_LE(nodes, 2010u);
  const std::string tree = draw_tree(*of.cases, how, 0);
  EXPECT_LT(std::count(tree.begin(), tree.end(), '\n'), 300) << tree;
  EXPECT_NE(tree.find("], as above\n"), std::string::npos);
  // It is the same input again.
  const morph::case_index again = of.cases->rebuild(how, 0);
  ASSERT_NE(again, morph::nowhere);
  EXPECT_EQ(of.cases->cases().input(again), of.cases->cases().input(of.found.borders[0].a));
}

}  // namespace
}  // namespace morph::engine
