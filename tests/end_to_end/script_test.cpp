// morph script and morph spec state: the comparison of four classifiers, recording, bad input, Ctrl-C, one file for
// all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// The example of four triangle classifiers, built, and nothing else.
workspace& built_triangles() {
  static workspace shared;
  static const bool made = [] {
    fs::copy(MORPH_SOURCE_DIR "/examples/triangle", shared.here().root(), fs::copy_options::recursive);
    shared.here().start_repository();
    shared.here().configure();
    shared.here().build();
    shared.save();
    return true;
  }();
  static_cast<void>(made);
  return shared;
}

class scripts : public testing::Test {
 protected:
  scripts() : p(built_triangles().here()) {}
  ~scripts() override { built_triangles().restore(); }

  finished script(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "script");
    return p.morph(arguments);
  }
  finished play(const std::string& text, std::vector<std::string> more = {}) const {
    p.write("some.morph", text);
    more.insert(more.begin(), {"play", "some.morph", "--log", "some.log"});
    return script(std::move(more));
  }
  bool exists(const std::string& path) const { return fs::exists(p.root() / path); }

  project& p;
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// ---- playing

TEST_F(scripts, compare_four_classifiers_on_the_same_cases) {
  const finished end = script({"play", "comparison", "--messages", "messages.csv", "--log", "first.log"});
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(end.err.find("[3/10]"), std::string::npos) << end.err;  // progress is for terminals

  // The log: a line a step, of which two found what the wrong classifiers do.
  EXPECT_EQ(
      p.read("first.log"),
      "# script comparison.morph\n# seed 1\n"
      "comparison.morph:7: exit 0: morph spec seed --spec sorting --seeds typical --pool comparison.jsonl --new\n"
      "comparison.morph:8: exit 0: morph spec mutate --spec sorting --pool comparison.jsonl\n"
      "comparison.morph:11: exit 0: morph spec check --spec sorting --any-spec --pool comparison.jsonl --out "
      "sorting.jsonl\n"
      "comparison.morph:12: exit 0: morph spec analyse --spec sorting --pool sorting.jsonl --format csv --label "
      "'by sorting' --out comparison.csv\n"
      "comparison.morph:14: exit 1, which may be: morph spec check --spec sorting_wrong --any-spec --pool "
      "comparison.jsonl --out sorting_wrong.jsonl\n"
      "comparison.morph:15: exit 0: morph spec analyse --spec sorting_wrong --pool sorting_wrong.jsonl --format csv "
      "--label 'by sorting' --out comparison.csv --append\n"
      "comparison.morph:17: exit 0: morph spec check --spec counting --any-spec --pool comparison.jsonl --out "
      "counting.jsonl\n"
      "comparison.morph:18: exit 0: morph spec analyse --spec counting --pool counting.jsonl --format csv --label "
      "'by counting' --out comparison.csv --append\n"
      "comparison.morph:20: exit 1, which may be: morph spec check --spec counting_wrong --any-spec --pool "
      "comparison.jsonl --out counting_wrong.jsonl\n"
      "comparison.morph:21: exit 0: morph spec analyse --spec counting_wrong --pool counting_wrong.jsonl --format "
      "csv --label 'by counting' --out comparison.csv --append\n");

  // One head, rows of all four.
  const std::string rows = p.read("comparison.csv");
  EXPECT_EQ(count_of(rows, "label,spec,executer,analysis,row,column,value\n"), 1U);
  for (const char* spec :
       {"by sorting,sorting,", "by sorting,sorting_wrong,", "by counting,counting,", "by counting,counting_wrong,"})
    EXPECT_GT(count_of(rows, spec), 20U) << spec;
  EXPECT_NE(rows.find("by sorting,sorting,executer,"), std::string::npos) << rows;

  const std::string messages = p.read("messages.csv");
  EXPECT_TRUE(messages.starts_with("script,line,step,command,status,message\n"));
  EXPECT_NE(messages.find("comparison.morph,8,2,morph spec mutate --spec sorting --pool comparison.jsonl,exit 0,\"80 "
                          "mutants added, 84 cases in the pool\"\n"),
            std::string::npos)
      << messages;

  // Once more: the same log, the same rows.
  ASSERT_EQ(script({"play", "comparison", "--log", "second.log"}).exit, 0);
  EXPECT_EQ(p.read("second.log"), p.read("first.log"));
  EXPECT_EQ(p.read("comparison.csv"), rows);
}

