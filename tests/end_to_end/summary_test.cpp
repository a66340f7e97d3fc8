// morph report summary: of a branch whose change has a line without a test, a survivor, a function that no test checks
// and a violated relation.
#include <gtest/gtest.h>

#include <algorithm>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

void write_till(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Till CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(till src/price.cpp src/half.cpp)
target_include_directories(till PUBLIC src)
add_executable(till_tests tests/till_test.cpp)
target_link_libraries(till_tests till GTest::gtest_main)
morph_add_suite(till TARGET till_tests)
morph_add_spec(relations SOURCES tests/half.spec.cpp LINK till)
)");
  to.write("src/till.hpp", "#pragma once\nint price(int pieces);\nvoid count(int& pieces);\nint half(int x);\n");
  to.write("src/price.cpp",
           "#include \"till.hpp\"\nint price(int pieces) {\n  return pieces * 2;\n}\n"
           "void count(int& pieces) {\n  pieces += 1;\n}\n");
  to.write("src/half.cpp", "#include \"till.hpp\"\nint half(int x) {\n  return x / 2;\n}\n");
  to.write("tests/till_test.cpp", R"(#include <gtest/gtest.h>
#include "till.hpp"
TEST(Price, OfFew) { EXPECT_EQ(price(3), 6); }
TEST(Count, IsCalled) {
  int pieces = 0;
  count(pieces);
}
TEST(Other, Stays) { EXPECT_TRUE(true); }
)");
  to.write("tests/half.spec.cpp", R"(#include <morph/morph.hpp>
#include "till.hpp"
MORPH_SPEC(halves, int, int, s) {
  s.execute(half);
  s.seeds("some", {10, 60});
  auto add = s.datamorph("add two", [](int x) { return x + 2; });
  s.relation("one more", add, [](auto& m, auto& o) { return m.output == o.output + 1; });
}
)");
}

class summaries : public testing::Test {
 protected:
  summaries() : p(shared().here()) { shared().restore(); }
  ~summaries() override { shared().restore(); }
  /// Measured on the main branch.
  static workspace& shared() {
    static workspace made(write_till);
    return made;
  }
  std::string summary(names more = {}) const {
    more.insert(more.begin(), {"report", "summary"});
    const finished done = p.morph(more);
    EXPECT_EQ(done.exit, 0) << done.both();
    EXPECT_LE(std::ranges::count(done.out, '\n'), 40) << done.out;
    return done.out;
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }
  /// On a branch, and built.
  void change() const {
    p.git({"checkout", "--quiet", "-b", "feature"});
    p.replace("src/price.cpp", "return pieces * 2;", "if (pieces > 100)\n    return pieces;\n  return pieces * 2;");
    p.replace("src/price.cpp", "pieces += 1;", "pieces += 2;");
    p.replace("src/half.cpp", "x / 2", "x > 50 ? x : x / 2");
    p.commit("a change");
    p.build();
  }

  project& p;
};

TEST_F(summaries, say_what_a_change_selects_before_anything_ran) {
  change();
  const std::string text = summary();
  EXPECT_TRUE(
      text.starts_with("### Morph: 4 tests selected, none has run yet\n\n**Selected** 4 of 5 tests (affected, "
                       "baseline "))
      << text;
  EXPECT_TRUE(has(text, "; ") && has(text, " saved\n- 4 changed-code: ")) << text;
  EXPECT_TRUE(has(text, "whether tests run 4 changed lines that are not measured yet (`morph measure`)")) << text;
  EXPECT_TRUE(has(text, "survivors in changed functions (`morph mutate --since ")) << text;
}

