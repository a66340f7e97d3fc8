// Findings of a real program of calls.
#include "plugin/generate/findings.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <optional>

#include "handmade.hpp"
#include "program/calls.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::generate {
namespace {

using namespace handmade;

/// The callables of the program, of which findings need no more than whose they are.
class Findings : public ::testing::Test {
 protected:
  Findings() {
    in_.classes = {{.name = "box", .bases = {0}}};
    in_.callables.assign(box_callables, method(0, "call", {}));
    for (modelled_callable& each : in_.callables) each.has_receiver = false;
    as_.bases = {{0}};
    const slot box{.from = slot::source::value, .type = 0};
    as_.callables.assign(box_callables, {.is_of_unit = true});
    as_.callables[give_null].gives = produced{0};
    as_.callables[make_box].slots = as_.callables[work].slots =
        as_.callables[wait_for_it].slots = {{.from = slot::source::literal}};
    as_.callables[is_there].slots = {box};
    auto started = served_program::start(MORPH_GENERATE_CALLS, folder_.path());
    if (started)
      program_.emplace(std::move(*started));
    else
      ADD_FAILURE() << started.error();
  }

  argument number(std::int64_t of) { return {morph_argument_literal, literals_.add({.kind = 'i', .number = of})}; }
  static argument value(std::uint32_t call) { return {morph_argument_value, call}; }

  std::vector<explained_finding> shortest(const sequence& calls, morph_outcome how, std::int32_t code) {
    const evaluator alone = [&](const std::vector<sequence>& all) {
      return program_->run(all, literals_, morph_run_alone);
    };
    const auto last = static_cast<std::uint32_t>(calls.size() - 1);
    auto made = shortest_findings({{calls, {.how = how, .code = code, .call = last}}},
                                  {in_, as_, literals_, *program_, alone}, told_);
    EXPECT_TRUE(made.has_value());
    return made ? std::move(*made) : std::vector<explained_finding>();
  }

  test_support::temporary_folder folder_;
  model in_;
  api as_;
  literal_table literals_;
  std::optional<served_program> program_;
  system::observer told_;
};

TEST_F(Findings, AreTheShortestSequences) {
  const auto made = shortest({{make_box, {number(1)}}, {dereference, {}}}, morph_outcome_crashed, SIGSEGV);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].shortest.calls, (sequence{{dereference, {}}}));
  EXPECT_EQ(made[0].misuse, "");
}

TEST_F(Findings, AreLeftOutIfTheyDoNotHappenAgain) {
  EXPECT_TRUE(shortest({{make_box, {number(1)}}}, morph_outcome_crashed, SIGSEGV).empty());
}

TEST_F(Findings, AreNoFaultsOfCallsThatOnlyTakeLong) {
  const auto made = shortest({{work, {number(500)}}}, morph_outcome_hung, SIGPROF);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].misuse, "it only takes long");
}

TEST_F(Findings, AreNoFaultsOfANullPointerThatACallGave) {
  const auto made = shortest({{give_null, {}}, {need, {value(0)}}}, morph_outcome_crashed, SIGSEGV);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].misuse, "a call gave a null pointer, which is passed");
}

TEST_F(Findings, OfOtherClassesAreNone) {
  as_.callables[dereference].is_of_unit = false;
  EXPECT_EQ(shortest({{dereference, {}}}, morph_outcome_crashed, SIGSEGV).at(0).misuse,
            "the call is not one of the unit's");
}

TEST_F(Findings, SayHowTheyEnded) {
  EXPECT_EQ(described({.how = morph_outcome_hung}), "it did not end within 200 ms of CPU time");
  EXPECT_EQ(described({.how = morph_outcome_ended, .code = 7}), "it ended the program with exit status 7");
  EXPECT_EQ(described({.how = morph_outcome_crashed, .code = SIGSEGV}),
            "it was killed by signal 11 (Segmentation fault)");
}

}  // namespace
}  // namespace morph::generate
