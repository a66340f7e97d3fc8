// Listings of Catch2 and doctest as their programs print them, and names as their filters take them.
#include "plugin/frameworks/framework.hpp"

#include <gtest/gtest.h>

#include "plugin/frameworks/ctest_verdict.hpp"

namespace morph::frameworks {
namespace {

using strings = std::vector<std::string>;

strings shown(const result<std::vector<listed_case>>& cases) {
  if (!cases) return {"error: " + cases.error()};
  strings result;
  for (const auto& c : *cases)
    result.push_back(c.case_name + " = " + c.name + " @" + c.file + ":" + std::to_string(c.line));
  return result;
}

// Catch2 3.7.1.
const char* const catch2_xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<MatchingTests>
  <TestCase>
    <Name>b, x [y]</Name>
    <ClassName/>
    <Tags>[tag]</Tags>
    <SourceInfo>
      <File>/p/t.cpp</File>
      <Line>4</Line>
    </SourceInfo>
  </TestCase>
  <TestCase>
    <Name>#new
line &lt;a&amp;b></Name>
    <ClassName>fixture</ClassName>
    <Tags/>
    <SourceInfo>
      <File>/p/t.cpp</File>
      <Line>11</Line>
    </SourceInfo>
  </TestCase>
</MatchingTests>
)";

TEST(Catch2Listing, OfVersion3IsXml) {
  const strings expected{"b, x [y] = b, x [y] @/p/t.cpp:4", "#new\nline <a&b> = \"#new\nline <a&b>\" @/p/t.cpp:11"};
  EXPECT_EQ(shown(parse_catch2_xml(catch2_xml)), expected);
  EXPECT_EQ(shown(parse_catch2_xml(std::string("Hello\n") + catch2_xml + "bye\n")), expected);
  EXPECT_EQ(shown(parse_catch2_xml("<?xml version=\"1.0\"?>\n<MatchingTests/>\n")), strings{});
}

TEST(Catch2Listing, ThatIsNoneIsAnError) {
  const std::string text = catch2_xml;
  for (const std::string& bad :
       {std::string(), std::string("All available test cases:\n  a\n1 test case\n"), text.substr(0, text.size() / 2),
        std::string("<?xml?><MatchingTests><</MatchingTests>")})
    EXPECT_EQ(shown(parse_catch2_xml(bad)), strings{"error: printed no list of tests"}) << bad;
}

// Catch2 2.13.10.
TEST(Catch2Listing, OfVersion2IsALineACase) {
  const char* text = "a\t@/p/t.cpp:3\nb, \"x\" [y]\t@/p:q/t.cpp:4\n\"#hash\"\t@t.cpp:10\n";
  EXPECT_FALSE(has_other_text(text));
  EXPECT_EQ(shown(parse_catch2_names(text, "")),
            (strings{"a = a @/p/t.cpp:3", "b, \"x\" [y] = b, \"x\" [y] @/p:q/t.cpp:4", "#hash = \"#hash\" @t.cpp:10"}));
  EXPECT_EQ(shown(parse_catch2_names("", "")), strings{});
}

TEST(Catch2Listing, OfVersion2HasNamesOfSeveralLines) {
  const char* text = "new\n\nline\t@t.cpp:1\nb\t@t.cpp:2\n";
  EXPECT_TRUE(has_other_text(text));
  EXPECT_EQ(shown(parse_catch2_names(text, "")), (strings{"new\n\nline = new\n\nline @t.cpp:1", "b = b @t.cpp:2"}));
}

TEST(Catch2Listing, OfVersion2IsToldFromWhatTheProgramPrints) {
  const char* text = "Hello\nseed 7\nnew\nline\t@t.cpp:1\nb\t@t.cpp:2\nbye\n";
  EXPECT_EQ(shown(parse_catch2_names(text, "Hello\nseed 8\nbye\n")),
            (strings{"new\nline = new\nline @t.cpp:1", "b = b @t.cpp:2"}));
}

TEST(Catch2Listing, OfVersion2ThatCannotBeToldIsAnError) {
  EXPECT_EQ(shown(parse_catch2_names("garbage\n", "")), strings{"error: printed no list of tests"});
  EXPECT_EQ(shown(parse_catch2_names("a\t@t.cpp:1\nbye\n", "")),
            strings{"error: printed 'bye' behind its list of tests, but not when no test matches"});
  EXPECT_EQ(shown(parse_catch2_names("Hello: a\t@t.cpp:1\nb\nc\t@t.cpp:2\n", "Hello: ")),
            strings{"error: its own output and its list of tests share the line 'Hello: a\t@t.cpp:1'"});
  EXPECT_EQ(shown(parse_catch2_names("a\t@t.cpp:1\n", "one\ntwo\n")),
            strings{"error: its own output and its list of tests share the line 'a\t@t.cpp:1'"});
}

TEST(Catch2Pattern, IsTheNameItselfWherePossible) {
  for (const char* name : {"a", "Suite: case - <int>", "#hash", "50% 'x' (y) {z}", "/slash", "é"})
    EXPECT_EQ(catch2_pattern(name), name);
}

TEST(Catch2Pattern, QuotesAndEscapesTheRest) {
  EXPECT_EQ(catch2_pattern("a, b"), R"("a\, b")");
  EXPECT_EQ(catch2_pattern("[x] \"y\" \\z"), R"("\[x\] \"y\" \\z")");
  EXPECT_EQ(catch2_pattern("-option"), "\"-option\"");
  EXPECT_EQ(catch2_pattern("~not"), "\"~not\"");
  EXPECT_EQ(catch2_pattern(" blank"), "\" blank\"");
  EXPECT_EQ(catch2_pattern(""), "\"\"");
  EXPECT_EQ(catch2_pattern("exclude:me"), "\"*xclude:me\"");
}

// doctest 2.4.9.
TEST(DoctestListing, IsXml) {
  const char* text = R"([start]
<?xml version="1.0" encoding="UTF-8"?>
<doctest binary="./td" version="2.4.9">
  <Options order_by="file" rand_seed="0"/>
  <TestCase name="b, x [y]" testsuite="s" filename="/p/t.cpp" line="6" skipped="false"/>
  <TestCase name="new
line &lt;>&amp;&quot;'" filename="/p/t.cpp" line="14" skipped="false"/>
  <TestCase filename="/p/t.cpp" line="17" skipped="false"/>
  <OverallResultsTestCases unskipped="3"/>
</doctest>
bye
)";
  EXPECT_EQ(shown(parse_doctest_xml(text)),
            (strings{"b, x [y] = b, x [y] @/p/t.cpp:6", "new\nline <>&\"' = new\nline <>&\"' @/p/t.cpp:14",
                     "(no name) = (no name) @/p/t.cpp:17"}));
  EXPECT_EQ(shown(parse_doctest_xml("[doctest] listing all test case names\na\n")),
            strings{"error: printed no list of tests"});
}

