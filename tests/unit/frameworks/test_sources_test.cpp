// Sources of tests by their names and texts.
#include "plugin/frameworks/test_sources.hpp"

#include <gtest/gtest.h>

#include "coverage/naming/test_names.hpp"

namespace morph::frameworks {
namespace {

TEST(TestSources, AreNamedSo) {
  for (const char* path : {"tests/area.cpp", "a/test/b/area.cpp", "area_test.cc", "TestArea.cpp", "areaTests.cpp",
                           "test.cpp", "xmltest.cpp", "unit/area.cpp", "src/area.spec.cpp", "AreaUnitTest.cpp",
                           "test-area.cpp", "mock_clock.cpp", "spec/area.cpp", "util/testutil.cc"})
    EXPECT_TRUE(naming::is_named_as_tests(path)) << path;
  for (const char* path : {"main.cpp", "factorial.cpp", "src/latest.cpp", "contest.cpp", "src/units/area.cpp",
                           "src/unit.cpp", "src/testament.cpp", "src/protest.cpp", "checks.cpp"})
    EXPECT_FALSE(naming::is_named_as_tests(path)) << path;
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

}  // namespace
}  // namespace morph::frameworks
