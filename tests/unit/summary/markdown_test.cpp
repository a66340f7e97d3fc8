// The Markdown of a summary: what it says, in how many lines, whatever names look like.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/summary/forms.hpp"

namespace morph::summary {
namespace {

survivor survivor_of(const std::string& id, const std::string& function, const std::string& advice) {
  survivor one;
  one.change.id = id;
  one.change.file = "src/price.cpp";
  one.change.function = function;
  one.change.function_line = 3;
  one.change.original = "all > 9";
  one.change.replacement = "all >= 9";
  one.advice = advice;
  return one;
}

facts example() {
  facts of;
  of.since = "main";
  of.planned = {"affected",
                "baseline 1a2b3c4",
                {.selected = 3, .deferred = 0, .total = 10, .selected_seconds = 1, .total_seconds = 4.5},
                {{"changed-code", 2, {"price(int)", "src/price.cpp:4"}}, {"new", 1, {}}},
                {}};
  of.ran = 3;
  return of;
}

report::diff_totals lines_of_change(std::size_t run, std::size_t not_run) {
  report::diff_totals totals;
  totals.run = run;
  totals.not_run = not_run;
  return totals;
}

/// Of everything more than fits.
facts large(std::size_t count) {
  facts of = example();
  of.covered.emplace();
  of.judged.emplace();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    of.failed.push_back("Price.Fails" + number);
    of.violated.push_back({"spec" + number, "spec", "relation " + number, "build/spec --replay '" + number + "'"});
    of.covered->not_run.push_back({"src/price.cpp", {static_cast<std::uint32_t>(i), 0}, "return 0;"});
    of.judged->survivors.push_back(survivor_of("src/price.cpp:" + number + ":1:ror", "price(int)", ""));
    of.judged->pseudo_tested.push_back(survivor_of("src/price.cpp:" + number + ":1:xt", "log" + number, ""));
    of.flaky.push_back("Flaky.Test" + number);
    of.planned.groups.push_back({"changed-code", 1, {"f" + number}});
    of.planned.notes.push_back("note " + number);
    of.gaps.push_back({"what " + number, {"morph measure"}});
  }
  of.covered->totals.not_run = count;
  of.ran = 2 * count;
  return of;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Summary, OfAGreenRunIsShort) {
  EXPECT_EQ(as_markdown(example(), ""),
            "### Morph: 3 tests passed\n"
            "\n"
            "**Selected** 3 of 10 tests (affected, baseline 1a2b3c4); 3.50 s of 4.50 s saved\n"
            "- 2 changed-code: `price(int)`, `src/price.cpp:4`\n"
            "- 1 new\n");
}

TEST(Summary, BeginsWithWhatIsWrong) {
  facts of = example();
  of.failed = {"Price.OfMany"};
  of.covered = {lines_of_change(2, 2), {{"src/price.cpp", {7, 8}, "return all;"}}};
  of.judged.emplace();
  of.judged->survivors = {survivor_of("src/price.cpp:4:7:ror", "price(int)", "Assert `price(9)` in A_Test.")};
  of.judged->pseudo_tested = {survivor_of("src/price.cpp:9:1:xt", "log(int)", "")};
  of.judged->pseudo_tested.front().change.kind = report::mutant_kind::body;
  of.judged->pseudo_tested.front().change.replacement = "return;";
  of.flaky = {"Price.Sometimes"};
  EXPECT_EQ(as_markdown(of, "https://ci/1"),
            "### Morph: 1 of 3 tests failed, 2 changed lines without a test, 1 pseudo-tested function, 1 survivor\n"
            "\n"
            "**Failed tests**\n"
            "- `Price.OfMany`\n"
            "\n"
            "**Changed lines that no test runs**: 2 of 4\n"
            "- `src/price.cpp:7-8` `return all;`\n"
            "\n"
            "**Pseudo-tested functions** that changed: no test notices when the body is gone\n"
            "- `log(int)` at `src/price.cpp:3`: its body could be `return;`\n"
            "\n"
            "**Survivors** in changed functions: no test notices these changes\n"
            "- `src/price.cpp:4:7:ror` in `price(int)`: `all > 9` could be `all >= 9`. Assert `price(9)` in A\\_Test.\n"
            "\n"
            "**Flaky**, passed and failed on the same content: `Price.Sometimes`\n"
            "\n"
            "**Selected** 3 of 10 tests (affected, baseline 1a2b3c4); 3.50 s of 4.50 s saved\n"
            "- 2 changed-code: `price(int)`, `src/price.cpp:4`\n"
            "- 1 new\n"
            "\n"
            "[Report](<https://ci/1>)\n");
}

TEST(Summary, OfAViolatedRelationHasItsReplayLine) {
  facts of = example();
  of.failed = {"Price.OfMany", "halves.one more"};
  of.violated = {{"halves.one more", "halves", "one more", "build/relations --replay '{\"in\":49}'"}};
  const std::string text = as_markdown(of, "");
  EXPECT_TRUE(
      has(text, "\n**Violated relations**\n- `halves`: `one more`; replay: `build/relations --replay '{\"in\":49}'`\n"))
      << text;
  EXPECT_TRUE(has(text, "\n**Other failed tests**\n- `Price.OfMany`\n\n"))
      << text;  // the relation's own test is shown above
  of.violated.front().replay.assign(4000, 'x');
  EXPECT_TRUE(has(as_markdown(of, ""), "one more`; the output of `halves.one more` has its replay line\n"));
}

TEST(Summary, HasAtMostFortyLines) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 11U, 12U, 100U, 5000U}) {
    const std::string text = as_markdown(large(count), "https://ci/1");
    EXPECT_LE(lines_of(text), most_lines) << count << "\n" << text;
    EXPECT_EQ(lines_of(text) == most_lines, count > 2) << count << "\n" << text;
  }
}

