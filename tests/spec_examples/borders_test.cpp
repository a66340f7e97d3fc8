// The borders example: each pair that is reported straddles a border that is known exactly.
#include <gtest/gtest.h>

#include <cmath>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string folder = MORPH_EXAMPLES "/borders";

json explore(const std::string& options) {
  const program_end ended = run(folder, std::string(MORPH_EXAMPLE_BORDERS) + " explore --json " + options);
  EXPECT_EQ(ended.status, 0) << ended.text;
  return json::parse(ended.text, nullptr, false);
}

/// How far a point is from the circle around the centre, and from the diagonal.
double from_circle(const json& at) {
  return std::abs(std::hypot(at[0].get<double>() - 0.5, at[1].get<double>() - 0.5) - 0.2);
}
double from_diagonal(const json& at) {
  return std::abs(at[0].get<double>() - at[1].get<double>()) / std::sqrt(2.0);
}

/// By the definition, written another way.
std::string zone_of(const json& at) {
  const double x = at[0], y = at[1];
  if (std::hypot(x - 0.5, y - 0.5) <= 0.2) return "\"centre\"";
  return y > x ? "\"north\"" : "\"south\"";
}

TEST(BordersExample, EachStrategyFindsTheKnownBordersToAMillionthOfTheBox) {
  for (const char* const strategy : {"random-target", "random-walk", "directed-walk"})
    for (const char* const seed : {"1", "2", "3"}) {
      const json report = explore(std::string("--strategy ") + strategy + " --seed " + seed);
      ASSERT_TRUE(report.is_object());
      ASSERT_GE(report["borders"].size(), 20u);
      const double tolerance = report["tolerance"];
      EXPECT_LE(tolerance, 2e-6);  // distances are sums over both coordinates of the unit square
      EXPECT_LE(report["midpoints_a_border"].get<double>(), 21);
      EXPECT_EQ(report["third_classes"].get<std::size_t>() + report["searches"].get<std::size_t>(), [&] {
        std::size_t all = 0;
        for (const json& each : report["ends"]) all += each.get<std::size_t>();
        return all;
      }());
      for (const json& each : report["borders"]) {
        const json &a = each["a"]["in"], &b = each["b"]["in"];
        const std::string in_a = zone_of(a), in_b = zone_of(b);
        EXPECT_NE(in_a, in_b) << each;
        EXPECT_EQ(report["classes"][each["a"]["class"].get<std::size_t>()]["output"], in_a) << each;
        EXPECT_EQ(report["classes"][each["b"]["class"].get<std::size_t>()]["output"], in_b) << each;
        EXPECT_LE(each["width"].get<double>(), tolerance);
        const bool is_of_centre = in_a == "\"centre\"" || in_b == "\"centre\"";
        for (const json& end : {a, b})
          EXPECT_LE(is_of_centre ? from_circle(end) : from_diagonal(end), tolerance) << each;
      }
    }
}

TEST(BordersExample, RandomTargetNeedsAtMostTwentyOneMidpointsAPair) {
  for (int seed = 1; seed <= 10; ++seed) {
    const json report = explore("--pairs 300 --seed " + std::to_string(seed));
    EXPECT_LE(report["midpoints_a_border"].get<double>(), 21);
    for (const json& each : report["borders"]) EXPECT_LE(each["halvings"].get<int>(), 21) << each;
  }
}

TEST(BordersExample, ThePoolKeepsTheBordersAndItsRelationsCanBeChecked) {
  const temporary_file pool;
  (void)explore("--pool " + pool.path());
  const program_end checked = run(folder, std::string(MORPH_EXAMPLE_BORDERS) + " check --pool " + pool.path());
  EXPECT_EQ(checked.status, 0) << checked.text;
  std::size_t midpoints = 0;
  for (const json& each : cases_of(pool.path())) midpoints += each["by"] == "mid" ? 1 : 0;
  EXPECT_GT(midpoints, 1000u);
}

}  // namespace
