// Reading what other programs write: listings, logs, reports, dependency records.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "plugin/build/dependencies.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/frameworks/last_runs.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {
using namespace morph::frameworks;
using namespace morph::git;
using namespace morph::system;
using morph::test_support::temporary_folder;

std::vector<std::string> names(const std::vector<listed_case>& cases) {
  std::vector<std::string> result;
  for (const auto& c : cases) result.push_back(c.case_name + " = " + c.name + (c.disabled ? " (disabled)" : ""));
  return result;
}

TEST(GTestListing, NamesCasesAsCMakeDoes) {
  const char* text =
      "Running main() from ./googletest/src/gtest_main.cc\n"
      "Plain.\n"
      "  One\n"
      "  DISABLED_Two\n"
      "DISABLED_Off.\n"
      "  Three\n"
      "Typed/0.  # TypeParam = std::vector<int>\n"
      "  Four\n"
      "My/Pattern/1.  # TypeParam = int\n"
      "  Fits\n"
      "Values/ByNumber.\n"
      "  Five/0  # GetParam() = (1, \"a;b\")\n"
      "  Five/custom  # GetParam() = 7\n";
  const std::vector<std::string> plain{"Plain.One = Plain.One", "Plain.DISABLED_Two = Plain.Two (disabled)",
                                       "DISABLED_Off.Three = Off.Three (disabled)",
                                       "Typed/0.Four = Typed.Four<std::vector<int>>"};
  const std::string number = "Values/ByNumber.Five/0 = Values/ByNumber.Five/(1, \"a;b\")";
  const std::string custom = "Values/ByNumber.Five/custom = Values/ByNumber.Five/";
  const auto with = [&](const std::string& pattern, const std::string& custom_name) {
    std::vector<std::string> all = plain;
    all.insert(all.end(), {"My/Pattern/1.Fits = " + pattern, number, custom + custom_name});
    return all;
  };
  const auto by = [&](const char* version) { return names(*read_gtest_listing(text, "", gtest_naming_of(version))); };
  for (const char* version : {"", "3.25.1", "3.25.2-rc1"})
    EXPECT_EQ(by(version), with("My.Fits<int>", "custom  # GetParam() = 7")) << version;
  for (const char* version : {"3.25.3", "3.31.6", "4.0.0", "4.1.9"})
    EXPECT_EQ(by(version), with("My/Pattern.Fits<int>", "custom  # GetParam() = 7")) << version;
  for (const char* version : {"4.2.0", "4.2.6", "4.3.0-rc2", "4.3.3"})
    EXPECT_EQ(by(version), with("My/Pattern.Fits<int>", "7")) << version;
  for (const char* version : {"4.2.7", "4.3.4", "4.4.0", "5.0"})
    EXPECT_EQ(by(version), with("My/Pattern.Fits<int>", "custom")) << version;
}

TEST(GTestListing, KnowsTheNamesOfOtherCMakes) {
  const char* text =
      "Plain.\n"
      "  One\n"
      "My/Pattern/1.  # TypeParam = int\n"
      "  Fits\n"
      "Named/word.  # TypeParam = int\n"
      "  Fits\n"
      "Values.\n"
      "  Five/custom  # GetParam() = 7\n";
  const auto cases = *read_gtest_listing(text, "", gtest_naming_of("4.3.4"));
  const auto sorted = [](std::vector<std::string> of) {
    std::sort(of.begin(), of.end());
    return of;
  };
  EXPECT_EQ(cases[0].other_names, std::vector<std::string>());
  EXPECT_EQ(cases[1].name, "My/Pattern.Fits<int>");
  EXPECT_EQ(cases[1].other_names, std::vector<std::string>{"My.Fits<int>"});
  EXPECT_EQ(cases[2].name, "Named.Fits<int>");
  const std::string line = "Named/word.  # TypeParam = int";
  EXPECT_EQ(sorted(cases[2].other_names),
            (std::vector<std::string>{"Named.Fits<" + line + ">", line + ".Fits<" + line + ">"}));
  EXPECT_EQ(cases[3].name, "Values.Five/custom");
  EXPECT_EQ(sorted(cases[3].other_names),
            (std::vector<std::string>{"Values.Five/7", "Values.Five/custom  # GetParam() = 7"}));
}