TEST(Listing, BytesThatXmlLacksArePutBack) {
  std::vector<listed_case> cases{{R"(a\x01b)", R"(a\x01b)", "", 0, false}, {R"(is \xFF)", R"(is \xFF)", "", 0, false}};
  EXPECT_TRUE(may_lack_bytes(cases));
  restore_bytes(cases,
                "a\x01"
                "b\nis \\xFF\n");
  EXPECT_EQ(cases[0].case_name,
            "a\x01"
            "b");
  EXPECT_EQ(cases[0].name,
            "a\x01"
            "b");
  EXPECT_EQ(cases[1].case_name, R"(is \xFF)");
  EXPECT_FALSE(may_lack_bytes({{R"(back\slash \x \xz)", "", "", 0, false}}));
}

TEST(Frameworks, SayHowCasesAreChosen) {
  const auto choose = [](const char* framework, strings names) { return find_framework(framework)->choose(names); };
  EXPECT_EQ(choose("gtest", {"A.b", "A.c"}), (strings{"--gtest_filter=A.b:A.c", "--gtest_also_run_disabled_tests"}));
  EXPECT_EQ(choose("catch2", {"a", "b, c"}), strings{R"(a,"b\, c")"});
  EXPECT_EQ(choose("doctest", {"a", "b, c\\d"}), strings{"--test-case=a,b? c?d"});
  EXPECT_EQ(choose("doctest", {"(no name)"}), strings{"--test-case-exclude=?*"});
  EXPECT_EQ(choose("doctest", {"a", "(no name)"}), strings{});
  EXPECT_EQ(find_framework("none"), nullptr);
}

// GoogleTest 1.12 and 1.10, also with GTEST_BRIEF; doctest 2.4.9; Catch2 2.13 and 3.
TEST(Frameworks, KnowTheOutputOfAProgramThatLacksTheCase) {
  using given = std::vector<std::pair<std::string, std::string>>;
  const auto ends = [](const char* framework, const std::string& output, const given& properties = {}) {
    return judge(0, output, properties_of_case(*find_framework(framework), properties));
  };
  const std::string none = "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n";
  EXPECT_EQ(ends("gtest", none), verdict::failed);
  EXPECT_EQ(ends("gtest", "[==========] 0 tests from 0 test cases ran. (0 ms total)\n"), verdict::failed);
  EXPECT_EQ(ends("gtest", "[==========] 10 tests from 10 test suites ran. (0 ms total)\n"), verdict::passed);
  EXPECT_EQ(ends("catch2", "Filters: nope\nNo test cases matched 'nope'\n"), verdict::failed);
  EXPECT_EQ(ends("catch2", "All tests passed (1 assertion in 1 test case)\n"), verdict::passed);
  EXPECT_EQ(ends("doctest", "[doctest] test cases: 0 | 0 passed | 0 failed | 1 skipped\n"), verdict::failed);
  EXPECT_EQ(ends("doctest", "[doctest] test cases:   1 |   1 passed |   0 failed |   0 skipped\n"), verdict::passed);
  const given theirs{{"FAIL_REGULAR_EXPRESSION", "bad one;bad two"}, {"PASS_REGULAR_EXPRESSION", "PASSED"}};
  EXPECT_EQ(ends("gtest", none, theirs), verdict::failed);
  EXPECT_EQ(ends("gtest", "bad two [  PASSED  ]", theirs), verdict::failed);
  EXPECT_EQ(ends("gtest", "[  PASSED  ] 1 test.", theirs), verdict::passed);
  EXPECT_EQ(ends("gtest", "nothing", theirs), verdict::failed);
  EXPECT_EQ(properties_of_case(*find_framework("spec"), theirs), theirs) << "such a program fails by itself";
}

}  // namespace
}  // namespace morph::frameworks
