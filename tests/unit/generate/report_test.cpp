// What a report says of mutants.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/generate/run.hpp"

namespace morph::generate {
namespace {

report with_a_test() {
  report made;
  made.unit = "geo::shape";
  made.tests.push_back({.name = "Area", .kills = {1, 2}});
  made.verified.is_done = true;
  return made;
}

TEST(GenerateReport, SaysHowManyMutantsTheTestsKill) {
  report of = with_a_test();
  of.mutation = {.is_done = true, .mutants = 40, .reached = 30, .killed = 20, .by_assertions = 15};
  EXPECT_NE(as_text(of).find("\n  the tests kill 20 of 40 mutants of the unit (50.0 %): 15 by assertions alone\n"),
            std::string::npos)
      << as_text(of);
  of.mutation.not_judged = 3;
  EXPECT_NE(as_text(of).find("by assertions alone; 3 were not judged in time\n"), std::string::npos) << as_text(of);
  const auto json = nlohmann::json::parse(as_json(of));
  EXPECT_EQ(json.at("mutation").at("killed"), 20);
  EXPECT_EQ(json.at("tests").at(0).at("kills"), 2);
}

TEST(GenerateReport, SaysWhyNoMutantsWereThere) {
  report of = with_a_test();
  of.mutation.why = "its functions have no place that can be mutated";
  EXPECT_NE(
      as_text(of).find("\n  assertions are not chosen by mutants: its functions have no place that can be mutated\n"),
      std::string::npos)
      << as_text(of);
}

}  // namespace
}  // namespace morph::generate
