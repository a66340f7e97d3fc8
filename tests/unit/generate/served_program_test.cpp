// A program of calls: what its sequences do, and what they cannot do.
#include "plugin/generate/served_program.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "plugin/system/process.hpp"
#include "program/calls.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::generate {
namespace {

class ServedProgram : public ::testing::Test {
 protected:
  ServedProgram() {
    auto started = served_program::start(MORPH_GENERATE_CALLS, folder_.path());
    if (started)
      program_.emplace(std::move(*started));
    else
      ADD_FAILURE() << started.error();
  }

  argument number(std::int64_t of) { return {morph_argument_literal, literals_.add({.kind = 'i', .number = of})}; }
  argument text(std::string of) {
    return {morph_argument_literal, literals_.add({.kind = 's', .text = std::move(of)})};
  }
  static argument value(std::uint32_t call) { return {morph_argument_value, call}; }
  static constexpr argument none{morph_argument_nothing, 0};

  std::vector<outcome> run(const std::vector<sequence>& all, std::uint32_t flags = morph_run_observes) {
    auto made = program_->run(all, literals_, flags);
    EXPECT_TRUE(made.has_value());
    return made ? std::move(*made) : std::vector<outcome>(all.size());
  }
  outcome run_one(const sequence& one) { return run({one}).at(0); }
  /// What the only call of a sequence gave.
  std::string seen(const call& one) {
    const outcome made = run_one({one});
    return made.observed.empty() ? "nothing" : made.observed[0].text;
  }

  test_support::temporary_folder folder_;
  literal_table literals_;
  std::optional<served_program> program_;
};

TEST_F(ServedProgram, ExecutesCallsInTheirOrder) {
  const outcome made = run_one({{make_box, {number(1)}}, {put, {value(0), number(42)}}, {get, {value(0)}}});
  EXPECT_EQ(made.how, morph_outcome_passed);
  EXPECT_EQ(made.call, 3U);
  EXPECT_EQ(made.observed, (std::vector<observation>{{2, 0, "i42"}}));
}

TEST_F(ServedProgram, ObservesOnlyIfItShall) {
  const sequence one{{make_box, {number(1)}}, {get, {value(0)}}};
  EXPECT_TRUE(run({one}, 0).at(0).observed.empty());
  EXPECT_EQ(run({one}).at(0).observed.size(), 1U);
}

TEST_F(ServedProgram, ObservesResultsAndParameters) {
  const outcome made = run_one({{name, {text(std::string("a\0b", 3)), none}}});
  EXPECT_EQ(made.observed, (std::vector<observation>{{0, 0, std::string("sa\0b!", 5)}, {0, 2, "i3"}}));
}

TEST_F(ServedProgram, ObservesPointers) {
  EXPECT_EQ(seen({give_null, {}}), "n");
  const outcome made = run_one({{make_box, {number(1)}}, {self, {value(0)}}, {self, {value(0)}}});
  std::vector<std::string> texts;
  for (const observation& each : made.observed) texts.push_back(each.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"p", "k1", "p"}));
}

TEST_F(ServedProgram, FillsListsWithLiterals) {
  const std::uint32_t two = number(2).number, list = literals_.add({.kind = 'l', .elements = {two, two, two}});
  EXPECT_EQ(seen({sum, {{morph_argument_literal, list}}}), "i6");
}

TEST_F(ServedProgram, SaysWhatACallThrew) {
  const outcome made = run_one({{make_box, {number(1)}}, {put, {value(0), number(-1)}}, {get, {value(0)}}});
  EXPECT_EQ(made.how, morph_outcome_threw);
  EXPECT_EQ(made.call, 1U);
  EXPECT_EQ(made.exception, "(anonymous namespace)::too_small");
  EXPECT_TRUE(made.observed.empty());
}

TEST_F(ServedProgram, SaysThatACallLacksItsObject) {
  const outcome made = run_one({{give_null, {}}, {get, {value(0)}}});
  EXPECT_EQ(made.how, morph_outcome_no_value);
  EXPECT_EQ(made.call, 1U);
}

