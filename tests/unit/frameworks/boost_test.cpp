// Boost.Test: lists as its programs print them, names as its filters take them, its log and report of a batch.
#include "plugin/frameworks/boost.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "plugin/frameworks/junit_names.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::frameworks {
namespace {

using strings = std::vector<std::string>;

// Boost 1.74.
const char* const dot = R"dot(digraph G {rankdir=LR;
tu1[shape=ellipse,peripheries=2,fontname=Helvetica,color=green,label="My module"];
{
tu65536[shape=Mrecord,fontname=Helvetica,color=green,label="plain|/p/t.cpp(9)"];
tu1 -> tu65536;
tu2[shape=Mrecord,fontname=Helvetica,color=green,label="outer|/p/t.cpp(10)|expected failures=1|labels: @slow"];
tu1 -> tu2;
{
tu4[shape=Mrecord,fontname=Helvetica,color=green,label="of data|/p (x)/t.cpp(13)|timeout=3"];
tu2 -> tu4;
{
tu65549[shape=Mrecord,fontname=Helvetica,color=green,label="_0|/p (x)/t.cpp(13)"];
tu4 -> tu65549;
}
tu65538[shape=Mrecord,fontname=Helvetica,color=yellow,label="off|/p/t.cpp(15)"];
tu2 -> tu65538;
tu65540[shape=Mrecord,fontname=Helvetica,color=green,label="a "b"|c
d|/p/t.cpp(17)|labels: @l1 @l2"];
tu2 -> tu65540;
tu65540 -> tu65536[color=red,style=dotted,constraint=false];
}
}
}
)dot";

strings shown_dot(const result<std::vector<listed_case>>& cases) {
  if (!cases) return {"error: " + cases.error()};
  strings found;
  for (const auto& c : *cases) found.push_back(c.name + " @" + c.file + ":" + std::to_string(c.line));
  return found;
}

using morph::test_support::temporary_folder;

TEST(BoostListing, HasNestedCasesThatAreEnabled) {
  const strings expected{"plain @/p/t.cpp:9", "outer/of data/_0 @/p (x)/t.cpp:13", "outer/a \"b\"|c\nd @/p/t.cpp:17"};
  EXPECT_EQ(shown_dot(parse_boost_dot(dot)), expected);
  EXPECT_EQ(shown_dot(parse_boost_dot(std::string("Hello\n") + dot)), expected);
}

TEST(BoostListing, ThatIsNoneIsAnError) {
  for (const char* bad : {"", "Running 3 test cases...\n\n*** No errors detected\n"})
    EXPECT_EQ(shown_dot(parse_boost_dot(bad)), strings{"error: printed no list of tests"}) << bad;
}

TEST(BoostListing, ThatIsCutOffIsRead) {
  const std::string_view text = dot;
  for (std::size_t length = 0; length < text.size(); ++length) (void)parse_boost_dot(text.substr(0, length));
}

TEST(BoostPattern, LeavesWhatItsFiltersTakeForTheirOwn) {
  EXPECT_EQ(boost_pattern("outer/inner/c1"), "outer/inner/c1");
  EXPECT_EQ(boost_pattern("typed<int>"), "typed<int>");
  EXPECT_EQ(boost_pattern("a:b/c,d"), "a*/c*");
  EXPECT_EQ(boost_pattern("!not/!this"), "*not/!this");
  EXPECT_EQ(boost_pattern("@label"), "*label");
  EXPECT_EQ(boost_pattern(":x"), "*x");
  EXPECT_EQ(boost_pattern("*"), "*");
  EXPECT_EQ(choose_boost(strings{"a/b", "c"}), strings{"--run_test=a/b:c"});
}

TEST(BoostArguments, StandBeforeThoseOfTheProgramItself) {
  EXPECT_EQ(with_arguments(find_framework("boost"), {"--random", "--", "data"}, {"--run_test=a"}),
            (strings{"--random", "--run_test=a", "--", "data"}));
  EXPECT_EQ(with_arguments(find_framework("gtest"), {"--", "data"}, {"-x"}), (strings{"--", "data", "-x"}));
}

TEST(BoostReports, AreMatchedWithTests) {
  const std::vector<known_test> tests{{"outer/inner/a case", "p.outer/inner/a case"},
                                      {boost_name_in_junit("outer/inner/a case"), "p.outer/inner/a case"}};
  junit_case reported;
  reported.classname = "outer.inner";
  reported.name = "a_case";
  const auto found = match_names({reported}, tests);
  ASSERT_EQ(found.verdicts.size(), 1U);
  EXPECT_EQ(found.verdicts[0].name, "p.outer/inner/a case");
  EXPECT_TRUE(found.unknown.empty());
}

TEST(BoostSources, AreToldByTheirHeaders) {
  for (const char* text : {"#include <boost/test/unit_test.hpp>\n", "#include <boost/test/included/unit_test.hpp>\n"})
    EXPECT_EQ(frameworks_of_source(text), std::set<std::string>{"boost"}) << text;
  EXPECT_EQ(frameworks_of_source("#include <boost/testing.hpp>\n"), std::set<std::string>());
}