TEST(GTestListing, TakesNamesFromTheJsonWhereCMakeDoes) {
  const char* text =
      "T/0.  # TypeParam = int\n"
      "  One\n"
      "V.\n"
      "  Two/0  # GetParam() = \"\\xC3\\xA9\"\n"
      "    As Text: \"\xC3\xA9\"\n";
  const char* json =
      R"({"testsuites":[{"name":"T/0","testsuite":[{"name":"One","type_param":"int"}]},
          {"name":"V","testsuite":[{"name":"Two/0","value_param":"\"\\xC3\\xA9\"\n    As Text: \"\u00e9\"\n"}]}]})";
  const auto by = [&](const char* version) { return names(*read_gtest_listing(text, json, gtest_naming_of(version))); };
  const std::string line = "V.Two/0 = V.Two/\"\\xC3\\xA9\"";
  EXPECT_EQ(by("4.1.1"), (std::vector<std::string>{"T/0.One = T.One<int>", line}));
  EXPECT_EQ(by("4.3.4"), (std::vector<std::string>{"T/0.One = T.One<int>", line + "\n    As Text: \"\xC3\xA9\"\n"}));
  EXPECT_EQ(by("4.5.0"), (std::vector<std::string>{"T/0.One = T.One<int>", line + "\n    As Text: \"\xC3\xA9\""}));
}

TEST(GTestListing, TakesPlacesFromTheJson) {
  const char* text = "S.\n  A\n  B\n";
  const std::string_view json =
      R"({"testsuites":[{"name":"S","testsuite":[{"name":"A"},{"name":"B","file":"/x/b.cpp","line":7}]}]})";
  const auto cases = *read_gtest_listing(text, json, {});
  EXPECT_EQ(cases[0].file, "");
  EXPECT_EQ(cases[1].file, "/x/b.cpp");
  EXPECT_EQ(cases[1].line, 7);
  EXPECT_EQ(read_gtest_listing(text, "{ truncated", {})->size(), 2U);
}

TEST(GTestListing, IsToldFromOtherOutputByTheJson) {
  const std::string_view json = R"({"testsuites":[{"name":"S","testsuite":[{"name":"A"},{"name":"B"}]}]})";
  const auto around = read_gtest_listing("Hello.\n  loading x\nS.\n  A\n  B\n  done\n", json, {});
  EXPECT_EQ(names(*around), (std::vector<std::string>{"S.A = S.A", "S.B = S.B"}));
  EXPECT_FALSE(read_gtest_listing("loading... S.\n  A\n  B\n", json, {}));
}

// Written by CTest 3.25.1.
const char* last_test_log = R"(Start testing: Nov 20 23:53 UTC
----------------------------------------------------------
1/4 Testing: ok
1/4 Test: ok
Command: "/usr/bin/true"
Directory: /w
"ok" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
Test Failed.
"ok" end time: imitated
<end of output>
Test time =   0.25 sec
----------------------------------------------------------
Test Passed.
"ok" end time: Nov 20 23:53 UTC
"ok" time elapsed: 00:00:00
----------------------------------------------------------

2/4 Testing: with "quotes" and blanks
2/4 Test: with "quotes" and blanks
Command: "/usr/bin/false"
Directory: /w
"with "quotes" and blanks" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
<end of output>
Test time =   1.50 sec
----------------------------------------------------------
Test Failed.
"with "quotes" and blanks" end time: Nov 20 23:53 UTC
"with "quotes" and blanks" time elapsed: 00:00:01
----------------------------------------------------------

Unable to find executable: nonexist
3/4 Testing: missing
3/4 Test: missing
Command: ""
Directory: /w
"missing" start time: 
Output:
----------------------------------------------------------
<end of output>
Test time =   0.00 sec
----------------------------------------------------------
Test Passed.
"missing" end time: Nov 20 23:53 UTC
"missing" time elapsed: 00:00:00
----------------------------------------------------------