TEST_F(ServedProgram, LeavesOutACallThatLacksItsObjectIfItMay) {
  const sequence one{{give_null, {}}, {get, {value(0)}}, {make_box, {number(7)}}, {get, {value(2)}}};
  const outcome made = run({one}, morph_run_leaves_out | morph_run_observes).at(0);
  EXPECT_EQ(made.how, morph_outcome_passed);
  EXPECT_EQ(made.call, 4U);
  EXPECT_EQ(made.left_out, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(made.observed.back().text, "i7");
}

TEST_F(ServedProgram, LeavesOutWhatNeedsACallThatItLeftOut) {
  const sequence one{{give_null, {}}, {self, {value(0)}}, {is_there, {value(1)}}, {make_box, {number(7)}}};
  EXPECT_EQ(run({one}, morph_run_leaves_out).at(0).left_out, (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(ServedProgram, SaysOfEachSequenceWhatItLeftOutThoughOneCrashed) {
  const sequence lacking{{give_null, {}}, {get, {value(0)}}, {dereference, {}}};
  const auto made = run({lacking, {{dereference, {}}}}, morph_run_leaves_out);
  EXPECT_EQ(made[0].how, morph_outcome_crashed);
  EXPECT_EQ(made[0].call, 2U);
  EXPECT_EQ(made[0].left_out, (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(made[1].left_out.empty());
}

TEST(LeaveOut, NumbersCallsAnew) {
  const argument none{morph_argument_nothing, 0};
  sequence calls{{0, {}}, {1, {none}}, {2, {}}, {3, {{morph_argument_value, 2}}}};
  outcome did{.how = morph_outcome_threw, .call = 3, .left_out = {1}};
  leave_out(calls, did);
  EXPECT_EQ(calls, (sequence{{0, {}}, {2, {}}, {3, {{morph_argument_value, 1}}}}));
  EXPECT_EQ(did.call, 2U);
}

TEST(LeaveOut, SaysThatASequenceOfWhichNothingIsLeftLacksAValue) {
  sequence calls{{0, {}}};
  outcome did{.call = 1, .left_out = {0}};
  leave_out(calls, did);
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(did.how, morph_outcome_no_value);
}

TEST_F(ServedProgram, SaysThatALiteralIsUnknown) {
  EXPECT_EQ(run_one({{sum, {{morph_argument_literal, 999}}}}).how, morph_outcome_no_value);
}

TEST_F(ServedProgram, SaysWhichCallCrashed) {
  const outcome made = run_one({{make_box, {number(1)}}, {dereference, {}}, {get, {value(0)}}});
  EXPECT_EQ(made.how, morph_outcome_crashed);
  EXPECT_EQ(made.code, SIGSEGV);
  EXPECT_EQ(made.call, 1U);
}

TEST_F(ServedProgram, SaysThatACallAborted) {
  EXPECT_EQ(run_one({{abort_it, {}}}).how, morph_outcome_crashed);
  EXPECT_EQ(run_one({{abort_it, {}}}).code, SIGABRT);
}

TEST_F(ServedProgram, SaysThatACallOverflowedTheStack) {
  EXPECT_EQ(run_one({{overflow, {}}}).how, morph_outcome_crashed);
}

TEST_F(ServedProgram, SaysThatACallEndedTheProgram) {
  EXPECT_EQ(run_one({{exit_with, {number(7)}}}).how, morph_outcome_ended);
  EXPECT_EQ(run_one({{exit_with, {number(7)}}}).code, 7);
  EXPECT_EQ(run_one({{exit_with, {number(0)}}}).how, morph_outcome_ended);
}

TEST_F(ServedProgram, SaysThatACallHangs) {
  const outcome made = run_one({{make_box, {number(1)}}, {loop, {}}});
  EXPECT_EQ(made.how, morph_outcome_hung);
  EXPECT_EQ(made.call, 1U);
}

TEST_F(ServedProgram, WaitsForSlowCallsIfItShallBePatient) {
  const sequence slow{{work, {number(400)}}};
  EXPECT_EQ(run({slow}, 0).at(0).how, morph_outcome_hung);
  EXPECT_EQ(run({slow}, morph_run_is_patient).at(0).how, morph_outcome_passed);
}

TEST_F(ServedProgram, WaitsForCallsThatWorkSlowly) {
  sequence slow(4, {work, {number(30)}});
  for (std::size_t at = 1; at < slow.size(); at += 2)
    slow.insert(slow.begin() + static_cast<std::ptrdiff_t>(at), {wait_for_it, {number(900)}});
  EXPECT_EQ(run({slow}, 0).at(0).how, morph_outcome_passed);
  EXPECT_EQ(run({{{wait_for_it, {number(10000)}}}}, 0).at(0).how, morph_outcome_hung);
}

TEST_F(ServedProgram, GoesOnBehindWhatEndedItsProcess) {
  const sequence good{{make_box, {number(5)}}, {get, {value(0)}}};
  const auto made = run({good, {{dereference, {}}}, good, {{exit_with, {number(0)}}}, {{abort_it, {}}}, good});
  std::string all;
  for (const outcome& each : made)
    all += std::to_string(static_cast<int>(each.how)) + (each.observed.empty() ? "" : each.observed[0].text) + " ";
  EXPECT_EQ(all, "0i5 3 0i5 5 3 0i5 ");
}

TEST_F(ServedProgram, ExecutesMoreSequencesThanOneProcessDoes) {
  const std::vector<sequence> all(200, {{make_box, {number(5)}}, {get, {value(0)}}});
  for (const outcome& each : run(all)) EXPECT_EQ(each.observed.at(0).text, "i5");
}

TEST_F(ServedProgram, ExecutesEachSequenceAloneIfItShall) {
  const std::vector<sequence> all(5, {{make_box, {number(5)}}, {get, {value(0)}}});
  for (const outcome& each : run(all, morph_run_alone | morph_run_observes)) EXPECT_EQ(each.observed.at(0).text, "i5");
}

TEST_F(ServedProgram, ExecutesNoSequences) {
  EXPECT_TRUE(run({}).empty());
  EXPECT_EQ(run_one({}).how, morph_outcome_passed);
}

TEST_F(ServedProgram, TellsGoalsAndDistances) {
  const outcome made = run_one({{compare, {number(4701)}}});
  EXPECT_EQ(made.goals, (std::vector<std::pair<std::uint32_t, float>>{{0, 0.0F}, {1, 10.0F / 11}}));
}

TEST_F(ServedProgram, ForgetsGoalsOfEarlierSequences) {
  const auto made = run({{{compare, {number(4711)}}}, {{compare, {number(4701)}}}, {{make_box, {number(1)}}}});
  EXPECT_EQ(made[1].goals, (std::vector<std::pair<std::uint32_t, float>>{{0, 0.0F}, {1, 10.0F / 11}}));
  EXPECT_TRUE(made[2].goals.empty());
}

TEST_F(ServedProgram, TellsGoalsOfASequenceThatCrashed) {
  const auto made = run({{{compare, {number(4711)}}, {dereference, {}}}, {{make_box, {number(1)}}}});
  ASSERT_EQ(made[0].goals.size(), 2U);
  EXPECT_EQ(made[0].goals[0], (std::pair<std::uint32_t, float>(1, 0)));
  EXPECT_TRUE(made[1].goals.empty());
}

TEST_F(ServedProgram, TellsOperandsOfComparisonsButSmallOnes) {
  std::vector<std::int64_t> numbers;
  for (const literal& each : run_one({{compare, {number(2)}}, {compare, {number(4701)}}}).operands)
    numbers.push_back(each.number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{4711, 4701}));
}

TEST_F(ServedProgram, TellsTextsThatAreCompared) {
  const outcome made = run_one({{compare_text, {text("secrets")}}});
  ASSERT_EQ(made.operands.size(), 2U);
  EXPECT_EQ(made.operands[1].text, "secret");
  EXPECT_EQ(made.goals.at(1), (std::pair<std::uint32_t, float>(3, 0.5F)));
}

TEST_F(ServedProgram, TakesLiteralsThatAreNewLater) {
  EXPECT_EQ(run_one({{make_box, {number(1)}}, {get, {value(0)}}}).observed.at(0).text, "i1");
  EXPECT_EQ(run_one({{make_box, {number(77)}}, {get, {value(0)}}}).observed.at(0).text, "i77");
}

TEST_F(ServedProgram, WritesNoFile) {
  EXPECT_EQ(seen({write_file, {text("made.txt")}}), "b0");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made.txt"));
}

TEST_F(ServedProgram, OpensNoSocket) {
  EXPECT_EQ(seen({open_socket, {}}), "b0");
}

TEST_F(ServedProgram, StartsNoProcess) {
  EXPECT_EQ(seen({fork_once, {}}), "b0");
  EXPECT_EQ(seen({start_program, {}}), "b0");
}

TEST_F(ServedProgram, KillsNoOtherProcess) {
  EXPECT_EQ(seen({kill_parent, {}}), "b0");
  EXPECT_EQ(run_one({}).how, morph_outcome_passed);
}

TEST_F(ServedProgram, UsesTimeOfTheProcessor) {
  run_one({{loop, {}}});
  EXPECT_GT(program_->cpu_seconds(), 0);
}

TEST(ServedProgramThatHasGone, IsAnError) {
  const test_support::temporary_folder folder;
  for (const char* const program : {"/bin/true", "/nowhere/at/all"}) {
    auto started = served_program::start(program, folder.path());
    ASSERT_TRUE(started.has_value());
    const auto made = started->run(std::vector<sequence>{{}}, {}, 0);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error(), "the program of generated calls has ended by itself");
  }
}

TEST(ServedProgramThatHasGone, IsAnErrorWhileItRuns) {
  const test_support::temporary_folder folder;
  // Ends when it is asked for the first time.
  folder.write("program", "#!/bin/sh\nhead -c 1 <&$1 >/dev/null\nkill -9 $$\n");
  std::filesystem::permissions(folder / "program", std::filesystem::perms::owner_all);
  auto started = served_program::start(folder / "program", folder.path());
  ASSERT_TRUE(started.has_value());
  EXPECT_FALSE(started->run(std::vector<sequence>{{}}, {}, 0).has_value());
}

TEST_F(ServedProgram, GoesOnBehindASequenceThatNoSignalReaches) {
  const std::vector<outcome> made = run({{{deaf, {}}}, {{name, {text("a"), none}}}});
  EXPECT_EQ(made[0].how, morph_outcome_hung);
  EXPECT_EQ(made[1].how, morph_outcome_passed);
}

TEST_F(ServedProgram, HasNothingOpenThatSequencesCouldWriteTo) {
  EXPECT_EQ(seen({babble, {}}), "i0");
}

TEST_F(ServedProgram, RefusesToCloseItsOutput) {
  const outcome made = run_one({{close_output, {}}});
  EXPECT_EQ(made.how, morph_outcome_refused);
  EXPECT_EQ(made.observed.at(0).text, "b0");
}

TEST_F(ServedProgram, TellsWhenSequencesOfOneProcessDisturbEachOther) {
  const sequence one{{count_up, {}}};
  std::vector<std::string> together, apart;
  for (const outcome& each : run({one, one})) together.push_back(each.observed.at(0).text);
  for (const outcome& each : run({one, one}, morph_run_observes | morph_run_alone))
    apart.push_back(each.observed.at(0).text);
  EXPECT_EQ(together, (std::vector<std::string>{"i2", "i3"}));
  EXPECT_EQ(apart, (std::vector<std::string>{"i2", "i2"}));
}

TEST_F(ServedProgram, PutsBackWhatSequencesLeaveInGlobals) {
  const sequence one{{count_up, {}}};
  for (const outcome& each : run({one, one, one}, 0)) EXPECT_EQ(each.goals, (run({one}, 0).at(0).goals));
  const outcome twice = run({one, {{count_up, {}}, {count_up, {}}}, one}, 0).at(1);
  EXPECT_NE(std::ranges::find(twice.goals, std::pair<std::uint32_t, float>(1, 0)), twice.goals.end());
}

TEST_F(ServedProgram, PutsBackMemoryThatAFirstUseHasGot) {
  // The heap has grown by then.
  const sequence counts{{count_up, {}}}, grows{{grow_heap, {}}};
  const auto all = run({grows, counts, grows, counts, counts}, 0);
  for (const outcome& each : all) EXPECT_EQ(each.how, morph_outcome_passed);
  EXPECT_EQ(all.at(1).goals, all.at(4).goals);
}

TEST_F(ServedProgram, LeavesVariablesThatAreUsedForTheFirstTime) {
  const sequence one{{use_variable, {}}};
  const auto all = run({one, one}, 0);
  EXPECT_NE(all.at(0).goals, all.at(1).goals);
}

TEST_F(ServedProgram, RunsMutants) {
  const sequence ten{{larger, {number(10)}}}, nine{{larger, {number(9)}}};
  const mutant_switch not_less{1, 0, 1, 100}, less{1, 0, 2, 100}, crash{2, 0, 1, 100}, endless{3, 0, 1, 100};
  const std::vector<mutated_run> all{{&ten, not_less}, {&ten, less},     {&nine, not_less}, {&nine, less},
                                     {&ten, crash},    {&nine, endless}, {&ten, {}}};
  for (const std::uint32_t flags :
       {std::uint32_t{morph_run_observes}, std::uint32_t{morph_run_observes | morph_run_alone}}) {
    const auto made = program_->run_mutants(all, literals_, flags);
    ASSERT_TRUE(made.has_value());
    std::string texts;
    for (const outcome& each : *made) texts += (each.observed.empty() ? "-" : each.observed[0].text) + " ";
    EXPECT_EQ(texts, "b1 b0 b0 b1 - - b0 ");
    EXPECT_EQ((*made)[4].how, morph_outcome_crashed);
    EXPECT_EQ((*made)[5].how, morph_outcome_ended);
    EXPECT_EQ((*made)[5].code, morph_status_of_endless);
  }
}

TEST_F(ServedProgram, RecordsNodesAndWhichMutantsDiffer) {
  const sequence twice{{larger, {number(10)}}, {larger, {number(9)}}}, other{{make_box, {number(1)}}};
  const std::vector<mutated_run> all{{&twice, {}}, {&other, {}}, {&twice, {1, 0, 1, 100}}};
  const auto made = program_->run_mutants(all, literals_, morph_run_observes);
  ASSERT_TRUE(made.has_value());
  const auto known = [](std::uint32_t differing) { return differing & 7U; };
  ASSERT_EQ((*made)[0].nodes.size(), 3U);
  EXPECT_EQ((*made)[0].nodes[2].node, 1U);
  EXPECT_EQ((*made)[0].nodes[2].evaluations, 2U);
  // `>=` differs for 10, `<` for 9; the third bit is of none that was compared.
  EXPECT_EQ(known((*made)[0].nodes[2].differing), 7U);
  EXPECT_EQ((*made)[0].nodes[0], (node_seen{2, ~0U, 2}));
  EXPECT_TRUE((*made)[1].nodes.empty());
  EXPECT_TRUE((*made)[2].nodes.empty());
}

TEST_F(ServedProgram, SaysThatAMutantHasNoOtherValue) {
  const sequence nine{{larger, {number(8)}}};
  const auto made = program_->run_mutants(std::vector<mutated_run>{{&nine, {}}}, literals_, 0);
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ((*made)[0].nodes.size(), 3U);
  EXPECT_EQ((*made)[0].nodes[2].differing & 3U, 2U);
}

TEST_F(ServedProgram, IsOnAnotherDayInEachRunThatIsObserved) {
  std::set<std::string> days;
  for (const outcome& each : run(std::vector<sequence>(5, {{today, {}}}), morph_run_observes | morph_run_alone)) {
    ASSERT_EQ(each.observed.size(), 2U);
    EXPECT_EQ(each.observed[0].text, each.observed[1].text);
    days.insert(each.observed[0].text);
  }
  EXPECT_EQ(days.size(), 5U);
}

TEST(OtherTime, IsTheDayOfAProgramThatKnowsNothing) {
  const auto year = [](const char* seconds) {
    system::command c{.arguments = {"date", "-u", "+%Y"}};
    c.environment = {{"LD_PRELOAD", MORPH_OTHER_TIME_LIBRARY}, {"MORPH_OTHER_TIME", seconds}};
    c.capture_at_end = true;
    return std::atoi(system::run(c).out.c_str());
  };
  EXPECT_GE(year("63158400"), year("0") + 2);  // 731 days
}

TEST_F(ServedProgram, GivesBuffersThatAreEmpty) {
  EXPECT_EQ(seen({fill, {}}), "b1");
}

}  // namespace
}  // namespace morph::generate
