// Programs of specs whose morphisms crash, throw or do not end: what is said of them, by each way to run them.
#include <gtest/gtest.h>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string program = MORPH_EXAMPLE_HOSTILE;

program_end hostile(const std::string& options, const std::string& input = "", const std::string& environment = "") {
  return run(".", environment + " '" + program + "' " + options, input);
}
bool has(const program_end& ended, const std::string& part) {
  return ended.text.find(part) != std::string::npos;
}

// ---- typed seeds

TEST(HostileSpecs, TypedSeedsAreThereWhenRunsAreIsolated) {
  for (const std::string how : {"", "--isolation batches"}) {
    const program_end ended = hostile("--quiet --spec typed " + how, "3\\n7\\n");
    EXPECT_EQ(ended.status, 1) << ended.text;
    EXPECT_TRUE(has(ended, "  source  7 -> crashed: signal 6 (Aborted)   (seed \"typed in\")\n")) << ended.text;
  }
}

// ---- datamorphisms that do not come back

constexpr const char* named =
    "error: fatal: the datamorphism 'endless' did not come back: signal 6 (Aborted); a datamorphism has to end for "
    "every "
    "input, and gives std::nullopt where it does not apply\n";

TEST(HostileSpecs, ADatamorphismThatDoesNotComeBackIsNamed) {
  const program_end ended = hostile("--spec fatal");
  EXPECT_EQ(ended.status, 1) << ended.text;
  EXPECT_EQ(ended.text, named);
}

TEST(HostileSpecs, AndInASavedPool) {
  const temporary_file pool;
  ASSERT_EQ(hostile("seed --spec fatal --pool " + pool.path()).status, 0);
  const program_end ended = hostile("mutate --spec fatal --pool " + pool.path());
  EXPECT_EQ(ended.status, 1) << ended.text;
  EXPECT_EQ(ended.text, named);
  EXPECT_EQ(cases_of(pool.path()).size(), 1U) << "the pool is as it was";
}

TEST(HostileSpecs, AndWhereCasesAreListed) {
  const program_end ended = hostile("--list", "3\\n", "MORPH_SPEC_CASES=1");
  EXPECT_EQ(ended.status, 1) << ended.text;
  EXPECT_EQ(ended.text, named);
}

TEST(HostileSpecs, AndWhereACaseIsSought) {
  const program_end ended = hostile("--spec fatal --case 0123456789abcdef");
  EXPECT_EQ(ended.status, 1) << ended.text;
  EXPECT_EQ(ended.text, named);
  EXPECT_EQ(hostile("--spec combined --case 0123456789abcdef").status, 2);
}

TEST(HostileSpecs, ACrashInACheckOfAPoolIsFound) {
  for (const std::string how : {"", "--isolate "}) {
    const temporary_file pool;
    ASSERT_EQ(hostile("seed --spec typed --pool " + pool.path(), "3\\n7\\n").status, 0);
    const program_end ended = hostile("check " + how + "--spec typed --pool " + pool.path());
    EXPECT_EQ(ended.status, 1) << ended.text;
    EXPECT_TRUE(has(ended, "  source  7 -> crashed: signal 6 (Aborted)\n")) << ended.text;
  }
}

// ---- orders of cases

TEST(HostileSpecs, AnOrderThatAStrategyDoesNotHaveIsRefused) {
  const std::string end = ", of which only --order seeds-first is known; leave it out, or say --strategy order\n";
  EXPECT_EQ(hostile("--spec combined --order diverse").text,
            "error: --order diverse: the spec 'combined' is made by the strategy combinatorial" + end);
  const program_end minimal = hostile("--spec throwing --minimal --order random");
  EXPECT_EQ(minimal.text, "error: --order random: the spec 'throwing' is made by the strategy minimal" + end);
  EXPECT_EQ(minimal.status, 2);
  EXPECT_EQ(hostile("--spec combined --order diverse --strategy order").status, 0);
  EXPECT_EQ(hostile("--spec combined --order seeds-first").status, 0);
}

// ---- a limit of time

TEST(HostileSpecs, ALimitOfTimeEndsSeedsToo) {
  const spec_report found = run_spec(".", program, "many", "--max-time 0.000001");
  EXPECT_EQ(found.status, 0) << found.all;
  EXPECT_EQ(found.all["seeds"], 1) << "one is always tried";
  EXPECT_EQ(found.all["left_out"]["applications"], 999);
  EXPECT_EQ(found.all["relations"][0]["pass"], 1) << "what is counted was tried";
  EXPECT_EQ(found.all["types"][0]["cases"], 1);
}

// ---- morphisms that throw

TEST(HostileSpecs, WhatThrewStandsInJson) {
  const spec_report found = run_spec(".", program, "throwing", "--no-shrink");
  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.all["broken"], json::array({"the datamorphism 'half' threw: no half"}));
  EXPECT_EQ(found.all["inapplicable"], 1) << "what threw is told apart from what does not apply";
  ASSERT_EQ(found.all["violations"].size(), 1U);
  EXPECT_EQ(found.all["violations"][0]["why"], "the relation threw: not known");
}

}  // namespace