TEST(Summary, CutsTheLongestListsAndNamesTheCommandThatListsAll) {
  const std::string text = as_markdown(large(100), "");
  for (const char* const command :
       {"`morph spec run`", "`morph report coverage --diff main`", "`morph report mutation --by function`",
        "`morph explain --since main`", "`morph plan --base main`"})
    EXPECT_TRUE(has(text, std::string(" more: ") + command)) << command << "\n" << text;

  facts of = large(100);
  of.covered->not_run.resize(1);
  EXPECT_TRUE(has(as_markdown(of, ""), "`return 0;`\n\n")) << "a short list stays whole";
  of = example();
  for (int i = 0; i < 12; ++i) of.failed.push_back("Test" + std::to_string(i));
  EXPECT_TRUE(has(as_markdown(of, ""), "- `Test9`\n- and 2 more: `morph report summary --json`\n"));
}

TEST(Summary, IsNotBrokenByNames) {
  facts of = example();
  const std::string hostile = "A|b`c``\n### d\r\n<script>alert(1)</script> [x](javascript:1) \xff\x01";
  of.failed = {hostile};
  of.violated = {{hostile, hostile, hostile, hostile}};
  of.covered = {lines_of_change(0, 1), {{hostile, {1, 1}, hostile}}};
  of.judged.emplace();
  of.judged->survivors = {survivor_of(hostile, hostile, hostile)};
  of.judged->pseudo_tested = {survivor_of(hostile, hostile, hostile)};
  of.flaky = {hostile};
  of.planned.groups = {{"changed-data", 1, {hostile}}};
  of.planned.notes = {hostile};
  of.since = hostile;
  of.gaps = {{"something", {hostile}}};
  const std::string text = as_markdown(of, "https://ci/\n### x>)<script>");
  EXPECT_EQ(text.find('\xff'), text.npos);
  EXPECT_EQ(text.find('\x01'), text.npos);
  EXPECT_EQ(text.find('\r'), text.npos);
  EXPECT_FALSE(has(text, "\n### d"));
  EXPECT_TRUE(has(text, "[Report](<https://ci/%0A###%20x%3E)%3Cscript%3E>)\n"));
  // In code it means itself: between more back quotes than there are in it. Elsewhere it is escaped.
  std::string outside = text;
  const std::string code = "``` A|b`c`` ### d <script>alert(1)</script> [x](javascript:1) \xef\xbf\xbd";
  for (std::size_t at; (at = outside.find(code)) != outside.npos;)
    outside.erase(at, outside.find(" ```", at + 3) + 4 - at);
  for (std::size_t at = outside.find("<script"); at != outside.npos; at = outside.find("<script", at + 1))
    EXPECT_EQ(outside[at - 1], '\\') << outside;
  EXPECT_LE(lines_of(text), most_lines);
}