// ---- batches

/// A program's process as it writes its log.
class boost_batch : public ::testing::Test {
 protected:
  void ask(const strings& cases) {
    runner = make_boost_runner();
    ASSERT_TRUE(runner->arguments(cases, folder.path() / "scratch"));
  }
  static std::string text_of(const std::vector<case_event>& events) {
    std::string text;
    for (const case_event& e : events)
      text += std::string(1, "g>+-!~"[static_cast<int>(e.what)]) + e.name + (e.message.empty() ? "" : "=" + e.message) +
              ";";
    return text;
  }
  std::string log(const std::string& lines) {
    std::ofstream(folder.path() / "scratch/log", std::ios::app) << lines;
    return text_of(runner->read_progress());
  }
  std::optional<std::string> report(const std::string& inner) {
    std::ofstream(folder.path() / "scratch/report.xml") << "<TestResult>" << inner << "</TestResult>";
    const auto events = runner->read_report();
    return events ? std::optional(text_of(*events)) : std::nullopt;
  }

  temporary_folder folder;
  std::unique_ptr<framework_runner> runner;
};

TEST_F(boost_batch, TellsHowFarItIs) {
  ask({"outer/a", "outer/d/_0", "b", "off"});
  EXPECT_EQ(log("Running 3 test cases...\nEntering test module \"M\"\n"), "");
  EXPECT_EQ(log("t.cpp(1): Test case \"c\" is skipped because disabled\nt.cpp(2): Entering test suite \"outer\"\n"),
            "");
  EXPECT_EQ(log("t.cpp(3): Entering test case \"a\"\n"), ">outer/a;");
  EXPECT_EQ(log("a message: Entering test case \"b\"\nt.cpp(3): Leaving test ca"), "");
  EXPECT_EQ(log("se \"a\"; testing time: 12us\n"), "+outer/a;");
  EXPECT_EQ(log("t.cpp(4): Entering test suite \"d\"\nt.cpp(4): Entering test case \"_0\"\n"), ">outer/d/_0;");
  EXPECT_EQ(log("t.cpp(4): fatal error: in \"outer/d/_0\": critical check x has failed\n"
                "t.cpp(4): Leaving test case \"_0\"\n"),
            "-outer/d/_0=t.cpp(4): fatal error: in \"outer/d/_0\": critical check x has failed;");
  EXPECT_EQ(log("t.cpp(4): Leaving test suite \"d\"; testing time: 1ms\nt.cpp(2): Leaving test suite \"outer\"\n"), "");
  EXPECT_EQ(log("t.cpp(5): Test case \"off\" is skipped because precondition failed\n"),
            "~off=skipped because precondition failed;");
  EXPECT_EQ(log("t.cpp(6): Entering test case \"b\"\nt.cpp(6): Leaving test case \"b\"\n"), ">b;+b;");
}

TEST_F(boost_batch, LeavesToTheReportWhetherAFailureWasExpected) {
  ask({"a", "b"});
  EXPECT_EQ(log("t.cpp(1): Entering test case \"a\"\nt.cpp(1): error: in \"a\": check false has failed\n"
                "t.cpp(1): Leaving test case \"a\"; testing time: 12us\n"
                "t.cpp(2): Entering test case \"b\"\nt.cpp(2): error: in \"b\": check false has failed\n"
                "Failure occurred in a following context:\n    n = 1\n"
                "t.cpp(2): Leaving test case \"b\"; testing time: 12us\n"),
            ">a;>b;");
  EXPECT_EQ(
      report("<TestSuite name=\"M\" result=\"failed\"><TestCase name=\"a\" result=\"passed\"/>"
             "<TestCase name=\"b\" result=\"failed\"/></TestSuite>"),
      "+a;-b=t.cpp(2): error: in \"b\": check false has failed\nFailure occurred in a following context:\n    n = "
      "1;");
}

TEST_F(boost_batch, ThatIsAbortedHasNoReport) {
  ask({"a", "b"});
  EXPECT_EQ(log("t.cpp(1): Entering test case \"a\"\nunknown location(0): fatal error: in \"a\": signal: SIGSEGV\n"
                "Test is aborted\nt.cpp(1): Leaving test case \"a\"\nTest is aborted\n"),
            ">a;!a=unknown location(0): fatal error: in \"a\": signal: SIGSEGV\nTest is aborted;");
  EXPECT_EQ(report("<TestSuite name=\"M\" result=\"failed\"><TestCase name=\"a\" result=\"aborted\"/>"
                   "<TestCase name=\"b\" result=\"passed\"/></TestSuite>"),
            std::nullopt);
}

TEST_F(boost_batch, CallsNoCasePassedThatDidNotBegin) {
  ask({"a"});
  EXPECT_EQ(report("<TestSuite name=\"M\" result=\"failed\"><TestCase name=\"a\" result=\"passed\"/></TestSuite>"), "");
}

}  // namespace
}  // namespace morph::frameworks
