// The trigonometry example: what one absolute bound finds, and that all identities hold away from the poles.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string folder = MORPH_EXAMPLES "/trigonometry";

spec_report run_it(const std::string& spec, const std::string& options) {
  return run_spec(folder, MORPH_EXAMPLE_TRIGONOMETRY, spec, options);
}

bool is_identity(const json& relation) {
  const std::string name = relation["name"];
  return name.rfind("sin(", 0) == 0 || name.rfind("cos(", 0) == 0 || name.rfind("tan(", 0) == 0;
}

/// Of the checks of identities, how many fail.
double error_rate(const spec_report& report) {
  double failed = 0, checked = 0;
  for (const json& each : report.all["relations"]) {
    if (!is_identity(each)) continue;
    failed += each["fail"].get<double>();
    checked += each["fail"].get<double>() + each["pass"].get<double>();
  }
  return failed / checked;
}

void expect_only_tan_fails(const spec_report& report) {
  for (const auto& [name, count] : report.failing())
    EXPECT_TRUE(name.rfind("tan(", 0) == 0 || name == "expected output") << name << " " << count;
}

TEST(TrigonometryExample, HasTenDatamorphismsAndThirtyIdentities) {
  const spec_report report = run_it("as_the_paper", "--seeds random");
  EXPECT_EQ(report.all["types"].size(), 2u + 10u);
  int identities = 0;
  for (const json& each : report.all["relations"]) identities += is_identity(each) ? 1 : 0;
  EXPECT_EQ(identities, 30);
  EXPECT_TRUE(report.all["seeds"] == 20 && report.all["mutants"] == 8 * 20 + 2 * 20 * 19) << report.all;
}

TEST(TrigonometryExample, StageOneFindsThatTanIsNotInfiniteAtItsPoles) {
  const spec_report report =
      run_it("as_the_paper", "--seeds 'special values' --strategy seeds --violations 9 --no-shrink");
  EXPECT_EQ(report.status, 1);
  EXPECT_EQ(report.number("expected output", "pass"), 15u);
  ASSERT_EQ(report.all["violations"].size(), 2u);
  const double pi = std::acos(-1.0);
  EXPECT_DOUBLE_EQ(report.all["violations"][0]["derivation"]["in"].get<double>(), pi / 2);
  EXPECT_DOUBLE_EQ(report.all["violations"][1]["derivation"]["in"].get<double>(), 3 * pi / 2);
  EXPECT_EQ(
      run_it("away_from_the_poles", "--seeds 'special values' --strategy seeds").number("expected output", "pass"),
      15u);
}

TEST(TrigonometryExample, SpecialValuesReachThePolesByDatamorphismsToo) {
  const spec_report report = run_it("as_the_paper", "--seeds 'special values'");
  expect_only_tan_fails(report);
  // pi/2 + x for x in 0, pi and 2 pi.
  EXPECT_EQ(report.number("tan(pi/2 + x)", "fail"), 3u);
  EXPECT_EQ(report.number("tan(pi/2 - x)", "fail"), 3u);
}

TEST(TrigonometryExample, StageTwoFindsThatTanIsLessAccurateThanTheBound) {
  const spec_report report = run_it("as_the_paper", "--seeds random");
  EXPECT_EQ(report.status, 1);
  expect_only_tan_fails(report);
  EXPECT_GE(report.number("tan(x + y)", "fail") + report.number("tan(x - y)", "fail"), 1u);
  // 6 of 2,760 with glibc 2.36; another one may differ in the last bits.
  EXPECT_NEAR(error_rate(report), 0.0022, 0.0015);
}

TEST(TrigonometryExample, AllHoldsAwayFromThePoles) {
  for (const char* const seed : {"1", "2", "3"}) {
    const spec_report report = run_it("away_from_the_poles", std::string("--seed ") + seed);
    EXPECT_EQ(report.status, 0) << seed;
    EXPECT_EQ(error_rate(report), 0) << report.all;
    EXPECT_TRUE(report.idle().empty()) << report.all;
    // The guard leaves out few of the checks.
    EXPECT_GT(report.number("tan(x + y)", "pass"), 20 * report.number("tan(x + y)", "not_applicable"));
  }
}

TEST(TrigonometryExample, TakesSixtyLines) {
  EXPECT_LE(lines_of_spec(folder + "/trigonometry.spec.cpp", "struct Trig"), 60u);
  EXPECT_GE(lines_of_spec(folder + "/trigonometry.spec.cpp", "struct Trig"), 30u);
}

}  // namespace