TEST(Summary, ShortensLongNames) {
  facts of = large(20);
  for (std::string& each : of.failed) each.assign(100'000, 'x');
  for (std::string& each : of.planned.notes) each.assign(100'000, '<');
  EXPECT_LT(as_markdown(of, "").size(), 20'000U);
}

TEST(Summary, SaysOnOneLineWhatIsNotKnown) {
  facts of = example();
  of.gaps = {{"changed lines that no test runs", {"cmake -DMORPH_EVIDENCE=twin", "morph measure"}},
             {"survivors in changed functions", {"morph mutate --since main"}}};
  EXPECT_TRUE(
      as_markdown(of, "").ends_with("\n\nNot known: changed lines that no test runs (`cmake -DMORPH_EVIDENCE=twin`, "
                                    "then `morph measure`); survivors in "
                                    "changed functions (`morph mutate --since main`).\n"));
}

TEST(Summary, SaysWhatIsInOrder) {
  facts of = example();
  of.covered = {lines_of_change(4, 0), {}};
  of.judged.emplace();
  of.judged->mutants.add(report::mutant_state::killed);
  of.judged->mutants.add(report::mutant_state::timed_out);
  const std::string text = as_markdown(of, "");
  EXPECT_TRUE(has(text,
                  "\n\nTests run 4 of 4 changed lines that can run, and kill 2 of 2 mutants of changed functions that "
                  "they reach.\n"))
      << text;
}

TEST(Summary, OfTimesSaysWhatIsKnown) {
  facts of = example();
  of.planned.sums.untimed = of.planned.sums.untimed_left_out = 2;
  EXPECT_TRUE(has(as_markdown(of, ""), "; at least 3.50 s saved (the time of 2 tests is not known)\n"));
  of.planned.sums.untimed = of.planned.sums.untimed_left_out = 7;
  EXPECT_TRUE(has(as_markdown(of, ""), "; how much time that saves is not known yet\n"));
  of.planned.sums.untimed = of.planned.sums.untimed_left_out = 0;
  of.planned.sums.total_seconds = 1.0421;
  EXPECT_TRUE(has(as_markdown(of, ""), "; 42 ms of 1.04 s saved\n"));
  of.planned.sums = {.selected = 10, .total = 10, .selected_seconds = 3, .total_seconds = 3};
  EXPECT_FALSE(has(as_markdown(of, ""), "saved"));
}

TEST(Summary, OfNoRunSaysSo) {
  facts of = example();
  of.ran = 0;
  EXPECT_TRUE(as_markdown(of, "").starts_with("### Morph: 3 tests selected, none has run yet\n"));
}

TEST(Summary, AsJsonIsWhole) {
  const auto all = nlohmann::json::parse(as_json(large(100)));
  EXPECT_EQ(all.at("schema"), "morph.summary/1");
  EXPECT_EQ(all.at("failed").size(), 100U);
  EXPECT_EQ(all.at("violated").size(), 100U);
  EXPECT_EQ(all.at("changed_lines").at("not_run").size(), 100U);
  EXPECT_EQ(all.at("mutants").at("survivors").size(), 100U);
  EXPECT_EQ(all.at("plan").at("reasons").at(1),
            nlohmann::json({{"reason", "new"}, {"tests", 1}, {"details", nlohmann::json::array()}}));
  const auto none = nlohmann::json::parse(as_json(example()));
  EXPECT_EQ(none.at("changed_lines"), nullptr);
  EXPECT_EQ(none.at("mutants"), nullptr);
  facts hostile = example();
  hostile.failed = {"\xff"};
  EXPECT_EQ(nlohmann::json::parse(as_json(hostile)).at("failed").at(0), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace morph::summary
