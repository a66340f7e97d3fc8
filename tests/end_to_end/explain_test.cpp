// morph explain: from a real result of `morph mutate` to explanations and assertions that kill. Where words count,
// observations are written by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

void write_basket(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Shop CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(shop src/basket.cpp)
target_include_directories(shop PUBLIC include)
add_executable(shop_tests tests/basket_test.cpp)
target_link_libraries(shop_tests shop GTest::gtest_main)
morph_add_suite(shop TARGET shop_tests)
)");
  to.write("include/basket.hpp", R"(#pragma once
#include <string>
namespace shop {
class basket {
 public:
  int add(int pieces, int each);
  int total() const { return total_; }
  std::string label() const;

 private:
  void count(int pieces);

  int total_ = 0;
  int pieces_ = 0;
};
}  // namespace shop
)");
  to.write("src/basket.cpp", R"(#include "basket.hpp"
namespace shop {
namespace {
int discount(int price) {
  return price > 100 ? price / 10 : 0;
}
}  // namespace
void basket::count(int pieces) {
  pieces_ += pieces;
}
int basket::add(int pieces, int each) {
  const int price = pieces * each;
  total_ += price - discount(price);
  count(pieces);
  return total_;
}
std::string basket::label() const {
  return "basket of " + std::to_string(pieces_);
}
}  // namespace shop
)");
  to.write("tests/basket_test.cpp", R"(#include <gtest/gtest.h>
#include "basket.hpp"
TEST(Basket, Adds) {
  shop::basket b;
  b.add(3, 5);
  EXPECT_EQ(b.total(), 15);
}
TEST(Basket, HasALabel) {
  shop::basket b;
  b.add(1, 4);
  EXPECT_FALSE(b.label().empty());
}
)");
}

class explained : public testing::Test {
 protected:
  explained() : p(shared().here()) { shared().restore(); }
  ~explained() override { shared().restore(); }

  static workspace& shared() {
    static workspace made(write_basket);
    static const bool is_judged = [] {
      mutate(made.here());
      made.save();
      return true;
    }();
    static_cast<void>(is_judged);
    return made;
  }

  finished explain(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "explain");
    return p.morph(more);
  }

  /// As the tool calls it: the place and the operator, with a number where several mutants share these.
  std::string id_of(int line, const std::string& op, const std::string& replacement) const {
    std::string id;
    int count = 0, number = 0;
    const json result = json::parse(p.read("build/.morph/mutation/report.json"));
    for (const json& each : result.at("mutants")) {
      if (each.at("file") != "src/basket.cpp" || each.at("line") != line || each.at("operator") != op) continue;
      ++count;
      if (each.at("replacement") != replacement) continue;
      number = count;
      id = "src/basket.cpp:" + std::to_string(line) + ':' + std::to_string(each.at("column").get<int>()) + ':' + op;
    }
    EXPECT_NE(id, "") << replacement;
    return count == 1 ? id : id + '.' + std::to_string(number);
  }
  std::string body_of_count() const { return id_of(8, "xt", "return;"); }

  static json difference_at_label(const std::string& original, const std::string& expression = "b.label()") {
    return {{"level", "test"},
            {"test", "Basket.HasALabel"},
            {"place", {{"file", "tests/basket_test.cpp"}, {"line", 11}, {"column", 16}}},
            {"expression", expression},
            {"type", "std::string"},
            {"property", ""},
            {"original", original},
            {"mutated", "\"basket of 0\""},
            {"private", false},
            {"invocation", 0},
            {"instruction", {{"file", "tests/basket_test.cpp"}, {"line", 10}, {"column", 3}}},
            {"call_path", {"Basket.HasALabel", "shop::basket::add(int, int)", "shop::basket::count(int)"}}};
  }

  /// What `morph explain` would have observed of the last result.
  void observe(const std::string& id, const std::string& symptom, const json& differences) const {
    const json result = json::parse(p.read("build/.morph/mutation/report.json"));
    const json mutant{{"id", id},
                      {"symptom", symptom},
                      {"tests", {{{"name", "Basket.HasALabel"}, {"calls", 1}, {"depth", 2}}}},
                      {"differences", differences},
                      {"left_out", 0},
                      {"operands", json::array()},
                      {"not_read", json::array()}};
    p.write(
        "build/.morph/explain/observed.json",
        json{{"schema", "morph.observed/1"}, {"of", result.at("at")}, {"stage", "propagation"}, {"mutants", {mutant}}}
            .dump());
  }

  project& p;
};

