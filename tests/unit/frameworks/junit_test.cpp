// JUnit: reports of several tools, what is none, and a round trip.
#include "plugin/frameworks/junit.hpp"

#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.hpp"

namespace morph::frameworks {
namespace {
using morph::test_support::temporary_folder;

/// "name classname verdict, ..."
std::string read(const std::string& xml) {
  const temporary_folder folder;
  folder.write("j.xml", xml);
  const auto found = read_junit(folder / "j.xml");
  if (!found) return found.error().substr(found.error().find("j.xml"));
  std::string text;
  for (const junit_case& c : *found)
    text += c.name + "|" + c.classname +
            (c.how == junit_case::verdict::passed   ? " passed, "
             : c.how == junit_case::verdict::failed ? " failed, "
                                                    : " skipped, ");
  return text;
}

TEST(JUnit, OfCTest) {
  EXPECT_EQ(read(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="4" failures="1" disabled="1" skipped="1" hostname="" time="1">
  <testcase name="A.One" classname="A.One" time="0.01" status="run"><system-out>out</system-out></testcase>
  <testcase name="A.Two" classname="A.Two" time="0.01" status="fail"><failure message=""/></testcase>
  <testcase name="A.Off" classname="A.Off" time="0" status="disabled"><skipped message="Disabled"/></testcase>
  <testcase name="A.Gone" classname="A.Gone" time="0" status="notrun"><skipped message="Unable to find it"/></testcase>
</testsuite>)"),
            "A.One|A.One passed, A.Two|A.Two failed, A.Off|A.Off skipped, A.Gone|A.Gone skipped, ");
}

TEST(JUnit, OfGoogleTest) {
  EXPECT_EQ(read(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" disabled="1" errors="0" time="0.1" name="AllTests">
  <testsuite name="A" tests="3"><testcase name="One" status="run" result="completed" time="0." classname="A" />
    <testcase name="Two" status="run" result="completed" time="0." classname="A">
      <failure message="a.cpp:3&#x0A;Failed" type=""><![CDATA[a.cpp:3
Failed]]></failure></testcase>
    <testcase name="Three" status="run" result="skipped" time="0." classname="A"><skipped message="a.cpp:9&#x0A;why"/></testcase>
    <testcase name="DISABLED_Four" status="notrun" result="suppressed" time="0." classname="A" /></testsuite>
</testsuites>)"),
            "One|A passed, Two|A failed, Three|A skipped, DISABLED_Four|A skipped, ");
}

TEST(JUnit, OfCatch2AndDoctestAndPytest) {
  EXPECT_EQ(read(R"(<testsuites><testsuite name="unit" errors="1" failures="0" tests="2">
    <testcase classname="unit.global" name="throws" time="0.1"><error type="TEST_CASE">m</error></testcase>
    <testcase classname="unit.global" name="a case/a section" time="0.1"/><system-out/></testsuite></testsuites>)"),
            "throws|unit.global failed, a case/a section|unit.global passed, ");
  EXPECT_EQ(read(R"(<testsuites><testsuite name="d" errors="0" failures="1" tests="1">
    <testcase classname="/src/a.cpp" name="adds" time="0.000012" status="run">
      <failure message="2" type="CHECK"><![CDATA[at]]></failure></testcase></testsuite></testsuites>)"),
            "adds|/src/a.cpp failed, ");
  EXPECT_EQ(
      read(R"(<testsuites><testsuite name="pytest"><testcase classname="tests.test_a" name="test_b[1-x]" time="0.001"/>
    <testcase classname="tests.test_a" name="test_c"><skipped type="pytest.skip" message="no">n</skipped></testcase>
    <testcase classname="" name="tests.test_d"><error message="collection failure">e</error></testcase></testsuite></testsuites>)"),
      "test_b[1-x]|tests.test_a passed, test_c|tests.test_a skipped, tests.test_d| failed, ");
}

TEST(JUnit, OfNestedSuites) {
  EXPECT_EQ(read("<testsuites><testsuite><testsuite><testcase name='a'/><properties/></testsuite><testcase name='b'/>"
                 "</testsuite></testsuites>"),
            "a| passed, b| passed, ");
}

TEST(JUnit, WithoutCasesIsEmpty) {
  EXPECT_EQ(read("<testsuites/>"), "");
  EXPECT_EQ(read("<testsuite><testcase/></testsuite>"), "");
}

TEST(JUnit, RefusesWhatIsNoReport) {
  EXPECT_EQ(read("<html></html>"), "j.xml' is not a JUnit report: its root is <html>");
  EXPECT_EQ(read(""), "j.xml' is not a JUnit report: it is empty");
  EXPECT_EQ(read(" \n"), "j.xml' is not a JUnit report: it is empty");
  EXPECT_EQ(read("<testsuite><testcase name='a'>").find("j.xml' is not well-formed XML: "), 0U);
  EXPECT_EQ(read("passed").find("j.xml' is not well-formed XML: "), 0U);
  EXPECT_NE(read_junit("/nowhere/none.xml").error().find("cannot read '/nowhere/none.xml'"), std::string::npos);
}

TEST(JUnit, CutAtAnyLengthIsNoReport) {
  const std::string whole = write_junit("s", {{"a", "s", junit_case::verdict::failed, 1, "m", "o"}}, 0);
  const std::size_t end = whole.rfind('>');
  for (std::size_t length = 0; length < end; ++length)
    EXPECT_NE(read(whole.substr(0, length)).find(" is not "), std::string::npos) << length;
}

TEST(JUnit, GivesBackWhatWasWritten) {
  using how = junit_case::verdict;
  const std::vector<junit_case> cases{
      {R"(a <b> & "c" 'd';[e]\)", "s/t", how::passed, 0.25, "", ""},
      {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "", how::failed, 1.5, "expected <1>\nfound \"2\"", "]]> & <out>\n"},
      {"skips", "s", how::skipped, 0, "why & when", ""}};
  const temporary_folder folder;
  folder.write("j.xml", write_junit("a \"suite\"", cases, 86400));
  const auto found = read_junit(folder / "j.xml");
  ASSERT_TRUE(found) << found.error();
  ASSERT_EQ(found->size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ((*found)[i].name, cases[i].name);
    EXPECT_EQ((*found)[i].classname, cases[i].classname);
    EXPECT_EQ((*found)[i].how, cases[i].how);
    EXPECT_EQ((*found)[i].seconds, cases[i].seconds);
    EXPECT_EQ((*found)[i].message, cases[i].message);
    EXPECT_EQ((*found)[i].output, cases[i].output);
  }
}

TEST(JUnit, IsWrittenAsTheSchemaOfJenkinsPluginXUnitAsks) {
  const std::vector<junit_case> cases{{"A.One", "A", junit_case::verdict::passed, 0.0004, "", ""},
                                      {"A.Two", "A", junit_case::verdict::failed, 1.25, "why", "out"}};
  EXPECT_EQ(write_junit("all", cases, 86400), R"(<?xml version="1.0"?>
<testsuites>
    <testsuite name="all" tests="2" failures="1" errors="0" skipped="0" time="1.250" timestamp="1970-01-02T00:00:00Z">
        <testcase name="A.One" classname="A" time="0.000400"/>
        <testcase name="A.Two" classname="A" time="1.250000">
            <failure message="why">out</failure>
        </testcase>
    </testsuite>
</testsuites>
)");
}

TEST(JUnit, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(as_xml_text("a\tb\n"), "a\tb\n");
  EXPECT_EQ(as_xml_text(std::string("\0\x1b[m\x7f", 5)), "\xef\xbf\xbd\xef\xbf\xbd[m\x7f");
  EXPECT_EQ(as_xml_text("\xff\xc3"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(as_xml_text("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(as_xml_text("\xc0\x80\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(as_xml_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82"), "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82");
}

}  // namespace
}  // namespace morph::frameworks