TEST_F(scripts, and_the_activities_of_specs_answer_in_json) {
  ASSERT_EQ(p.morph({"spec", "seed", "--spec", "sorting", "--seeds", "typical", "--pool", "few.jsonl", "--new"}).exit,
            0);
  ASSERT_EQ(p.morph({"spec", "check", "--spec", "sorting", "--pool", "few.jsonl"}).exit, 0);
  const std::map<std::string, std::vector<std::string>> commands{
      {"morph.script/1", {"script", "show", "comparison"}},
      {"morph.spec-list/1", {"spec", "list"}},
      {"morph.spec-run/1", {"spec", "run"}},
      {"morph.spec-tests/1", {"spec", "run", "--list"}},
      {"morph.spec-metrics/1", {"spec", "measure", "--spec", "sorting", "--pool", "few.jsonl"}},
      {"morph.spec-analyses/1", {"spec", "analyse", "--spec", "sorting", "--pool", "few.jsonl"}}};
  for (auto [schema, words] : commands) {
    words.emplace_back("--json");
    const finished end = p.morph(words);
    const auto said = nlohmann::json::parse(end.out, nullptr, false);
    ASSERT_TRUE(said.is_object()) << schema << '\n' << end.both();
    EXPECT_EQ(said.value("schema", ""), schema);
  }
}