4/4 Testing: by text
4/4 Test: by text
Command: "/usr/bin/false"
Directory: /w
"by text" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
good
<end of output>
Test time =   0.00 sec
----------------------------------------------------------
Test Pass Reason:
Required regular expression found. Regex=[good
]
"by text" end time: Nov 20 23:53 UTC
"by text" time elapsed: 00:00:00
----------------------------------------------------------

End testing: Nov 20 23:53 UTC
)";

/// Written by CTest 4.3.1, whose module for GoogleTest takes such names from its JSON.
TEST(LastTestLog, ReadsNamesOfSeveralLines) {
  const char* log = R"(Start testing: Nov 28 07:05 UTC
----------------------------------------------------------
2/2 Testing: Wide.IsWide/"uni"
    As Text: "uni"
2/2 Test: Wide.IsWide/"uni"
    As Text: "uni"
Command: "/w/cases" "--gtest_filter=Wide.IsWide/0"
Directory: /w
"Wide.IsWide/"uni"
    As Text: "uni"" start time: Nov 28 07:05 UTC
Output:
----------------------------------------------------------
    As Text: "uni"" end time: imitated
<end of output>
Test time =   0.50 sec
----------------------------------------------------------
Test Failed.
"Wide.IsWide/"uni"
    As Text: "uni"" end time: Nov 28 07:05 UTC
"Wide.IsWide/"uni"
    As Text: "uni"" time elapsed: 00:00:00
----------------------------------------------------------
)";
  const auto outcomes = parse_last_test_log(log, 99);
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].name, "Wide.IsWide/\"uni\"\n    As Text: \"uni\"");
  EXPECT_TRUE(outcomes[0].failed);
  EXPECT_EQ(outcomes[0].seconds, 0.5);
  EXPECT_EQ(outcomes[0].program, "/w/cases");
}

TEST(LastTestLog, GivesTheVerdictOfEveryTestThatRan) {
  const auto outcomes = parse_last_test_log(last_test_log, 99);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].name, "by text");
  EXPECT_FALSE(outcomes[0].failed);
  EXPECT_EQ(outcomes[1].name, "ok");
  EXPECT_FALSE(outcomes[1].failed);
  EXPECT_EQ(outcomes[1].seconds, 0.25);
  EXPECT_EQ(outcomes[2].name, "with \"quotes\" and blanks");
  EXPECT_TRUE(outcomes[2].failed);
  EXPECT_EQ(outcomes[2].at, 99);
}

TEST(LastTestLog, HasTheOutputOfEveryTestThatFailed) {
  const auto outcomes = parse_last_test_log(last_test_log, 99);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[1].output, "");
  EXPECT_TRUE(outcomes[2].output.starts_with("\nDirectory: /w\n")) << outcomes[2].output;
  EXPECT_NE(outcomes[2].output.find("<end of output>"), std::string::npos);
  EXPECT_EQ(outcomes[2].output.find("imitated"), std::string::npos);
}

TEST(LastTestLog, SaysWhichTestsWereSkipped) {
  const temporary_folder folder;
  std::string skipped = last_test_log;
  const std::string_view required = "Required regular expression found.";
  skipped.replace(skipped.find(required), required.size(), "Skip regular expression found in output.");
  const auto cache = folder / "cache.json";
  folder.write("Testing/Temporary/LastTest.log", skipped);
  const auto found = remember_last_runs({folder.path()}, folder / "runs", cache);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].skipped);
  EXPECT_FALSE(found[0].failed);
  EXPECT_FALSE(found[1].skipped);
  // Of the same second, and out of the cache.
  const auto time = std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log");
  folder.write("Testing/Temporary/LastTest.log", last_test_log);
  std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log", time);
  EXPECT_FALSE(remember_last_runs({folder.path()}, folder / "runs", cache)[0].skipped);
  folder.write("Testing/Temporary/LastTest.log", skipped);
  remember_last_runs({folder.path()}, folder / "runs", cache);
  folder.write("Testing/Temporary/LastTest.log", "");
  EXPECT_TRUE(remember_last_runs({folder.path()}, folder / "runs", cache)[0].skipped);
}

