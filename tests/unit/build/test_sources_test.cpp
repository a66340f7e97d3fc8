// Sources of tests by their names and texts, and what directives say of lines.
#include "plugin/build/test_sources.hpp"

#include <gtest/gtest.h>

#include "plugin/build/line_directives.hpp"

namespace morph::build {
namespace {

using directives = std::vector<directed_lines>;

TEST(TestSources, AreNamedSo) {
  for (const char* path : {"tests/area.cpp", "a/test/b/area.cpp", "area_test.cc", "TestArea.cpp", "areaTests.cpp",
                           "test.cpp", "xmltest.cpp", "unit/area.cpp", "src/area.spec.cpp", "AreaUnitTest.cpp",
                           "test-area.cpp", "mock_clock.cpp", "spec/area.cpp"})
    EXPECT_TRUE(is_named_as_tests(path)) << path;
  for (const char* path : {"main.cpp", "factorial.cpp", "src/latest.cpp", "contest.cpp", "src/units/area.cpp",
                           "src/unit.cpp", "src/testament.cpp", "src/protest.cpp", "checks.cpp"})
    EXPECT_FALSE(is_named_as_tests(path)) << path;
}

TEST(TestSources, AreToldByTheFrameworkThatTheyInclude) {
  EXPECT_EQ(frameworks_of_source("#include <gtest/gtest.h>\n#  include \"doctest.h\"\n"),
            (std::set<std::string>{"doctest", "gtest"}));
  EXPECT_EQ(frameworks_of_source("#include \"area.h\"\n// doctest.h is not included\n"), std::set<std::string>());
}

TEST(TestSources, MentionTests) {
  EXPECT_TRUE(mentions_tests("#include <catch2/catch.hpp>\n"));
  EXPECT_TRUE(mentions_tests("OUR_TEST_CASE (\"of an area\") {}"));
  EXPECT_TRUE(mentions_tests("TYPED_TEST(Area, IsSquare) {}"));
  EXPECT_FALSE(mentions_tests("int area(int side) { return side * side; }  // TESTED by others"));
}

TEST(LineDirectives, GiveLinesOtherNames) {
  const std::string text =
      "int a;\n"
      "#line 10 \"area.y\"\n"
      "int b;\n"
      "int c;\n"
      "  # line 3\n"
      "int d;\n"
      "# 1 \"C:\\\\x.c\" 2\n"
      "int e;\n";
  EXPECT_EQ(directed_lines_of(text), (directives{{3, 4, "area.y", 10}, {6, 6, "area.y", 3}, {8, 8, "C:\\x.c", 1}}));
  EXPECT_EQ(number_of_lines(text), 8U);
}

TEST(LineDirectives, AreNoneInCommentsAndTexts) {
  EXPECT_EQ(directed_lines_of(
                "/*\n#line 5 \"a.y\"\n*/\nauto t = R\"(\n#line 5 \"a.y\"\n)\";\n#define line 3\nint a; // #line 7\n"),
            directives());
  EXPECT_EQ(directed_lines_of("#line 5 \"a.y\""), directives());  // nothing follows
}

}  // namespace
}  // namespace morph::build