TEST_F(explained, observe_what_the_tests_see) {
  const finished done = explain({body_of_count(), "--runs", "3"});
  EXPECT_EQ(done.exit, 1) << done.both();
  for (const char* const each : {"weak-oracle", "Basket.HasALabel", "EXPECT_EQ(b.label(), \"basket of 1\")"})
    EXPECT_NE(done.out.find(each), std::string::npos) << each << '\n' << done.both();
}

TEST_F(explained, whose_value_never_differs_need_no_rewritten_test) {
  const finished done = explain({id_of(5, "ror", "price >= 100"), "--runs", "3"});
  EXPECT_EQ(done.exit, 1) << done.both();
  for (const char* const each : {"no-infection", "Basket.Adds (1 call", "`price` was 4 and 15"})
    EXPECT_NE(done.out.find(each), std::string::npos) << each << '\n' << done.both();
  const std::string mirror = "build/morph-twin/mutation-observed/source" + p.root().string();
  EXPECT_NE(p.read(mirror + "/src/basket.cpp").find("morph_observe"), std::string::npos);
  EXPECT_EQ(p.read(mirror + "/tests/basket_test.cpp").find("morph_observe"), std::string::npos);
}

TEST_F(explained, of_calls_alone_say_so) {
  const finished calls = explain({body_of_count(), "--runs", "3", "--stage", "infection"});
  EXPECT_NE(calls.out.find("only calls were observed: what tests see is not known"), std::string::npos) << calls.both();
  EXPECT_NE(explain({body_of_count(), "--runs", "3"}).out.find("weak-oracle"), std::string::npos);
  // What is known of tests by now is not forgotten.
  EXPECT_NE(explain({body_of_count(), "--stage", "infection"}).out.find("weak-oracle"), std::string::npos);
  EXPECT_EQ(explain({body_of_count(), "--stage", "suggestion"}).exit, 1);
}

TEST_F(explained, are_part_of_a_mutation_run_that_asks_for_them) {
  const finished done = p.morph({"mutate", "--only", "src/basket.cpp", "--explain", "1"});
  EXPECT_NE(done.out.find("1 survivor explained"), std::string::npos) << done.both();
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_EQ(p.morph({"mutate", "--only", "src/basket.cpp", "--explain", "1", "--fail-under", "99"}).exit, 1);
}

TEST_F(explained, needs_a_result_of_mutate) {
  p.remove("build/.morph/mutation/report.json");
  const finished run = explain();
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("there is no mutation result in"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("run `morph mutate` first"), std::string::npos) << run.err;
}

