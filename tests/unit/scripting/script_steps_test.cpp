// From scripts to steps: variables, repetitions, scripts within scripts, and errors with places.
#include <gtest/gtest.h>

#include <map>

#include "plugin/scripting/steps.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;

class ScriptSteps : public ::testing::Test {
 protected:
  test_support::temporary_folder folder_;
  std::map<std::string, std::string> files_;

  script_world world() const {
    return {[this](const fs::path& file) -> tl::expected<std::string, std::string> {
              const auto found = files_.find(file.lexically_relative(folder_.path()).string());
              if (found == files_.end()) return tl::unexpected("no " + file.filename().string());
              return found->second;
            },
            [this](const std::string& name, const fs::path& from) -> tl::expected<fs::path, std::string> {
              const fs::path file = (from / name).lexically_normal();
              if (files_.count(file.lexically_relative(folder_.path()).string()) == 0)
                return tl::unexpected("there is no script '" + name + "'");
              return file;
            },
            {"plan", "spec", "script"}};
  }
  tl::expected<std::vector<script_step>, std::string> steps(const std::string& text,
                                                            const script_variables& given = {}) {
    files_["top.morph"] = text;
    return script_steps(folder_ / "top.morph", given, 7, world());
  }
  /// A line a step.
  std::string shown(const std::string& text, const script_variables& given = {}) {
    const auto found = steps(text, given);
    if (!found) return found.error();
    std::string all;
    for (const script_step& each : *found) all += each.place() + (each.may_fail ? ": try " : ": ") + each.text() + "\n";
    return all;
  }
};

TEST_F(ScriptSteps, ACommandAStep) {
  EXPECT_EQ(shown("morph plan --json\n\n# x\nspec list\n"),
            "top.morph:1: morph plan --json\ntop.morph:4: morph spec list\n");
}

TEST_F(ScriptSteps, VariablesAreNotSplit) {
  EXPECT_EQ(shown("set a = 'x y'\nset b=${a}z\nmorph plan ${a} p${b}q\n"), "top.morph:3: morph plan 'x y' 'px yzq'\n");
}

TEST_F(ScriptSteps, ALineBeginsWithAWord) {
  // What closes a `repeat` is known before variables have values.
  const std::string expected =
      "a line begins with a word, not with a variable: expected in place of '${x}' is one of morph, set, repeat, end, "
      "in, play, try";
  for (const char* const verb : {"repeat 0", "repeat 2", "plan", "end"}) {
    const std::string text = "set x = '" + std::string(verb) + "'\n";
    EXPECT_EQ(shown(text + "${x}\nmorph plan\n"), "top.morph:2: " + expected) << verb;
  }
  EXPECT_EQ(shown("set x = repeat\n${x} 0\nmorph plan\n"), "top.morph:2: " + expected);
  EXPECT_EQ(shown("set x = repeat\n${x} 2\nmorph plan\n"), "top.morph:2: " + expected);
  EXPECT_EQ(shown("set x = plan\ntry ${x}\n"), "top.morph:2: " + expected);
  EXPECT_EQ(shown("set x = plan\nmorph ${x}\n"), "top.morph:2: morph plan\n");
}

TEST_F(ScriptSteps, AValueThatIsGivenWins) {
  EXPECT_EQ(shown("set a = 1\nset b = ${a}\nmorph plan ${a}${b}\nset a = 3\nmorph plan ${a}\n", {{"a", "2"}}),
            "top.morph:3: morph plan 22\ntop.morph:5: morph plan 2\n");
}

TEST_F(ScriptSteps, TheSeedIsAVariable) {
  EXPECT_EQ(shown("morph plan ${seed}\n"), "top.morph:1: morph plan 7\n");
  EXPECT_EQ(steps("morph plan\n")->front().seed, 7U);
}

