// Playing steps, real programs in their place: what is run, what stops it, what the log and the messages say.
#include <gtest/gtest.h>

#include "plugin/scripting/play.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::scripting {
namespace {

class ScriptPlay : public ::testing::Test {
 protected:
  test_support::temporary_folder folder_;

  script_step shell(const std::string& command, bool may_fail = false) const {
    return {"x.morph", 3, {"sh", "-c", command}, folder_.path(), may_fail, 5};
  }
  static std::vector<played_step> play(const std::vector<script_step>& steps, bool keeps_going = false) {
    play_options options;
    options.program = {"/usr/bin/env"};
    options.keeps_going = keeps_going;
    options.wants_output = true;
    options.passes_output = false;
    return play_steps(steps, options);
  }
};

TEST_F(ScriptPlay, AStepRunsInItsFolderWithItsSeed) {
  const auto played = play({shell("pwd; echo $MORPH_SEED; echo error >&2")});
  EXPECT_EQ(played[0].output, folder_.path().string() + "\n5\nerror\n");
  EXPECT_EQ(played[0].status(), "exit 0");
  EXPECT_EQ(play_status(played), 0);
}

TEST_F(ScriptPlay, AFailingStepEndsItUnlessItMayFail) {
  const auto stopped = play({shell("exit 2"), shell("true")});
  EXPECT_EQ(stopped[0].status(), "exit 2");
  EXPECT_EQ(stopped[1].status(), "not run");
  EXPECT_EQ(play_status(stopped), 2);

  const auto tried = play({shell("exit 2", true), shell("true")});
  EXPECT_EQ(tried[0].status(), "exit 2, which may be");
  EXPECT_EQ(tried[1].status(), "exit 0");
  EXPECT_EQ(play_status(tried), 0);

  const auto kept_on = play({shell("exit 1"), shell("exit 3"), shell("exit 2"), shell("true")}, true);
  EXPECT_EQ(kept_on[3].status(), "exit 0");
  EXPECT_EQ(play_status(kept_on), 3);
}

TEST_F(ScriptPlay, ACrashIsAFailure) {
  const auto played = play({shell("kill -SEGV $$"), shell("true")});
  EXPECT_EQ(played[0].status(), "signal 11");
  EXPECT_EQ(played[1].status(), "not run");
  EXPECT_EQ(play_status(played), 3);
}

TEST_F(ScriptPlay, AFolderThatIsGoneIsAFailure) {
  script_step step = shell("true");
  step.folder = folder_ / "gone";
  const auto played = play({step});
  EXPECT_EQ(played[0].status(), "not started");
  EXPECT_EQ(play_status(played), 3);
}

TEST_F(ScriptPlay, WhatAStepSaysItselfComesFirst) {
  play_options options;
  options.program = {"morph"};
  options.common = {"--build", "b", "--config", "c"};
  options.for_specs = {"--suite", "s"};
  script_step step = shell("");
  step.words = {"spec", "seed", "--build=mine", "--suite", "t"};
  EXPECT_EQ(step_command(step, options),
            (std::vector<std::string>{"morph", "spec", "--config", "c", "seed", "--build=mine", "--suite", "t"}));
  step.words = {"plan"};
  EXPECT_EQ(step_command(step, options), (std::vector<std::string>{"morph", "plan", "--build", "b", "--config", "c"}));
}

TEST_F(ScriptPlay, TheLogSaysWhatWasPlayedAndHowItEnded) {
  EXPECT_EQ(log_head("x.morph", {{"a", "b c"}}, 7), "# script x.morph\n# seed 7\n# set a = 'b c'\n");
  auto played = play({shell("exit 1", true)});
  EXPECT_EQ(log_line(played[0], false), "x.morph:3: exit 1, which may be: morph sh -c 'exit 1'\n");
  played[0].seconds = 1.234;
  EXPECT_EQ(log_line(played[0], true), "x.morph:3: exit 1, which may be: morph sh -c 'exit 1'  # 1.23 s\n");
}

TEST_F(ScriptPlay, MessagesAreRowsOfCsv) {
  const auto played = play({shell("echo 'a, b'; echo; printf 'say \"c\"'"), shell("true")});
  EXPECT_EQ(
      message_rows(played[0], 1),
      "x.morph,3,1,\"morph sh -c \"\"echo 'a, b'; echo; printf 'say \\\"\"c\\\"\"'\"\"\",exit 0,\"a, b\"\n"
      "x.morph,3,1,\"morph sh -c \"\"echo 'a, b'; echo; printf 'say \\\"\"c\\\"\"'\"\"\",exit 0,\"say \"\"c\"\"\"\n");
  EXPECT_EQ(message_rows(played[1], 2), "x.morph,3,2,morph sh -c true,exit 0,\n");
}

}  // namespace
}  // namespace morph::scripting