TEST_F(explained, needs_a_survivor_that_is_there) {
  const finished unknown = explain({"shop::basket::lable"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("no mutant, function or place 'shop::basket::lable'; did you mean 'shop::basket::label'?"),
            std::string::npos)
      << unknown.err;
  const finished place = explain({"src/basket.cpp:999"});
  EXPECT_EQ(place.exit, 2);
  EXPECT_NE(place.err.find("no mutant, function or place 'src/basket.cpp:999'"), std::string::npos) << place.err;
  const finished killed = explain({"src/basket.cpp:12"});
  EXPECT_EQ(killed.exit, 2);
  EXPECT_NE(killed.err.find("there is nothing to explain of 'src/basket.cpp:12'"), std::string::npos) << killed.err;
  const finished forms = explain({"--json", "--markdown"});
  EXPECT_EQ(forms.exit, 2);
  EXPECT_EQ(explain({"--since", "no-such-revision"}).exit, 3);
}

TEST_F(explained, needs_sources_as_they_were) {
  p.replace("src/basket.cpp", "price / 10", "price / 20");
  const finished run = explain({"shop::basket::count", "--stage", "suggestion"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("'src/basket.cpp' has changed since the last `morph mutate`; run `morph mutate` again"),
            std::string::npos)
      << run.err;
}

TEST_F(explained, needs_observations) {
  const finished none = explain({"shop::basket::count", "--stage", "suggestion"});
  EXPECT_EQ(none.exit, 3);
  EXPECT_NE(none.err.find("nothing was observed yet; without --stage, or with --stage propagation, its tests run"),
            std::string::npos)
      << none.err;
  p.write("build/.morph/explain/observed.json", "{\"schema\": \"morph.observed/1\"");
  const finished torn = explain({"shop::basket::count", "--stage", "suggestion"});
  EXPECT_EQ(torn.exit, 3);
  EXPECT_NE(torn.err.find("observed.json' cannot be read"), std::string::npos) << torn.err;
  p.write("build/.morph/explain/observed.json",
          R"({"schema": "morph.observed/1", "of": 1, "stage": "propagation", "mutants": []})");
  const finished old = explain({"shop::basket::count", "--stage", "suggestion"});
  EXPECT_EQ(old.exit, 3);
  EXPECT_NE(old.err.find("what was observed is of an earlier `morph mutate`"), std::string::npos) << old.err;
}

TEST_F(explained, needs_tests_as_they_were) {
  ASSERT_EQ(explain({body_of_count(), "--runs", "2"}).exit, 1);
  ASSERT_EQ(explain({body_of_count(), "--stage", "suggestion"}).exit, 1);
  p.replace("tests/basket_test.cpp", "EXPECT_FALSE(b.label().empty());", "EXPECT_EQ(b.label(), \"basket of 1\");");
  const finished run = explain({body_of_count(), "--stage", "suggestion"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("'tests/basket_test.cpp' has changed since tests were observed"), std::string::npos)
      << run.err;
}

TEST_F(explained, nothing_is_explained_of_a_change_without_mutants) {
  p.write("NOTES", "a change\n");
  const finished run = explain({"--diff", "--since", "HEAD"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(run.out, "nothing to explain: no survivor is meant\n");
}

TEST_F(explained, what_could_not_be_observed_is_said_with_the_reason) {
  const std::string mutant = body_of_count();
  observe(mutant, "no-infection", json::array());
  json kept = json::parse(p.read("build/.morph/explain/observed.json"));
  kept.at("mutants").at(0)["tests"] = json::array();
  kept.at("mutants").at(0)["not_read"] = {"calls of count(int): a compiler rejects its body as a lambda"};
  p.write("build/.morph/explain/observed.json", kept.dump());
  const finished run = explain({mutant, "--stage", "suggestion"});
  EXPECT_NE(run.out.find("note: 1 survivor could not be observed: calls of count(int): a compiler rejects its body"),
            std::string::npos)
      << run.both();
}

TEST_F(explained, a_weak_oracle_gets_an_assertion_that_kills) {
  const std::string mutant = body_of_count();
  observe(mutant, "weak-oracle", json::array({difference_at_label("\"basket of 1\"")}));

  const finished text = explain({mutant});
  EXPECT_EQ(text.exit, 1) << text.both();
  EXPECT_NE(text.out.find(
                "Assert in Basket.HasALabel, at tests/basket_test.cpp:11: `EXPECT_EQ(b.label(), \"basket of 1\");`"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("  led to by   tests/basket_test.cpp:10: b.add(1, 4);\n"), std::string::npos) << text.out;

  const finished fixed = explain({mutant, "--fix"});
  EXPECT_EQ(fixed.exit, 1) << fixed.both();
  EXPECT_NE(fixed.out.find("+  EXPECT_EQ(b.label(), \"basket of 1\");  // observed, not known to be right\n"),
            std::string::npos)
      << fixed.both();
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");

  const finished sarif = explain({mutant, "--sarif"});
  EXPECT_EQ(json::parse(sarif.out).at("runs").at(0).at("results").at(0).at("fixes").size(), 1U) << sarif.both();

  const finished applied = explain({mutant, "--apply"});
  EXPECT_EQ(applied.exit, 1) << applied.both();
  EXPECT_EQ(p.git({"status", "--porcelain"}), " M tests/basket_test.cpp");
  const std::string once = p.read("tests/basket_test.cpp");
  const finished again = explain({mutant, "--apply"});
  EXPECT_EQ(p.read("tests/basket_test.cpp"), once) << again.both();
  EXPECT_EQ(mutate(p).states().at("src/basket.cpp:8 xt return;"), "killed");
}

TEST_F(explained, assertions_that_fail_or_do_not_kill_are_left_out) {
  const std::string mutant = body_of_count();
  observe(mutant, "weak-oracle", json::array({difference_at_label("\"basket of 7\"")}));
  const finished fails = explain({mutant, "--fix"});
  EXPECT_EQ(fails.out.find("a/tests/basket_test.cpp"), std::string::npos) << fails.both();
  EXPECT_NE(fails.err.find("EXPECT_EQ(b.label(), \"basket of 7\");: Basket.HasALabel fails without a mutant"),
            std::string::npos)
      << fails.err;

  json total = difference_at_label("4", "b");
  total["type"] = "shop::basket";
  total["property"] = ".total_";
  total["private"] = true;
  observe(mutant, "weak-oracle", json::array({total}));
  const finished survives = explain({mutant, "--fix"});
  EXPECT_NE(survives.err.find("EXPECT_EQ(b.total(), 4);: Basket.HasALabel does not fail with the mutant"),
            std::string::npos)
      << survives.both();
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
}

TEST_F(explained, what_no_assertion_kills_gets_a_new_test) {
  const std::string mutant = id_of(4, "xt", "return 0;");
  observe(mutant, "no-infection", json::array());
  const finished fixed = explain({mutant, "--fix", "--json"});
  EXPECT_EQ(fixed.exit, 1) << fixed.both();
  const json fixes = json::parse(fixed.out).at("fixes");
  ASSERT_EQ(fixes.at("tests").size(), 1U) << fixed.both();
  EXPECT_EQ(fixes.at("tests").at(0).at("mutants"), json::array({mutant}));
  EXPECT_EQ(fixes.at("tests").at(0).at("file"), "tests/basket_survivors_test.cpp");
  EXPECT_NE(fixes.at("patch").get<std::string>().find("TEST(BasketSurvivors, "), std::string::npos);
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
  EXPECT_NE(fixed.err.find("of 1 survivor, 0 new assertions and 1 new test kill 1"), std::string::npos) << fixed.err;

  const finished applied = explain({mutant, "--apply"});
  EXPECT_EQ(p.git({"status", "--porcelain"}), " M CMakeLists.txt\n?? tests/basket_survivors_test.cpp")
      << applied.both();
  EXPECT_EQ(mutate(p).states().at("src/basket.cpp:4 xt return 0;"), "killed");
}

TEST_F(explained, what_nothing_kills_is_named_with_the_reason) {
  const std::string mutant = id_of(13, "uoi", "-price");
  p.replace("include/basket.hpp", "int add(int pieces, int each);", "int add(int pieces, int each) = delete;");
  observe(mutant, "no-infection", json::array());
  const finished fixed = explain({mutant, "--fix"});
  EXPECT_EQ(fixed.out.find("diff --git"), std::string::npos) << fixed.both();
  EXPECT_NE(fixed.err.find(mutant + ": no new test: "), std::string::npos) << fixed.err;
}

TEST_F(explained, what_no_test_can_call_has_a_nearest_function) {
  const std::string id = id_of(5, "ror", "price >= 100");
  json call = difference_at_label("0");
  call["level"] = "call";
  call["expression"] = "discount(int)";
  call["property"] = "result";
  observe(id, "no-propagation", json::array({call}));
  const finished run = explain({id});
  EXPECT_EQ(run.exit, 1) << run.both();
  EXPECT_NE(
      run.out.find(
          "The nearest function that leads to it is `shop::basket::add(int, int)` (include/basket.hpp), 1 call away"),
      std::string::npos)
      << run.both();
  const json kept = json::parse(p.read("build/.morph/explain/report.json"));
  EXPECT_EQ(kept.at("schema"), "morph.explain/1");
  EXPECT_EQ(kept.at("mutants").at(0).at("suggestion").at("targets").at(0), "shop::basket::add(int, int)");
  const finished page = mutation_report(p, {"--format", "html"});
  EXPECT_NE(page.out.find("The nearest function that leads to it"), std::string::npos);
}

// ---- other frameworks

/// Each framework's test passes whatever the function gives.
void write_weak_tests(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Weak CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(Catch2 REQUIRED)
find_package(doctest REQUIRED)
find_package(Morph REQUIRED)
add_library(sums sums.cpp)
target_include_directories(sums PUBLIC .)
add_executable(of_catch tests/catch_test.cpp)
add_executable(of_doctest tests/doctest_test.cpp tests/doctest_main.cpp)
if(Catch2_VERSION VERSION_LESS 3)
  target_sources(of_catch PRIVATE tests/catch_main.cpp)
  target_link_libraries(of_catch sums Catch2::Catch2)
else()
  target_link_libraries(of_catch sums Catch2::Catch2WithMain)
endif()
target_link_libraries(of_doctest sums doctest::doctest)
morph_add_suite(catch TARGET of_catch PRODUCTION sums)
morph_add_suite(doctest TARGET of_doctest PRODUCTION sums)
morph_add_spec(spec SOURCES tests/sums.spec.cpp LINK sums)
)");
  to.write("sums.hpp", "#pragma once\nint by_catch(int a);\nint by_doctest(int a);\nint by_spec(int a);\n");
  to.write("sums.cpp", R"(#include "sums.hpp"
int by_catch(int a) { return a + 4; }
int by_doctest(int a) { return a + 5; }
int by_spec(int a) { return a * a + 6; }
)");
  to.write("tests/catch_main.cpp", "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n");
  to.write("tests/doctest_main.cpp", "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n");
  to.write("tests/catch_test.cpp", R"(#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_test_macros.hpp>
#endif
#include "sums.hpp"
TEST_CASE("sum, with sections") {
  SECTION("of two") { CHECK(by_catch(2) < 100); }
}
)");
  to.write("tests/doctest_test.cpp", R"(#include <doctest/doctest.h>
#include "sums.hpp"
TEST_CASE("sum, with subcases") {
  SUBCASE("of two") { CHECK(by_doctest(2) < 100); }
}
)");
  to.write("tests/sums.spec.cpp", R"(#include <morph/morph.hpp>
#include "sums.hpp"
MORPH_SPEC(squares, int, int, s) {
  s.execute(by_spec);
  s.seeds("one", {3});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("even", negate, [](auto& m, auto& o) { return m.output == o.output; });
}
)");
}

TEST(explained_frameworks, have_words_and_assertions_of_their_own) {
  workspace here(write_weak_tests);
  project& p = here.here();
  mutate(p, {"--operators", "xt"});
  const finished done = p.morph({"explain", "--runs", "2", "--json"});
  ASSERT_EQ(done.exit, 1) << done.both();
  std::map<int, std::string> advice;  // by the function's line
  const json told = json::parse(done.out);
  for (const json& each : told.at("mutants")) {
    EXPECT_EQ(each.at("symptom"), "weak-oracle") << each.dump(1);
    if (each.at("change").at("replacement") == "return 0;")
      advice[each.at("change").at("line").get<int>()] = each.at("suggestion").at("lines").at(0);
  }
  EXPECT_EQ(advice[2], "Assert in sum, with sections, at tests/catch_test.cpp:8: `CHECK(by_catch(2) == 6);`");
  EXPECT_EQ(advice[3], "Assert in sum, with subcases, at tests/doctest_test.cpp:4: `CHECK(by_doctest(2) == 7);`");
  EXPECT_EQ(advice[4], "No relation of the spec `squares` notices that the output for 3 is 0 in place of 15.");
  const finished text = p.morph({"explain", "by_spec", "--runs", "2"});
  EXPECT_NE(text.out.find("difference  output for 3: 15 -> 0"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("call path   squares.even > by_spec(int)\n"), std::string::npos) << text.out;
}

}  // namespace
}  // namespace morph::end_to_end