TEST_F(ScriptSteps, RepetitionsCount) {
  EXPECT_EQ(shown("repeat 2 as i\nrepeat 2 as j\nmorph plan ${i}${j}\nend\nend\nrepeat 0\nmorph plan\nend\n"),
            "top.morph:3: morph plan 11\ntop.morph:3: morph plan 12\ntop.morph:3: morph plan 21\ntop.morph:3: morph "
            "plan 22\n");
  EXPECT_EQ(shown("set n = 2\nrepeat ${n}\nmorph plan\nend\n"), "top.morph:3: morph plan\ntop.morph:3: morph plan\n");
}

TEST_F(ScriptSteps, WhatCountsIsKnownInsideAlone) {
  EXPECT_EQ(shown("set i = a\nrepeat 1 as i\nmorph plan ${i}\nend\nmorph plan ${i}\n"),
            "top.morph:3: morph plan 1\ntop.morph:5: morph plan a\n");
  EXPECT_NE(shown("repeat 1 as i\nend\nmorph plan ${i}\n").find("top.morph:3: the variable 'i' has no value here"),
            std::string::npos);
}

TEST_F(ScriptSteps, OtherScriptsHaveTheirOwnVariablesAndFolder) {
  files_["sub/other.morph"] = "set a = 1\nmorph plan ${a} ${seed}\nplay ../third.morph\n";
  files_["third.morph"] = "morph spec ${seed}\n";
  fs::create_directories(folder_ / "sub");
  const std::string text =
      "set a = 5\nplay sub/other.morph\ntry play sub/other.morph --set a=2 --seed 9\nmorph plan ${a}\n";
  EXPECT_EQ(shown(text),
            "sub/other.morph:2: morph plan 1 7\nthird.morph:1: morph spec 7\nsub/other.morph:2: try morph plan 2 9\n"
            "third.morph:1: try morph spec 9\ntop.morph:4: morph plan 5\n");
  const auto found = steps(text);
  EXPECT_EQ((*found)[0].folder, folder_ / "sub");
  EXPECT_EQ((*found)[1].folder, folder_.path());
}

TEST_F(ScriptSteps, InChangesTheFolderOfWhatFollows) {
  fs::create_directories(folder_ / "sub");
  const auto found = steps("in sub\nmorph plan\nin .\nmorph plan\nrepeat 1\nin sub\nend\nmorph plan\n");
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ((*found)[0].folder, folder_ / "sub");
  EXPECT_EQ((*found)[1].folder / "", folder_.path() / "");
  EXPECT_EQ((*found)[2].folder, folder_ / "sub");
  EXPECT_EQ(shown("in nowhere\n"), "top.morph:1: there is no folder 'nowhere' (relative to that of the script)");
}

TEST_F(ScriptSteps, TryMayFail) {
  EXPECT_EQ(shown("try morph plan\ntry spec list\n"),
            "top.morph:1: try morph plan\ntop.morph:2: try morph spec list\n");
}

TEST_F(ScriptSteps, AScriptThatPlaysItselfIsAnErrorThatNamesTheChain) {
  EXPECT_EQ(shown("morph plan\nplay top.morph\n"), "top.morph:2: the script plays itself: top.morph -> top.morph");
  files_["a.morph"] = "\nplay b.morph\n";
  files_["b.morph"] = "play ./a.morph\n";
  EXPECT_EQ(shown("play a.morph\n"),
            "b.morph:1: the script plays itself: a.morph -> b.morph -> a.morph\n  b.morph is played by a.morph:2\n"
            "  a.morph is played by top.morph:1");
  files_["a.morph"] = "play b.morph\n";
  files_["b.morph"] = "morph plan\n";
  EXPECT_EQ(shown("play a.morph\nplay a.morph\n"), "b.morph:1: morph plan\nb.morph:1: morph plan\n");
}

