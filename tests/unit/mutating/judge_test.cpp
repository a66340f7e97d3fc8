// Verdicts of several programs on one mutant, and what was known of all.
#include "plugin/mutating/judge.hpp"

#include <gtest/gtest.h>

#include "plugin/mutating/compare.hpp"
#include "plugin/mutating/kills.hpp"

namespace morph::mutating {
namespace {

using mutation::mutant_state;

mutation::program_verdict verdict_of(mutant_state state, std::vector<std::uint32_t> killers = {}) {
  mutation::program_verdict made;
  made.state = state;
  made.killers = std::move(killers);
  made.covering = 2;
  made.cpu_us = 5;
  return made;
}

TEST(Verdicts, OfProgramsAreTheWorst) {
  mutation::mutant_verdict of;
  take_verdict(of, verdict_of(mutant_state::survived), 0);
  EXPECT_EQ(of.state, mutant_state::survived);
  take_verdict(of, verdict_of(mutant_state::not_covered), 3);
  EXPECT_EQ(of.state, mutant_state::survived);
  take_verdict(of, verdict_of(mutant_state::not_judged), 3);
  EXPECT_EQ(of.state, mutant_state::not_judged);
  take_verdict(of, verdict_of(mutant_state::timed_out, {1}), 3);
  EXPECT_EQ(of.state, mutant_state::timed_out);
  take_verdict(of, verdict_of(mutant_state::killed, {0, 2}), 5);
  EXPECT_EQ(of.state, mutant_state::timed_out);  // the first kill says how
  EXPECT_EQ(of.killers, (std::vector<std::uint32_t>{4, 5, 7}));
  EXPECT_EQ(of.covering, 10U);
  EXPECT_EQ(of.cpu_us, 25);
}

/// Two programs with a test each, and two mutants.
class Recalled : public testing::Test {
 protected:
  Recalled() {
    build::suite suite;
    suite.name = "s";
    suite.framework = "gtest";
    suite.programs = {{"one", {}}, {"two", {}}};
    twin_.suites = {suite};
    for (const char* program : {"s/one", "s/two"}) {
      program_memory& memory = memory_.programs[program];
      memory.begin_run("");
      memory.set_tests({{"T", "content", ""}});
    }
    listed_ = {{"m", "n"}, {"m h", "n h"}, {true, true}};
    report_.mutants = {{0, 0, 0}, {0, 0, 1}};
    report_.sources.files = {{"a.cpp", "", {}}};
  }

  bool recall() {
    return recall_all(setting_of(tree_, asked_, nobody_), judging_programs_of(twin_), listed_, memory_, report_);
  }

  build::build_tree tree_, twin_;
  request asked_;
  system::observer nobody_;
  listed_mutants listed_;
  verdict_memory memory_;
  mutation_report report_;
};

TEST_F(Recalled, VerdictsHaveTheTestsOfAllPrograms) {
  memory_.programs["s/one"].remember("m h", verdict_of(mutant_state::survived));
  memory_.programs["s/two"].remember("m h", verdict_of(mutant_state::killed, {0}));
  memory_.programs["s/one"].remember("n h", verdict_of(mutant_state::survived));
  memory_.programs["s/two"].remember("n h", verdict_of(mutant_state::not_covered));
  ASSERT_TRUE(recall());
  ASSERT_EQ(report_.tests.size(), 2U);
  EXPECT_EQ(report_.tests[1].program, "s/two");
  EXPECT_EQ(report_.mutants[0].verdict.state, mutant_state::killed);
  EXPECT_EQ(report_.mutants[0].verdict.killers, std::vector<std::uint32_t>{1});
  EXPECT_EQ(survivors_of(report_), std::vector<std::size_t>{1});
  const auto kills = known_kills(report_, listed_.names);
  ASSERT_EQ(kills.size(), 1U);
  EXPECT_EQ(kills[0].file, "a.cpp");
  EXPECT_EQ(kills[0].mutant, "m");
  EXPECT_EQ(kills[0].program, "s/two");
  EXPECT_EQ(kills[0].test, "T");
}

TEST_F(Recalled, KillsOfOneProgramDecide) {
  memory_.programs["s/one"].remember("m h", verdict_of(mutant_state::killed, {0}));
  memory_.programs["s/one"].remember("n h", verdict_of(mutant_state::crashed, {0}));
  EXPECT_TRUE(recall());
}

TEST_F(Recalled, KillsOfOneProgramAreNotAllKillers) {
  memory_.programs["s/one"].remember("m h", verdict_of(mutant_state::killed, {0}));
  memory_.programs["s/one"].remember("n h", verdict_of(mutant_state::killed, {0}));
  asked_.all_killers = true;
  EXPECT_FALSE(recall());
}

TEST_F(Recalled, MutantsThatAreNewHaveToBeJudged) {
  memory_.programs["s/one"].remember("m h", verdict_of(mutant_state::killed, {0}));
  EXPECT_FALSE(recall());
}

TEST_F(Recalled, ProgramsThatAreNewHaveToJudge) {
  memory_.programs.erase("s/two");
  memory_.programs["s/one"].remember("m h", verdict_of(mutant_state::killed, {0}));
  memory_.programs["s/one"].remember("n h", verdict_of(mutant_state::killed, {0}));
  EXPECT_FALSE(recall());
}

}  // namespace
}  // namespace morph::mutating