TEST_F(scripts, run_in_their_own_folder_from_anywhere) {
  p.write("deep/er/x.morph", "morph spec seed --spec sorting --seeds typical --pool here.jsonl\n");
  const finished end = script({"play", "deep/er/x.morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_TRUE(exists("deep/er/here.jsonl"));
}

TEST_F(scripts, tell_a_terminal_which_step_is_played) {
  p.write("some.morph", "# two steps\nmorph spec list --spec sorting\nmorph spec list --spec counting\n");
  const finished end = p.run({"script", "--quiet", "--return", "--command",
                              std::string(MORPH_PREFIX "/bin/morph") + " script play some", "/dev/null"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("[2/2] some.morph:3: morph spec list --spec counting"), std::string::npos) << end.out;
}

TEST_F(scripts, only_say_what_they_would_do) {
  p.write("some.morph", "repeat 2 as i\nin src\nmorph spec seed --pool ${i}${x}.jsonl\nend\nin .\ntry play other\n");
  p.write("other.morph", "morph plan\n");
  fs::create_directory(p.root() / "src");
  const finished end = script({"play", "some", "--dry-run", "--set", "x=a b"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(end.out,
            "some.morph:3: morph spec seed --pool '1a b.jsonl'  # in src\n"
            "some.morph:3: morph spec seed --pool '2a b.jsonl'  # in src\n"
            "other.morph:1: try morph plan\n");
  const auto json = nlohmann::json::parse(script({"play", "some", "--dry-run", "--set", "x=y", "--json"}).out);
  EXPECT_EQ(json["schema"], "morph.script-steps/1");
  EXPECT_EQ(json["steps"][2]["words"], nlohmann::json({"plan"}));
  EXPECT_EQ(json["steps"][2]["may_fail"], true);
}

TEST_F(scripts, stop_at_a_step_that_fails_unless_told_otherwise) {
  const std::string text =
      "morph spec list --spec sorting\nmorph spec show --pool gone.jsonl --spec sorting\nmorph spec "
      "list --spec counting\n";
  finished end = play(text);
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("morph: some.morph:2: `morph spec show --pool gone.jsonl --spec sorting` ended with exit 3, "
                         "expected was exit 0; 1 step after it was not run. With --keep-going, or `try` before the "
                         "command, they are\n"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(end.out.find("counting"), std::string::npos);
  EXPECT_EQ(
      p.read("some.log"),
      "# script some.morph\n# seed 1\nsome.morph:1: exit 0: morph spec list --spec sorting\nsome.morph:2: exit 3: "
      "morph spec show --pool gone.jsonl --spec sorting\nsome.morph:3: not run: morph spec list --spec counting\n");

  end = play(text, {"--keep-going"});
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.out.find("counting"), std::string::npos);
  end = play("try morph spec show --pool gone.jsonl --spec sorting\nmorph spec list --spec counting\n");
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("counting"), std::string::npos);
}

TEST_F(scripts, are_reproducible_from_their_seed) {
  p.replace("triangle.spec.cpp", "s.seeds(\"typed in\", morph::standard_input{});",
            "s.seeds(\"typed in\", morph::draw(20, morph::made_of<Triangle>(morph::integers(1, 99), morph::integers(1, "
            "99), morph::integers(1, 99))));");
  p.build();
  const std::string text = "set to = a.jsonl\nmorph spec seed --spec sorting --seeds 'typed in' --pool ${to} --new\n";
  ASSERT_EQ(play(text, {"--seed", "5"}).exit, 0);
  EXPECT_EQ(p.read("some.log").substr(0, 29), "# script some.morph\n# seed 5\n");
  ASSERT_EQ(play(text, {"--seed", "5", "--set", "to=b.jsonl"}).exit, 0);
  ASSERT_EQ(play(text, {"--seed", "6", "--set", "to=c.jsonl"}).exit, 0);
  EXPECT_EQ(p.read("a.jsonl"), p.read("b.jsonl"));
  EXPECT_NE(p.read("a.jsonl"), p.read("c.jsonl"));
}

TEST_F(scripts, say_as_json_what_became_of_each_step) {
  const finished end = play("morph spec list --spec sorting --json\ntry morph plna\n", {"--json"});
  EXPECT_EQ(end.exit, 2) << end.both();  // nothing runs
  const auto error = nlohmann::json::parse(end.out);
  EXPECT_EQ(error["schema"], "morph.error/1");
  const auto json = nlohmann::json::parse(play("morph spec list --spec sorting --json\n", {"--json"}).out);
  EXPECT_EQ(json["schema"], "morph.script-play/1");
  EXPECT_EQ(json["steps"][0]["status"], "exit 0");
  EXPECT_EQ(nlohmann::json::parse(json["steps"][0]["output"].get<std::string>())["specs"][0]["name"], "sorting");
}

TEST_F(scripts, end_with_the_step_that_is_interrupted) {
  ASSERT_EQ(::mkfifo((p.root() / "gate.jsonl").c_str(), 0600), 0);
  p.write("some.morph",
          "morph spec list --spec sorting\ntry morph spec show --spec sorting --pool gate.jsonl\nmorph plan\n");
  running play(p.morph_command({"script", "play", "some", "--log", "some.log"}), p.root(), p.environment());
  const int gate = ::open((p.root() / "gate.jsonl").c_str(), O_WRONLY);  // until the step reads
  play.send(SIGINT);
  const finished end = play.wait();
  ::close(gate);
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("some.morph:2: `morph spec show --spec sorting --pool gate.jsonl` was interrupted; 1 step "
                         "after it was not run"),
            std::string::npos)
      << end.err;
  EXPECT_NE(p.read("some.log").find("some.morph:2: interrupted: "), std::string::npos);
  EXPECT_NE(p.read("some.log").find("some.morph:3: not run: "), std::string::npos);
}

TEST_F(scripts, that_the_documents_show_can_be_played) {
  fs::create_directories(p.root() / ".morph/scripts/results");
  std::istringstream lines(read_bytes(MORPH_SOURCE_DIR "/docs/specs/scripts.md"));
  std::size_t blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line != "```morph") continue;
    std::string text;
    while (std::getline(lines, line) && line != "```") text += line + "\n";
    p.write(".morph/scripts/shown.morph", text);
    const finished end = script({"play", "shown", "--dry-run"});
    EXPECT_EQ(end.exit, 0) << text << end.both();
    EXPECT_GT(count_of(end.out, "\n"), 2U) << text;
    ++blocks;
  }
  EXPECT_EQ(blocks, 2U);
}

// ---- bad input

TEST_F(scripts, that_cannot_be_played_say_where_and_what_was_expected) {
  const auto refused = [&](const std::string& text, const std::string& what) {
    const finished end = play("morph spec list --spec sorting\n" + text);
    EXPECT_EQ(end.exit, 2) << end.both();
    EXPECT_EQ(end.out, "") << "a step ran";
    EXPECT_NE(end.err.find("morph: some.morph:2: " + what), std::string::npos) << end.err;
  };
  p.write("a.morph", "play some\n");
  refused("play some.morph\n", "the script plays itself: some.morph -> some.morph\n");
  const finished chain = play("play a\n");
  EXPECT_EQ(chain.exit, 2);
  EXPECT_NE(chain.err.find("morph: a.morph:1: the script plays itself: some.morph -> a.morph -> some.morph\n"),
            std::string::npos)
      << chain.err;
  refused("play gone\n", "there is no script 'gone' (looked for ");
  refused("morph plan --base ${rev}\n", "the variable 'rev' has no value here");
  refused("morph plna\n", "there is no command `morph plna`; expected is one of ");
  refused("plna\n", "'plna' is no command of a script; a line begins with one of ");
  refused("repeat 3\nmorph plan\n", "this `repeat` has no `end`");
  refused("morph plan --base 'HEAD\n", "the quote ' in column 19 is not closed in this line");
  refused("morph spec list > x\n", "'>' is for a shell");
  refused("morph script stop\n", "a script plays others by `play NAME`");
}

TEST_F(scripts, are_played_with_seeds_of_64_bits_alone) {
  p.write("seeded.morph", "morph plan ${seed}\n");
  for (const std::string wrong : {"-1", "18446744073709551616", "1x"}) {
    finished end = script({"play", "seeded.morph", "--dry-run", "--seed", wrong});
    EXPECT_EQ(end.exit, 2) << end.both();
    const std::string message = "'" + wrong + "' is no seed; a seed is a whole number from 0 to 18446744073709551615";
    EXPECT_NE(end.err.find(message), std::string::npos) << end.err;
    p.set_variable("MORPH_SEED", wrong);
    end = script({"play", "seeded.morph", "--dry-run"});
    p.unset_variable("MORPH_SEED");
    EXPECT_EQ(end.exit, 2) << end.both();
    EXPECT_NE(end.err.find("MORPH_SEED: " + message), std::string::npos) << end.err;
  }
  const finished end = script({"play", "seeded.morph", "--dry-run", "--seed", "18446744073709551615"});
  EXPECT_EQ(end.out, "seeded.morph:1: morph plan 18446744073709551615\n") << end.both();
}

TEST_F(scripts, that_are_not_there_or_no_files_are_named) {
  finished end = script({"play", "gone"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("there is no script 'gone' (looked for " + (p.root() / ".morph/scripts/gone.morph").string()),
            std::string::npos)
      << end.err;
  fs::create_directory(p.root() / "folder.morph");
  end = script({"play", "folder.morph"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("folder.morph' is a folder; expected is a script"), std::string::npos) << end.err;
  end = script({"play"});
  EXPECT_EQ(end.exit, 2);
  end = play("morph plan\n", {"--set", "x"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("--set takes NAME=VALUE, not 'x'"), std::string::npos) << end.err;
  end = play("morph plan\n", {"--set", "x=1"});
  EXPECT_NE(end.err.find("some.morph has no variable 'x'"), std::string::npos) << end.err;
  end = script({"play", "some", "--log", "some.morph"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_EQ(p.read("some.morph"), "morph plan\n");
  if (::geteuid() == 0) return;  // who may read everything
  fs::permissions(p.root() / "some.morph", fs::perms::none);
  end = script({"play", "some"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("some.morph"), std::string::npos) << end.err;
}

TEST_F(scripts, may_end_their_lines_as_in_windows) {
  const finished end = play("set a = sorting\r\nmorph spec list --spec \"${a}\"\r\n");
  EXPECT_EQ(end.exit, 0) << end.both();
}

// ---- recording

TEST_F(scripts, are_recorded_and_do_the_same_again) {
  finished end = script({"record", "work"});
  ASSERT_EQ(end.exit, 0) << end.both();
  ASSERT_EQ(p.morph({"spec", "seed", "--spec", "sorting", "--seeds", "typical", "--pool", "it's a pool.jsonl"}).exit,
            0);
  ASSERT_EQ(p.morph({"spec", "check", "--spec", "sorting_wrong", "--pool", "it's a pool.jsonl"}).exit, 3);
  p.morph({"plan", "--format", "cmake"});
  p.morph({"spec", "seed", "--help"});
  p.morph({"script", "list"});
  ASSERT_EQ(p.morph({"spec", "mutate", "--spec", "sorting_wrong", "--any-spec", "--pool", "it's a pool.jsonl"}).exit,
            0);
  ASSERT_EQ(p.morph({"spec", "check", "--spec", "sorting_wrong", "--pool", "it's a pool.jsonl"}).exit, 1);
  end = script({"stop"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("work.morph: 3 commands\n"), std::string::npos) << end.out;
  EXPECT_EQ(p.read(".morph/scripts/work.morph"),
            "# Recorded by `morph script record work`.\n"
            "in ../..\n"
            "morph spec seed --spec sorting --seeds typical --pool \"it's a pool.jsonl\"\n"
            "# exit 3: morph spec check --spec sorting_wrong --pool \"it's a pool.jsonl\"\n"
            "morph spec mutate --spec sorting_wrong --any-spec --pool \"it's a pool.jsonl\"\n"
            "try morph spec check --spec sorting_wrong --pool \"it's a pool.jsonl\"\n");
  const std::string pool = p.read("it's a pool.jsonl");
  p.remove("it's a pool.jsonl");
  p.morph({"spec", "list"});  // no more recorded
  end = script({"play", "work"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(p.read("it's a pool.jsonl"), pool);
  EXPECT_TRUE(exists(".morph/scripts/work.log"));
}

TEST_F(scripts, are_recorded_one_at_a_time) {
  finished end = script({"stop"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("nothing is being recorded in this build tree"), std::string::npos) << end.err;
  EXPECT_EQ(nlohmann::json::parse(script({"record", "one", "--json"}).out).at("recording"), true);
  end = script({"record", "two"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("one.morph' is being recorded in this build tree; end that first: morph script stop"),
            std::string::npos)
      << end.err;
  // Never stopped: it is listed so, and not played.
  EXPECT_NE(script({"list"}).out.find("one  0 commands, being recorded\n"), std::string::npos);
  end = script({"play", "one"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("one.morph' is still being recorded"), std::string::npos) << end.err;
  EXPECT_EQ(nlohmann::json::parse(script({"stop", "--json"}).out).at("commands"), 0);
  end = script({"record", "one"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("--force records over it"), std::string::npos) << end.err;
  EXPECT_EQ(script({"record", "one", "--force"}).exit, 0);
  // Its file is taken away.
  p.remove(".morph/scripts/one.morph");
  EXPECT_NE(p.morph({"spec", "list"}).err.find("not recorded: "), std::string::npos);
  end = script({"stop"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_EQ(script({"record", "one"}).exit, 0);
}

TEST_F(scripts, can_be_recorded_by_path_and_with_other_scripts_in_them) {
  p.write("other.morph", "morph spec list --spec ${which}\n");
  ASSERT_EQ(script({"record", "kept/whole.morph"}).exit, 0);
  ASSERT_EQ(script({"play", "other", "--set", "which=sorting", "--log", "x.log"}).exit, 0);
  ASSERT_EQ(script({"stop"}).exit, 0);
  EXPECT_EQ(p.read("kept/whole.morph"),
            "# Recorded by `morph script record whole`.\nin ..\nplay other --set which=sorting\n");
  EXPECT_EQ(script({"play", "kept/whole"}).exit, 0);
}

TEST_F(scripts, are_listed_shown_and_edited) {
  p.write("morph_scripts/nightly.morph", "# What runs at night.\nmorph plan\n");
  p.write("broken.morph", "morph 'plan\n");
  const finished list = script({"list"});
  EXPECT_NE(list.out.find("nightly  1 command\n    morph_scripts/nightly.morph\n    What runs at night.\n"),
            std::string::npos)
      << list.out;
  EXPECT_NE(list.out.find("broken  cannot be played: line 1: the quote"), std::string::npos) << list.out;
  EXPECT_EQ(script({"show", "nightly"}).out, p.read("morph_scripts/nightly.morph"));
  const auto rows = nlohmann::json::parse(script({"list", "--json"}).out)["scripts"];
  EXPECT_EQ(rows.size(), 3U);  // and the comparison

  finished end = script({"edit", "nightly"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("no editor is known; set EDITOR"), std::string::npos) << end.err;
  p.set_variable("EDITOR", "sed -i s/plan/doctor/");
  end = script({"edit", "nightly"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(p.read("morph_scripts/nightly.morph"), "# What runs at night.\nmorph doctor\n");
  p.set_variable("EDITOR", "sed -i s/doctor/\\'/");
  end = script({"edit", "nightly"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(
      end.err.find("nightly.morph:2: the quote ' in column 7 is not closed in this line\nthe script is as it was"),
      std::string::npos)
      << end.err;
  EXPECT_EQ(p.read("morph_scripts/nightly.morph"), "# What runs at night.\nmorph doctor\n");
  EXPECT_TRUE(exists("morph_scripts/nightly.morph.edit"));
  p.set_variable("EDITOR", "sed -i s/doctor/frob/");
  end = script({"edit", "nightly"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("nightly.morph:2: there is no command `morph frob`; expected is one of "), std::string::npos)
      << end.err;
  EXPECT_EQ(p.read("morph_scripts/nightly.morph"), "# What runs at night.\nmorph doctor\n");
  // What has its value by --set alone is no fault.
  p.set_variable("EDITOR", "sed -i 's/morph doctor/repeat ${n}\\nmorph plan ${what}\\nend/'");
  end = script({"edit", "nightly"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(p.read("morph_scripts/nightly.morph"), "# What runs at night.\nrepeat ${n}\nmorph plan ${what}\nend\n");
  p.set_variable("EDITOR", "false");
  EXPECT_EQ(script({"edit", "nightly"}).exit, 3);
}

// ---- state

TEST_F(scripts, and_pools_messages_and_seed_are_kept_in_one_file) {
  ASSERT_EQ(script({"record", "work"}).exit, 0);
  ASSERT_EQ(p.morph({"spec", "seed", "--spec", "sorting", "--seeds", "typical", "--pool", "here.jsonl"}).exit, 0);
  ASSERT_EQ(script({"stop"}).exit, 0);
  ASSERT_EQ(script({"play", "work", "--messages", ".morph/scripts/work.csv"}).exit, 0);
  fs::create_directories(p.root() / ".morph/pools");
  fs::copy(p.root() / "here.jsonl", p.root() / ".morph/pools/kept.jsonl");
  p.set_variable("MORPH_SEED", "9");
  finished end = p.morph({"spec", "state", "save", "all.state", "--pool", "here.jsonl"});
  p.unset_variable("MORPH_SEED");
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(end.out, "saved: 2 pools, 1 script, 2 files of messages, seed 9\n");

  const std::vector<std::string> files{".morph/pools/kept.jsonl", ".morph/scripts/work.csv", ".morph/scripts/work.log",
                                       ".morph/scripts/work.morph", "here.jsonl"};
  std::vector<std::string> before;
  for (const std::string& each : files) before.push_back(p.read(each));
  end = p.morph({"spec", "state", "clear"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("--force removes these; nothing was removed now:\n  .morph/pools/kept.jsonl\n"),
            std::string::npos)
      << end.err;
  EXPECT_TRUE(exists(".morph/pools/kept.jsonl"));
  ASSERT_EQ(p.morph({"spec", "state", "clear", "--force"}).exit, 0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(exists(files[i])) << files[i];
  p.remove("here.jsonl");

  end = p.morph({"spec", "state", "load", "all.state"});
  ASSERT_EQ(end.exit, 0) << end.both();
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(p.read(files[i]), before[i]) << files[i];
  // The seed is that of what follows.
  ASSERT_EQ(script({"play", "work"}).exit, 0);
  EXPECT_NE(p.read(".morph/scripts/work.log").find("# seed 9\n"), std::string::npos);

  // Nothing that differs is overwritten unasked.
  p.write("here.jsonl", "{\"morph\":\"pool\"}\n");
  end = p.morph({"spec", "state", "load", "all.state"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("these are there already and differ; nothing was loaded. --force replaces them:"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(p.read("here.jsonl"), "{\"morph\":\"pool\"}\n");
  EXPECT_EQ(p.morph({"spec", "state", "load", "all.state", "--force"}).exit, 0);
  EXPECT_EQ(p.read("here.jsonl"), before[4]);
}

TEST_F(scripts, and_a_state_that_is_cut_off_or_foreign_changes_nothing) {
  fs::create_directories(p.root() / ".morph/pools");
  p.write(".morph/pools/kept.jsonl", "{\"morph\":\"pool\",\"version\":1,\"spec\":\"sorting\"}\n");
  ASSERT_EQ(p.morph({"spec", "state", "save", "all.state"}).exit, 0);
  const std::string whole = p.read("all.state");
  p.remove(".morph/pools/kept.jsonl");
  for (const std::string& text : {whole.substr(0, whole.size() / 2), std::string("{}\n"), std::string()}) {
    p.write("bad.state", text);
    const finished end = p.morph({"spec", "state", "load", "bad.state", "--force"});
    EXPECT_EQ(end.exit, 3) << end.both();
    EXPECT_NE(end.err.find("nothing was loaded"), std::string::npos) << end.err;
    EXPECT_FALSE(exists(".morph/pools/kept.jsonl"));
  }
  EXPECT_EQ(p.morph({"spec", "state", "load", "gone.state"}).exit, 2);
  EXPECT_EQ(p.morph({"spec", "state", "save", "gone/x.state", "--pool", "/etc/passwd"}).exit, 2);
  EXPECT_EQ(p.morph({"spec", "state", "save", "x.state", "--pool", "CMakeLists.txt"}).exit, 2);
  EXPECT_EQ(p.morph({"spec", "state"}).exit, 2);
}

TEST(scripts_of_perception, play_both_experiments_on_the_same_images) {
  const scratch_folder folder;
  project p(folder.path() / "perception", folder.path() / "home");
  fs::copy(MORPH_SOURCE_DIR "/examples/perception", p.root(), fs::copy_options::recursive);
  p.start_repository();
  p.configure();
  p.build();
  const finished end = p.morph({"script", "play", "experiments", "--log", "experiments.log"});
  ASSERT_EQ(end.exit, 0) << end.both();
  const std::string log = p.read("experiments.log");
  EXPECT_EQ(count_of(log, "exit 0: morph spec"), 28U) << log;
  EXPECT_EQ(count_of(log, "exit 1, which may be: morph spec check"), 2U) << log;
  // As in docs/specs/perception.md: of 4 recognisers and 17 changes and none five values each, of each of 20 pairs
  // three.
  const std::string results = p.read("similarity.csv");
  EXPECT_EQ(count_of(results, "\n(a) different objects,"), 4U * 18U * 5U) << results;
  EXPECT_EQ(count_of(results, "\n(b) the same object,"), 4U * 18U * 5U) << results;
  EXPECT_EQ(count_of(p.read("rows.csv"), "\n"), 1U + 2U * 4U * 18U * 20U * 3U);
}

}  // namespace
}  // namespace morph::end_to_end