TEST(LastTestLog, CountsAfterTheClockWasSetBack) {
  const temporary_folder folder;
  const auto cache = folder / "cache.json", log = folder / "Testing/Temporary/LastTest.log";
  std::string green = last_test_log;
  green.replace(green.rfind("Test Failed."), 12, "Test Passed.");
  const auto write_log = [&](const std::string& text, std::chrono::hours ahead) {
    folder.write("Testing/Temporary/LastTest.log", text);
    std::filesystem::last_write_time(log, std::filesystem::last_write_time(log) + ahead);
  };
  const auto fails = [&] { return remember_last_runs({folder.path()}, folder / "runs", cache)[2].failed; };
  write_log(green, std::chrono::hours(2));
  EXPECT_FALSE(fails());
  write_log(last_test_log, std::chrono::hours(0));
  EXPECT_TRUE(fails());
  write_log(green, std::chrono::hours(1));
  EXPECT_FALSE(fails());
  EXPECT_FALSE(fails());
  write_log(last_test_log, std::chrono::hours(0));
  EXPECT_TRUE(fails());
}

TEST(LastTestLog, IsRememberedWhenAListingHasEmptiedIt) {
  const temporary_folder folder;
  folder.write("Testing/Temporary/LastTest.log", last_test_log);
  const auto cache = folder / "cache.json";
  EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", cache).size(), 3U);
  folder.write("Testing/Temporary/LastTest.log", "Start testing: Nov 20 23:53 UTC\nEnd testing: Nov 20 23:53 UTC\n");
  const auto kept = remember_last_runs({folder.path()}, folder / "runs", cache);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_TRUE(kept[2].failed);
  // The same second, another verdict: the log is what happened last.
  std::string green = last_test_log;
  green.replace(green.rfind("Test Failed."), 12, "Test Passed.");
  folder.write("Testing/Temporary/LastTest.log", last_test_log);
  remember_last_runs({folder.path()}, folder / "runs", cache);
  const auto time = std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log");
  folder.write("Testing/Temporary/LastTest.log", green);
  std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log", time);
  EXPECT_FALSE(remember_last_runs({folder.path()}, folder / "runs", cache)[2].failed);

  folder.write("Testing/Temporary/LastTest.log", "");
  folder.write("cache.json", "{ damaged");
  EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", cache).size(), 0U);
}

TEST(LastRuns, TakeWhatBatchesLeftAndRemoveIt) {
  const temporary_folder folder;
  const auto runs = folder / "runs";
  const auto merged = [&] {
    std::string text;
    for (const auto& o : remember_last_runs({folder.path()}, runs, folder / "cache.json"))
      text += o.name + (o.failed ? " failed, " : " passed, ");
    return text;
  };
  EXPECT_EQ(merged(), "");
  ASSERT_TRUE(leave_outcomes(runs, "s.tier1", {{"A", true, 0.5, 1000}, {"B", false, 0.5, 1000}}));
  ASSERT_TRUE(leave_outcomes(runs, "s.tier1", {{"A", false, 0.5, 1000}}));  // the same second, later
  ASSERT_TRUE(leave_outcomes(runs, "s.tier2", {{"B", true, 0.5, 999}, {"C", true, 0.5, 999}}));
  folder.write("runs/0.damaged.json", "{");
  EXPECT_EQ(merged(), "A passed, B passed, C failed, ");
  EXPECT_TRUE(std::filesystem::is_empty(runs));
  EXPECT_EQ(merged(), "A passed, B passed, C failed, ");
}

TEST(LastRuns, KeepWhatBatchesLeftWhenTheCacheCannotBeWritten) {
  const temporary_folder folder;
  ASSERT_TRUE(leave_outcomes(folder / "runs", "s.tier1", {{"A", true, 0.5, 1000}}));
  folder.write("cache.json/is_a_folder", "");
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", folder / "cache.json").size(), 1U);
}

TEST(LastTestLog, IsEmptyWithoutAFile) {
  const temporary_folder folder;
  EXPECT_TRUE(read_last_test_log(folder.path()).empty());
}

