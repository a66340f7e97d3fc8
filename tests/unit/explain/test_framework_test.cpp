// Which framework a source of tests is of.
#include "plugin/explain/test_framework.hpp"

#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.hpp"

namespace morph::explain {
namespace {

class TestFramework : public testing::Test {
 protected:
  std::string of(const std::string& text, const std::vector<std::string>& suites = {}) {
    folder_.write("tests/some_test.cpp", text);
    build::build_tree tree;
    tree.source_dir = folder_.path();
    for (const std::string& each : suites) tree.suites.emplace_back().framework = each;
    return framework_of_tests(tree, "tests/some_test.cpp");
  }

  test_support::temporary_folder folder_;
};

TEST_F(TestFramework, IsThatOfAnIncludedHeader) {
  EXPECT_EQ(of("#include <catch2/catch.hpp>\n", {"gtest"}), "catch2");
  EXPECT_EQ(of("#include <doctest/doctest.h>\n"), "doctest");
}

TEST_F(TestFramework, IsThatOfAHeaderBesideIt) {
  folder_.write("tests/includes.h", "#pragma once\n#include \"deeper/all.h\"\n");
  folder_.write("tests/deeper/all.h", "#include \"../includes.h\"\n# include <catch2/catch.hpp>\n");
  EXPECT_EQ(of("#include \"includes.h\"\n", {"gtest"}), "catch2");
}

TEST_F(TestFramework, IsElseWhatTheSuitesHave) {
  EXPECT_EQ(of("#include \"elsewhere.h\"\n", {"none", "doctest", "doctest"}), "doctest");
  EXPECT_EQ(of("#include \"elsewhere.h\"\n", {"catch2", "doctest"}), "gtest");
  EXPECT_EQ(of(""), "gtest");
}

}  // namespace
}  // namespace morph::explain
