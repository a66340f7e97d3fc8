// The intervals example: the set is right, and a neighbour that is not joined is found.
#include <gtest/gtest.h>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string folder = MORPH_EXAMPLES "/intervals";

TEST(IntervalsExample, TheAlgebraOfSetsHolds) {
  for (const char* const seed : {"1", "2", "3"}) {
    const spec_report report =
        run_spec(folder, MORPH_EXAMPLE_INTERVALS, "sets_of_intervals", std::string("--seed ") + seed);
    EXPECT_EQ(report.status, 0) << report.all["violations"];
    EXPECT_TRUE(report.failing().empty()) << report.all["violations"];
    EXPECT_TRUE(report.idle().empty()) << report.all["relations"];
  }
}

TEST(IntervalsExample, NeighboursThatAreNotJoinedAreFoundAndShownSmall) {
  const spec_report report = run_spec(folder, MORPH_EXAMPLE_INTERVALS_WRONG, "sets_of_intervals", "");
  EXPECT_EQ(report.status, 1);
  const std::string broken = "parts ascend and do not touch";
  EXPECT_EQ(report.failing().count(broken), 1u) << report.all["relations"];
  for (const json& violation : report.all["violations"]) {
    if (violation["relation"] != broken) continue;
    const json& in = violation["derivation"]["in"];
    EXPECT_LE(in[0].size() + in[1].size(), 2u) << violation;
    return;
  }
  FAIL() << "no violation of it is shown";
}

}  // namespace