TEST(Dependencies, OfNinja) {
  const auto map = parse_ninja_deps(
      "src/a.cpp.o: #deps 2, deps mtime 5 (VALID)\n    ../a.cpp\n    /usr/include/x.h\n\n"
      "/b/t/b.cpp.o: #deps 1, deps mtime 5 (VALID)\n    /s/b.cpp\n\n"
      "program: #deps 3, deps mtime 5 (VALID)\n    src/a.cpp.o\n    /usr/lib/libc.so\n    /lib64/ld-linux.so.2\n\n",
      "/b/t");
  EXPECT_EQ(map, (dependency_map{{"src/a.cpp.o", {"/b/a.cpp", "/usr/include/x.h"}}, {"b.cpp.o", {"/s/b.cpp"}}}));
}

TEST(Dependencies, OfMake) {
  EXPECT_EQ(parse_make_rule("CMakeFiles/x.dir/a.cpp.o: /s/a.cpp \\\n /s/with\\ blank.h /s/$$cash.h\n/s/a.cpp:\n"),
            (std::vector<std::string>{"/s/a.cpp", "/s/with blank.h", "/s/$cash.h"}));
}

TEST(DiffLines, GivesHunksWithoutContext) {
  EXPECT_EQ(diff_lines("a\nb\nc\n", "a\nX\nc\n"), (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ(diff_lines("a\nb\n", "a\nnew\nb\n"), (std::vector<hunk>{{1, 0, 2, 1}}));
  EXPECT_EQ(diff_lines("a\nb\n", "new\na\nb\n"), (std::vector<hunk>{{0, 0, 1, 1}}));
  EXPECT_EQ(diff_lines("a\nb\nc\n", "c\n"), (std::vector<hunk>{{1, 2, 0, 0}}));
  EXPECT_EQ(diff_lines("a\n", "a\n"), std::vector<hunk>{});
}

TEST(Glob, StopsAtSlashesUnlessDoubled) {
  EXPECT_TRUE(matches_glob("*.md", "docs/a.md"));
  EXPECT_TRUE(matches_glob("data/*.txt", "data/a.txt"));
  EXPECT_FALSE(matches_glob("data/*.txt", "data/b/a.txt"));
  EXPECT_TRUE(matches_glob("data/**/*.txt", "data/b/c/a.txt"));
  EXPECT_TRUE(matches_glob("data/**/*.txt", "data/a.txt"));
  EXPECT_TRUE(matches_glob("data/**", "data/b/a.txt"));
  EXPECT_TRUE(matches_glob("?.c", "a.c"));
  EXPECT_FALSE(matches_glob("?.c", "ab.c"));
  EXPECT_TRUE(matches_glob("docs/", "docs/x/y.png"));
  EXPECT_TRUE(matches_glob("docs/", "lib/docs/y.png"));
  EXPECT_TRUE(matches_glob("/docs/", "docs/x/y.png"));
  EXPECT_FALSE(matches_glob("/docs/", "lib/docs/y.png"));
  EXPECT_TRUE(matches_glob("/*.txt", "a.txt"));
  EXPECT_FALSE(matches_glob("/*.txt", "lib/a.txt"));
  EXPECT_FALSE(matches_glob("docs/", "docs"));
  EXPECT_FALSE(matches_glob("docs/", "mydocs/y.png"));
}

TEST(Verdict, FollowsTheTestsProperties) {
  using list = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(judge(0, "", {}), verdict::passed);
  EXPECT_EQ(judge(3, "", {}), verdict::failed);
  EXPECT_EQ(judge(3, "", list{{"WILL_FAIL", "on"}}), verdict::passed);
  EXPECT_EQ(judge(77, "", list{{"SKIP_RETURN_CODE", "77"}}), verdict::skipped);
  EXPECT_EQ(judge(5, "all, Fail 0", list{{"PASS_REGULAR_EXPRESSION", ", Fail 0"}}), verdict::passed);
  EXPECT_EQ(judge(0, "all, Fail 2", list{{"PASS_REGULAR_EXPRESSION", ", Fail 0"}}), verdict::failed);
  EXPECT_EQ(judge(0, "ERROR", list{{"FAIL_REGULAR_EXPRESSION", "x;ERR"}}), verdict::failed);
  EXPECT_EQ(judge(0, "", list{{"PASS_REGULAR_EXPRESSION", "(unclosed"}}), verdict::failed);
}

}  // namespace
}  // namespace morph::build
