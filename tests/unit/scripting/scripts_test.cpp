// Scripts as they are listed, recorded, checked behind an editor and played by name.
#include "plugin/scripting/scripts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "plugin/scripting/editing.hpp"
#include "plugin/scripting/playing.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/message_of.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::scripting {
namespace {

using test_support::message_of;

struct warnings : system::observer {
  void warn(const std::string& line) override { all.push_back(line); }
  std::vector<std::string> all;
};

class Scripts : public ::testing::Test {
 protected:
  test_support::temporary_folder folder_;
  warnings told_;

  Scripts() {
    for (const char* const name : {"MORPH_SEED", "MORPH_SCRIPT", "VISUAL", "EDITOR"}) ::unsetenv(name);
  }
  surroundings at() const { return {folder_.path(), {}, {folder_ / ".morph/scripts", folder_ / "morph_scripts"}}; }
  surroundings with_tree() const {
    surroundings made = at();
    made.tree.emplace();
    made.tree->source_dir = folder_.path();
    made.tree->binary_dir = folder_ / "build";
    return made;
  }
};

TEST_F(Scripts, AreListedWithTheirFirstRemarkOrWhyTheyCannotBePlayed) {
  folder_.write("a.morph", "#  What for\r\nset n = 1\nrepeat 2 as i\n  morph plan\nend\nplay b\n");
  folder_.write("morph_scripts/b.morph", "morph 'plan\n");
  const auto rows = list_scripts(at());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].commands, 2U);
  EXPECT_EQ(rows[0].about, "What for");
  EXPECT_EQ(rows[1].error.find("line 1: "), 0U) << rows[1].error;
  EXPECT_EQ(as_text({rows[0]}, folder_.path()), "a  2 commands\n    a.morph\n    What for\n");
  EXPECT_EQ(as_text({}, folder_.path()), "no scripts here; `morph script record NAME` makes one\n");
}

TEST_F(Scripts, ARecordingIsBegunOnceAndNotOverAnother) {
  const auto begun = begin_recording(with_tree(), "x", false);
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_NE(message_of(begin_recording(with_tree(), "y", false)).find("x.morph' is being recorded"), std::string::npos);
  ASSERT_TRUE(system::write_file_atomically(begun->file, "morph plan\nmorph measure\n"));
  const auto ended = end_recording(folder_ / "build");
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->commands, 2U);
  EXPECT_FALSE(end_recording(folder_ / "build"));
  EXPECT_NE(message_of(begin_recording(with_tree(), "x", false)).find("--force records over it"), std::string::npos);
  EXPECT_TRUE(begin_recording(with_tree(), "x", true));
}

TEST_F(Scripts, VariablesAreOpenThatNothingSets) {
  const auto open = [](const char* text) { return open_variables(read_script(text).value()); };
  EXPECT_EQ(open("set a = 1\nset b=${a}\nrepeat 2 as i\nmorph plan ${a} ${b} ${i} ${seed}\nend\n"),
            std::vector<std::string>());
  EXPECT_EQ(open("morph plan ${b}x${a}\n"), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Scripts, WhatComesBackFromAnEditorIsKeptIfItCanBePlayed) {
  folder_.write("a.morph", "morph plan\n");
  ::setenv("EDITOR", "false", 1);
  EXPECT_NE(message_of(edit_script(at(), "a", {"plan"}, told_)).find("the editor ended with an error"),
            std::string::npos);
  ::setenv("EDITOR", "sed -i s/plan/plane/", 1);
  const auto refused = edit_script(at(), "a", {"plan"}, told_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, contract::usage);
  EXPECT_EQ(system::read_file(folder_ / "a.morph"), "morph plan\n");
  EXPECT_EQ(system::read_file(folder_ / "a.morph.edit"), "morph plane\n");
  ::setenv("EDITOR", "sed -i 's/plan/plan ${more}/'", 1);
  ASSERT_TRUE(edit_script(at(), "a", {"plan"}, told_));
  EXPECT_EQ(system::read_file(folder_ / "a.morph"), "morph plan ${more}\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.morph.edit"));
  EXPECT_TRUE(told_.all.empty());
}