TEST_F(ScriptSteps, ErrorsNameScriptLineAndWhatWasExpected) {
  files_["other.morph"] = "morph plan\nmorph plna\n";
  EXPECT_EQ(shown("play other.morph\n"),
            "other.morph:2: there is no command `morph plna`; expected is one of plan, spec, script\n"
            "  other.morph is played by top.morph:1");
  files_["other.morph"] = "repeat 1\n";
  EXPECT_EQ(shown("\nplay other.morph\n"),
            "other.morph:1: this `repeat` has no `end`, which closes it\n  other.morph is played by top.morph:2");
  const std::vector<std::pair<std::string, std::string>> all{
      {"plna", "'plna' is no command of a script; a line begins with one of morph, set, repeat, end, in, play, try"},
      {"morph", "`morph` needs a command: one of plan, spec, script"},
      {"morph plan ${x}",
       "the variable 'x' has no value here; known are seed. Give it one: `set x = VALUE` before, or `morph script play "
       "--set x=VALUE`"},
      {"set a 1", "a variable gets its value by `set NAME = VALUE`, a value of several words in quotes"},
      {"set a = 1 2", "a variable gets its value by `set NAME = VALUE`, a value of several words in quotes"},
      {"set 1a = 1", "'1a' is no name of a variable; it has letters, digits and _, no digit first"},
      {"set seed = 1", "`seed` is the seed of the script; `morph script play --seed N` sets it"},
      {"repeat\nend", "`repeat` takes a number and a name: `repeat 3`, `repeat 3 as i`"},
      {"repeat -1\nend", "`repeat` needs a number from 0 on, not '-1'"},
      {"repeat 2 as 2\nend", "'2' is no name for what counts; it has letters, digits and _, no digit first"},
      {"repeat 99999999\nmorph plan\nend", "the script has more than 100000 steps or turns of `repeat`"},
      {"repeat 99999999999999999999\nend", "`repeat` needs a number from 0 on, not '99999999999999999999'"},
      {"try", "`try` needs the command that may fail, such as `try morph spec check`"},
      {"try set a = 1", "`try` stands before a command, not before 'set'"},
      {"play", "`play` needs the name or the path of a script"},
      {"play gone.morph", "there is no script 'gone.morph'"},
      {"play other.morph and", "`play` takes one script, not 'other.morph' and 'and'"},
      {"play other.morph --log x", "a script within a script takes --set and --seed, not '--log'"},
      {"play other.morph --seed x", "--seed: 'x' is no seed; a seed is a whole number from 0 to 18446744073709551615"},
      {"play other.morph --seed -1",
       "--seed: '-1' is no seed; a seed is a whole number from 0 to 18446744073709551615"},
      {"play other.morph --seed 18446744073709551616",
       "--seed: '18446744073709551616' is no seed; a seed is a whole number from 0 to 18446744073709551615"},
      {"play other.morph --set x", "--set takes NAME=VALUE, not 'x'"},
      {"play other.morph --set", "--set needs a value"},
      {"morph script play other",
       "a script plays others by `play NAME`; what else `morph script` does has no place in it"},
  };
  for (const auto& [text, what] : all) EXPECT_EQ(shown(text + "\n"), "top.morph:1: " + what);
  EXPECT_EQ(shown("repeat 2 as i\nset i = 1\nend\n"), "top.morph:2: 'i' counts a `repeat` around this line");
  EXPECT_EQ(shown("repeat 2 as i\nrepeat 2 as i\nend\nend\n"),
            "top.morph:2: 'i' counts the `repeat` around this one; take another name");
  EXPECT_EQ(shown("repeat 2 as i\nend\n", {{"i", "3"}}),
            "top.morph:1: 'i' counts here and cannot be given a value with --set");
}

TEST_F(ScriptSteps, AValueThatNobodyUsesIsAnError) {
  EXPECT_EQ(shown("set pool = a\nmorph plan ${pool}\n", {{"pol", "b"}}),
            "top.morph has no variable 'pol'; it has pool");
  EXPECT_EQ(shown("morph plan\n", {{"pol", "b"}}), "top.morph has no variable 'pol'; it has none at all");
  files_["other.morph"] = "morph plan\n";
  EXPECT_EQ(shown("play other.morph --set a=1\n"), "top.morph:1: other.morph has no variable 'a'; it has none at all");
}

}  // namespace
}  // namespace morph::scripting