TEST_F(summaries, have_all_findings_of_a_change) {
  change();
  EXPECT_NE(p.ctest({"-L", "^morph$"}).exit, 0);
  p.measure();
  mutate(p, {"--since", "main"});
  const std::string text = summary({"--since", "main", "--report", "https://ci/1"});
  EXPECT_TRUE(
      text.starts_with("### Morph: 1 of 4 tests failed, 1 changed line without a test, 2 pseudo-tested functions, "))
      << text;
  EXPECT_TRUE(has(text,
                  "\n**Violated relations**\n- `halves`: `one more`; replay: `build/relations --test 'halves.one more' "
                  "--replay '{\"by\":\"add two\",\"from\":[{\"in\":"))
      << text;
  EXPECT_FALSE(has(text, "ailed tests**\n")) << text;
  EXPECT_TRUE(has(text, "\n**Changed lines that no test runs**: 1 of ")) << text;
  EXPECT_TRUE(has(text, "\n- `src/price.cpp:4` ")) << text;
  EXPECT_TRUE(has(text, "\n- `count(int &)` at `src/price.cpp:7`: its body could be `return;`\n")) << text;
  EXPECT_TRUE(has(text, "\n- `src/price.cpp:3:")) << text;
  EXPECT_TRUE(has(text, "\n**Selected** 4 of 5 tests (affected, baseline ")) << text;
  EXPECT_TRUE(text.ends_with("\n[Report](<https://ci/1>)\n")) << text;

  // What `morph explain` found stands beside it, until the source changes.
  const finished explained = p.morph({"explain", "count", "--json"});
  ASSERT_EQ(explained.exit, 1) << explained.both();
  const std::string advice =
      json::parse(explained.out).at("mutants").at(0).at("suggestion").at("lines").at(0).get<std::string>();
  const json whole = json::parse(summary({"--since", "main", "--json"}));
  EXPECT_EQ(whole.at("mutants").at("pseudo_tested").at(1).at("advice"), advice);
  EXPECT_EQ(whole.at("violated").at(0).at("test"), "halves.one more");
  p.replace("src/price.cpp", "pieces += 2;", "pieces += 3;");
  EXPECT_TRUE(has(summary({"--since", "main"}), "mutants of 1 file that changed after `morph mutate`"));
}

TEST_F(summaries, name_flaky_tests) {
  p.write("build/a.xml", "<testsuite><testcase name=\"Other.Stays\" time=\"0.1\"/></testsuite>");
  ASSERT_EQ(p.morph({"record", (p.build_dir() / "a.xml").string()}).exit, 0);
  EXPECT_FALSE(has(summary(), "Flaky"));
  p.write("build/b.xml", "<testsuite><testcase name=\"Other.Stays\"><failure/></testcase></testsuite>");
  std::filesystem::last_write_time(p.build_dir() / "b.xml",
                                   std::filesystem::last_write_time(p.build_dir() / "a.xml") + std::chrono::seconds(2));
  ASSERT_EQ(p.morph({"record", (p.build_dir() / "b.xml").string()}).exit, 0);
  EXPECT_TRUE(has(summary(), "\n**Flaky**, passed and failed on the same content: `Other.Stays`\n"));
}

TEST_F(summaries, stand_beside_a_page_of_all_that_there_is) {
  const finished run = p.morph({"report", "html", "-o", "out/report.html", "--json"});
  ASSERT_EQ(run.exit, 0) << run.both();
  const json said = json::parse(run.out);
  EXPECT_EQ(said.at("schema"), "morph.report-html/1");
  EXPECT_EQ(said.at("parts"), json::array());
  const auto exit_of = [&](const json& arguments) {
    const json& all = said.at("documents");
    return std::ranges::find(all, arguments, [](const json& each) { return each.at("arguments"); })->at("exit");
  };
  EXPECT_EQ(exit_of({"plan", "--why"}), 0);
  EXPECT_EQ(exit_of({"spec", "list"}), 0);
  EXPECT_EQ(exit_of({"report", "mutation"}), 3);  // nothing was judged
  EXPECT_EQ(p.read("out/report.html").size(), said.at("bytes"));
  EXPECT_EQ(p.morph({"report", "html", "-o", "CMakeLists.txt/report.html"}).exit, 3);
  EXPECT_EQ(p.morph({"report", "html"}).exit, 2);
}

TEST_F(summaries, are_written_to_files_and_refuse_what_is_not_there) {
  EXPECT_EQ(summary({"-o", (p.root() / "summary.md").string()}), "");
  EXPECT_TRUE(p.read("summary.md").starts_with("### Morph: "));
  const finished unknown = p.morph({"report", "summary", "--since", "nowhere"});
  EXPECT_EQ(unknown.exit, 2) << unknown.both();
  EXPECT_TRUE(has(unknown.err, "nowhere")) << unknown.err;
  EXPECT_EQ(p.morph({"report", "summary", "--junit", "none.xml"}).exit, 3);
  p.remove(".git");
  EXPECT_TRUE(has(summary(), "note: everything runs: "));
  EXPECT_EQ(p.morph({"report", "summary", "--since", "main"}).exit, 3);
}

}  // namespace
}  // namespace morph::end_to_end