TEST_F(Scripts, ATextTakesThePlaceOfAScriptIfItCanBePlayed) {
  const auto made = replace_script(at(), "a", "morph plan", {"plan"}, told_);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(system::read_file(made->file), "morph plan\n");
  const auto refused = replace_script(at(), "a", "morph plane\n", {"plan"}, told_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, contract::usage);
  EXPECT_NE(refused.error().message.find("the script is as it was"), std::string::npos) << refused.error().message;
  EXPECT_EQ(system::read_file(made->file), "morph plan\n");
}

TEST_F(Scripts, AProgramThatReadsProgressRecordsWhatAUserTypes) {
  EXPECT_EQ(recorded_lines({"plan", "--build", "b", "--json", "--progress-fd", "5", "--nightly"}, 0, ".", "."),
            "morph plan --nightly\n");
  EXPECT_EQ(recorded_lines({"plan", "--json"}, 0, ".", "."), "morph plan --json\n");
}

TEST_F(Scripts, AScriptWithOpenVariablesIsOnlyWarnedOf) {
  const script_text script{folder_ / "a.morph", "repeat ${n} as i\nmorph ${what}\nend\n"};
  EXPECT_TRUE(check_script(script, {}, {"plan"}, told_));
  ASSERT_EQ(told_.all.size(), 1U);
  EXPECT_NE(told_.all[0].find("n, what have values only by --set"), std::string::npos) << told_.all[0];
}

TEST_F(Scripts, TheSeedOfAPlayIsThatOfTheOptionOrTheEnvironmentOrAState) {
  folder_.write("a.morph", "morph plan\n");
  folder_.write(".morph/seed", "3\n");
  const auto seed = [&](play_request asked) {
    asked.commands = {"plan"};
    return prepare_play(with_tree(), asked).value().seed;
  };
  EXPECT_EQ(seed({.name = "a", .set = {}}), 3U);
  ::setenv("MORPH_SEED", "5", 1);
  EXPECT_EQ(seed({.name = "a", .set = {}}), 5U);
  EXPECT_EQ(seed({.name = "a", .set = {}, .seed = 9}), 9U);
  ::setenv("MORPH_SEED", "-1", 1);
  EXPECT_EQ(message_of(prepare_play(with_tree(), {.name = "a", .set = {}})).find("MORPH_SEED: '-1' is no seed"), 0U);
  ::unsetenv("MORPH_SEED");
}

TEST_F(Scripts, AScriptDoesNotPlayItself) {
  folder_.write("a.morph", "morph plan\n");
  ::setenv("MORPH_SCRIPT", ("/other.morph\n" + (folder_ / "a.morph").string()).c_str(), 1);
  EXPECT_NE(message_of(prepare_play(at(), {.name = "a", .set = {}, .commands = {"plan"}})).find("plays itself"),
            std::string::npos);
  ::unsetenv("MORPH_SCRIPT");
}

TEST_F(Scripts, TheFaultThatEndedAPlayIsNamedOrAllThatDidNotEndIt) {
  const auto step = [&](int code, bool was_run = true) {
    played_step made{.step = {"a.morph", 2, {"plan"}, folder_.path(), false, 1}};
    if (was_run)
      made.end = system::process_end{.how = system::process_end::kind::exited, .code = code, .out = {}, .err = {}};
    return made;
  };
  EXPECT_EQ(faults_of({"a.morph", 1, {step(0), step(0)}}), std::vector<std::string>());
  const auto ended = faults_of({"a.morph", 1, {step(0), step(3), step(0, false), step(0, false)}, 3});
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(
      ended[0].find("a.morph:2: `morph plan` ended with exit 3, expected was exit 0; 2 steps after it were not run"),
      0U)
      << ended[0];
  EXPECT_EQ(faults_of({"a.morph", 1, {step(3), step(0), step(1)}, 3}).size(), 2U);
}

}  // namespace
}  // namespace morph::scripting
