// morph mutate: mutants of a small project, what becomes of them, and what is made anew after a change.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class mutants : public testing::Test {
 protected:
  mutants() : p(measured().here()) {}
  ~mutants() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_shop);
    return shared;
  }
  project& p;
};

TEST_F(mutants, are_killed_by_the_tests_that_notice_them) {
  const std::string status = p.git({"status", "--porcelain"});
  const found_mutants found = mutate(p);
  const auto states = found.states();
  EXPECT_EQ(found.killer("src/price.cpp", 6, "all + 1"), "Price.OfMany");
  EXPECT_EQ(states.at("src/price.cpp:4 aor pieces + each"), "killed");
  for (const auto& m : found.json.at("mutants")) {
    // `all` and `many` are the same in no test, so that none has to run.
    if (m.at("replacement") == "all >= many") {
      EXPECT_EQ(m.at("covering"), 2);
      EXPECT_EQ(m.at("infected"), 0);
      EXPECT_EQ(m.at("ran"), 0);
    }
    if (m.at("replacement") == "pieces + each") {
      EXPECT_EQ(m.at("infected"), 2);
      EXPECT_EQ(m.at("unobserved"), 0);
    }
    // Nobody sees what a function without its body does elsewhere.
    if (m.at("operator") == "xt" && m.at("covering") != 0) {
      EXPECT_EQ(m.at("infected"), 0);
      EXPECT_EQ(m.at("unobserved"), m.at("covering"));
    }
  }
  EXPECT_EQ(states.at("src/price.cpp:5 ror all >= many"), "survived");  // no test has exactly 100
  EXPECT_EQ(states.at("src/price.cpp:11 aor price * 2"), "survived");   // nobody looks at the result
  EXPECT_EQ(states.at("src/price.cpp:14 aor n - 7"), "not covered");
  EXPECT_EQ(states.at("include/shop.hpp:8 neg !(a < b)"), "killed");
  EXPECT_EQ(states.at("src/count.cpp:5 inc ++n"), "timed out");
  EXPECT_EQ(states.at("src/count.cpp:5 sdl "), "timed out");
  EXPECT_EQ(found.tested("price(int, int)"), "tested");
  EXPECT_EQ(found.tested("discount(int)"), "pseudo-tested");
  EXPECT_EQ(found.tested("unused(int)"), "not covered");
  for (const auto& [mutant, state] : states) EXPECT_EQ(mutant.rfind("tests/", 0), std::string::npos) << mutant;
  // What has to be constant is.
  for (const auto& [mutant, state] : states)
    EXPECT_EQ(mutant.rfind("src/price.cpp:2 ", 0), std::string::npos) << mutant;
  // 10 * 10: four other operators, and other constants.
  EXPECT_GT(found.json.at("compile_time_only").at("src/price.cpp"), 4);
  EXPECT_EQ(found.json.at("compile_time_only").count("src/count.cpp"), 0U);
  EXPECT_EQ(found.json.at("rejected_by_compiler"), 0);
  EXPECT_EQ(found.json.at("tests"), 5);
  EXPECT_EQ(p.git({"status", "--porcelain"}), status);
}

TEST_F(mutants, of_initial_values_are_judged_by_the_tests_that_run_who_names_the_variable) {
  p.replace("src/price.cpp", "#include \"shop.hpp\"\n", "#include \"shop.hpp\"\n#include <string>\n");
  p.replace("src/price.cpp", "  return n + 7;\n}\n", R"(  return n + 7;
}
static const std::string currencies[] = {"euro", "yen"};
static const std::string countries[] = {"nowhere"};
static const std::string towns[] = {"far"};
static const std::string capital = towns[0] + "!";
std::string currency(int i) { return currencies[i]; }
std::string country(int i) { return countries[i] + capital; }
)");
  p.replace("tests/shop_test.cpp", "TEST(Price, OfFew)",
            "#include <string>\nstd::string currency(int i);\n"
            "TEST(Price, HasACurrency) { EXPECT_EQ(currency(0), \"euro\"); }\nTEST(Price, OfFew)");
  const auto of = [](const found_mutants& found, const std::string& original) {
    for (const auto& m : found.json.at("mutants"))
      if (m.at("original") == '"' + original + '"')
        return m.at("state").get<std::string>() + " " + std::to_string(m.at("infected").get<int>()) + "+" +
               std::to_string(m.at("unobserved").get<int>()) + " of " + std::to_string(m.at("covering").get<int>()) +
               " ran " + std::to_string(m.at("ran").get<int>()) + " " + m.at("reason").get<std::string>();
    return "no mutant of " + original;
  };
  const found_mutants found = mutate(p, {"--operators", "crp,xt"});
  EXPECT_EQ(of(found, "euro"), "killed 0+1 of 6 ran 1 ");
  EXPECT_EQ(of(found, "yen"), "survived 0+1 of 6 ran 1 ");
  EXPECT_EQ(of(found, "nowhere"), "survived 0+0 of 6 ran 0 no test runs what reads the variable");
  EXPECT_EQ(of(found, "far"), "survived 0+6 of 6 ran 6 ");  // read before the first test

  // Who else may read it is not known.
  p.replace("tests/shop_test.cpp", "TEST(Price, OfMany)", "// countries\nTEST(Price, OfMany)");
  EXPECT_EQ(of(mutate(p, {"--operators", "crp,xt", "--fresh"}), "nowhere"), "survived 0+6 of 6 ran 6 ");
  p.replace("tests/shop_test.cpp", "// countries", "#define JOINED(a, b) a##b");
  const found_mutants pasted = mutate(p, {"--operators", "crp,xt", "--fresh"});
  EXPECT_EQ(of(pasted, "nowhere"), "survived 0+6 of 6 ran 6 ");
  EXPECT_EQ(of(pasted, "yen"), "survived 0+6 of 6 ran 6 ");
}

TEST_F(mutants, of_functions_that_return_references_return_a_default_of_their_own) {
  p.replace("src/price.cpp", "int unused(int n) {", R"(#include <string>
int& stock(int kind) {
  static int pieces[] = {5, 7};
  return pieces[kind];
}
const std::string& label(int kind) {
  static const std::string labels[] = {"few", "many"};
  return labels[kind];
}
int unused(int n) {)");
  p.replace(
      "tests/shop_test.cpp", "TEST(Price, OfFew)",
      "#include <string>\nint& stock(int kind);\nconst std::string& label(int kind);\n"
      "TEST(Stock, OfOne) { EXPECT_EQ(++stock(1), 8); }\nTEST(Label, IsCalled) { label(1); }\nTEST(Price, OfFew)");
  const found_mutants found = mutate(p, {"--operators", "xt"});
  EXPECT_EQ(found.json.at("rejected_by_compiler"), 0);
  EXPECT_EQ(found.killer("src/price.cpp", 14, "static int morph_default{}; return morph_default;"), "Stock.OfOne");
  EXPECT_EQ(found.states().at("src/price.cpp:18 xt static std::string morph_default{}; return morph_default;"),
            "survived");
  EXPECT_EQ(found.tested("label(int)"), "pseudo-tested");
}

TEST_F(mutants, that_do_not_compile_in_a_header_of_others_are_left_out) {
  p.write("src/count.cpp", R"(#include "shop.hpp"
#include <algorithm>
#include <utility>
int count_down(int n) {
  using entry = std::pair<int, char>;
  static const entry steps[] = {{1, 'a'}, {2, 'b'}, {3, 'c'}, {4, 'd'}};
  return std::upper_bound(steps, steps + 4, n, [](int v, const entry& x) { return v < x.first; }) - steps;
}
)");
  const found_mutants found = mutate(p, {"--operators", "swm,ror"});
  EXPECT_GT(found.json.at("not_compilable").get<int>() + found.json.at("rejected_by_compiler").get<int>(), 0);
  EXPECT_EQ(found.states().count("src/count.cpp:7 swm std::lower_bound(steps, steps + 4, n, "
                                 "[](int v, const entry& x) { return v < x.first; })"),
            0U);
  EXPECT_EQ(found.states().at("src/count.cpp:7 ror v <= x.first"), "killed");
}

TEST_F(mutants, whose_value_differs_late_are_judged) {
  p.write("src/count.cpp", R"(#include "shop.hpp"
int count_down(int n) {
  int late = 0;
  for (int i = 0; i < 200000 + n; ++i)
    if (i >= 200000) ++late;
  return late;
}
)");
  const found_mutants found = mutate(p, {"--operators", "ror"});
  EXPECT_EQ(found.states().at("src/count.cpp:5 ror i > 200000"), "killed");
  EXPECT_EQ(found.states().at("src/count.cpp:5 ror i == 200000"), "killed");
}

TEST_F(mutants, of_chosen_operators_alone) {
  const found_mutants found = mutate(p, {"--operators", "neg,xt"});
  for (const auto& m : found.json.at("mutants"))
    EXPECT_TRUE(m.at("operator") == "neg" || m.at("operator") == "xt") << m.dump();
  EXPECT_GT(found.json.at("mutants").size(), 6U);
  const finished unknown = p.morph({"mutate", "--operators", "none"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("there is no mutation operator 'none'"), std::string::npos) << unknown.both();
}

TEST_F(mutants, a_test_that_fails_without_them_is_left_out) {
  p.replace("tests/shop_test.cpp", "EXPECT_EQ(count_down(4), 4)", "EXPECT_EQ(count_down(4), 5)");
  const found_mutants found = mutate(p);
  ASSERT_EQ(found.json.at("left_out_tests").size(), 1U);
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("name"), "Count.Down");
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("why"), "fails without a mutant");
  EXPECT_EQ(found.json.at("unlike_build"), nlohmann::json::array());
  EXPECT_EQ(found.states().at("src/count.cpp:5 inc ++n"), "not covered");
  p.build();  // before, nobody knew whether it fails there, too
  const finished again = p.morph({"mutate", "--fresh"});
  EXPECT_NE(again.out.find("test left out: Count.Down fails without a mutant, as in the ordinary build\n"),
            std::string::npos)
      << again.both();
  EXPECT_EQ(again.both().find("test differs"), std::string::npos) << again.both();
}

TEST_F(mutants, a_test_that_fails_in_their_twin_alone_is_called_by_its_name) {
  p.replace("tests/shop_test.cpp", "TEST(Larger",
            "#ifdef __OPTIMIZE__\nconst bool is_optimized = true;\n#else\nconst bool is_optimized = false;\n#endif\n"
            "TEST(Code, IsAsWritten) { EXPECT_FALSE(is_optimized); }\n"
            "TEST(Code, IsOptimized) { EXPECT_TRUE(is_optimized); }\n"
            "TEST(Larger");
  p.replace("tests/shop_test.cpp", "count_down(4), 4", "count_down(4), 5");
  p.build();
  const std::string users =
                        "test differs: Code.IsAsWritten: it passes in the ordinary build, and fails in the "
                        "mutation twin\n",
                    twins =
                        "test differs: Code.IsOptimized: it fails in the ordinary build, and passes in the "
                        "mutation twin\n";
  const finished first = p.morph({"mutate", "--operators", "xt"});
  EXPECT_NE(first.out.find(users), std::string::npos) << first.both();
  EXPECT_EQ(first.out.find(twins), std::string::npos) << first.both();  // no test that passes is run again
  EXPECT_NE(first.err.find("'Code.IsAsWritten' passes in the ordinary build and fails in the mutation twin, without "
                           "any mutant: it judges none. To see why, run `"),
            std::string::npos)
      << first.err;
  const auto command = first.err.find("run `") + 5;
  const finished by_hand = p.run({"sh", "-c", first.err.substr(command, first.err.find('`', command) - command)});
  EXPECT_NE(by_hand.exit, 0) << by_hand.both();
  EXPECT_NE(by_hand.out.find("[  FAILED  ] Code.IsAsWritten"), std::string::npos) << by_hand.both();

  // What is known of an earlier run of the tests is enough. Its verdicts count if they are of a later second.
  p.must_run(
      {"sh", "-c", "now=$(date +%s); until [ $(date +%s) -gt $now ]; do :; done; ctest --test-dir build || true"});
  const found_mutants found = mutate(p, {"--operators", "xt", "--fresh"});
  EXPECT_EQ(found.json.at("unlike_build"), nlohmann::json::parse(R"([{"name": "Code.IsAsWritten", "in_build": "passes"},
                                      {"name": "Code.IsOptimized", "in_build": "fails"}])"));
  std::map<std::string, std::string> why;
  for (const auto& test : found.json.at("left_out_tests")) why[test.at("name")] = test.at("why");
  EXPECT_EQ(why, (std::map<std::string, std::string>{
                     {"Code.IsAsWritten", "fails without a mutant, in the mutation twin alone"},
                     {"Count.Down", "fails without a mutant, as in the ordinary build"}}));
  // Nothing runs, and it is still so.
  EXPECT_EQ(mutate(p, {"--operators", "xt"}).json.at("unlike_build"), found.json.at("unlike_build"));
}

TEST_F(mutants, a_test_that_skips_itself_has_not_noticed_them) {
  p.replace("tests/shop_test.cpp", "{ discount(8); }",
            "{\n  if (discount(8) != 4) GTEST_SKIP();\n}\nTEST(Discount, NeedsAPrice) { GTEST_SKIP(); }");
  const found_mutants found = mutate(p);
  EXPECT_EQ(found.states().at("src/price.cpp:11 aor price * 2"), "survived");
  EXPECT_EQ(found.tested("discount(int)"), "pseudo-tested");
  ASSERT_EQ(found.json.at("left_out_tests").size(), 1U) << found.json.at("left_out_tests");
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("name"), "Discount.NeedsAPrice");
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("why"), "is skipped");
}

TEST_F(mutants, a_source_that_does_not_compile_says_so_and_loses_nothing) {
  p.replace("src/count.cpp", "int steps = 0;", "int steps = none;");
  const finished run = p.morph({"mutate"});
  EXPECT_EQ(run.exit, 3) << run.both();
  EXPECT_NE(run.err.find("'none' was not declared"), std::string::npos) << run.both();
  p.replace("src/count.cpp", "int steps = none;", "int steps = 0;");
  EXPECT_EQ(mutate(p).states().at("src/count.cpp:5 inc ++n"), "timed out");
}

TEST_F(mutants, a_score_below_the_wanted_one_is_a_finding) {
  EXPECT_EQ(p.morph({"mutate", "--fail-under", "1", "-q"}).exit, 0);
  const finished below = p.morph({"mutate", "--fail-under", "99", "-q"});
  EXPECT_EQ(below.exit, 1);
  EXPECT_NE(below.out.find("pseudo-tested: discount(int)"), std::string::npos) << below.both();
}

// ---- reports

TEST_F(mutants, are_reported_in_every_form) {
  const finished before = mutation_report(p, {});
  EXPECT_EQ(before.exit, 3);
  EXPECT_NE(
      before.err.find("there is no mutation result in '" + p.build_dir().string() + "'; run `morph mutate` first"),
      std::string::npos)
      << before.both();

  const finished run = p.morph({"mutate", "--json"});
  ASSERT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(mutation_report(p, {"--json"}).out, run.out);
  const nlohmann::json result = nlohmann::json::parse(run.out);
  const std::size_t all = result.at("mutants").size(), survived = result.at("states").at("survived");
  EXPECT_EQ(result.at("tests"), 5);
  EXPECT_EQ(result.at("by_test").at(0).at("name"), "Price.OfFew");
  EXPECT_GT(result.at("by_test").at(0).at("kills"), 0);

  const auto written = [&](const std::string& format) {
    const fs::path file = p.build_dir() / "reports" / format;
    const finished end = mutation_report(p, {"--format", format, "-o", file.string()});
    EXPECT_EQ(end.exit, 0) << end.both();
    EXPECT_EQ(end.out, "");
    return read_bytes(file);
  };
  EXPECT_NE(written("text").find("src/price.cpp:10: pseudo-tested: discount(int)\n"), std::string::npos);
  EXPECT_NE(mutation_report(p, {"-v"}).out.find("src/price.cpp:5:7: survived, its value never differs [ror] all > many "
                                                "-> all >= many\n  - if (all > many) {\n  + if (all >= many) {\n"),
            std::string::npos);

  const nlohmann::json elements = nlohmann::json::parse(written("mte"));
  EXPECT_EQ(elements.at("schemaVersion"), "2");
  std::map<std::string, std::size_t> statuses;
  for (const auto& [path, file] : elements.at("files").items()) {
    EXPECT_EQ(file.at("source"), p.read(path));
    for (const auto& m : file.at("mutants")) ++statuses[m.at("status")];
  }
  EXPECT_EQ(statuses.at("Survived"), survived);
  EXPECT_EQ(statuses.at("Killed") + statuses.at("Timeout"), result.at("killed"));
  EXPECT_EQ(statuses.at("NoCoverage"), result.at("states").at("not covered"));

  const nlohmann::json sarif = nlohmann::json::parse(written("sarif")).at("runs").at(0);
  ASSERT_EQ(sarif.at("results").size(), survived + 1);
  EXPECT_EQ(sarif.at("results").at(0).at("ruleId"), "pseudo-tested");
  std::set<std::string> rules;
  for (const auto& rule : sarif.at("tool").at("driver").at("rules")) rules.insert(rule.at("id"));
  for (const auto& found : sarif.at("results")) EXPECT_TRUE(rules.contains(found.at("ruleId"))) << found;

  const std::string github = written("github");
  EXPECT_EQ(github.rfind("::warning file=src/price.cpp,line=10,title=pseudo-tested::tests run discount(int), and", 0),
            0U)
      << github;
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), static_cast<std::ptrdiff_t>(survived + 1));

  const std::string junit = written("junit");
  EXPECT_NE(junit.find("<testsuite name=\"src/price.cpp\""), std::string::npos) << junit;
  const std::string csv = written("csv");
  EXPECT_EQ(csv.rfind("file,line,column,", 0), 0U);
  EXPECT_NE(csv.find("\nsrc/price.cpp,5,7,5,17,ror,all > many,all >= many,survived,"), std::string::npos) << csv;
  const std::string page = written("html");
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_GE(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), all + 1);
}

/// Nothing if there is none.
std::string chromium(const project& p) {
  const finished found =
      p.run({"sh", "-c", "command -v chromium-headless-shell || command -v chromium || command -v google-chrome"});
  return found.exit == 0 ? found.out.substr(0, found.out.find('\n')) : std::string();
}

TEST_F(mutants, are_shown_by_a_browser) {
  const std::string browser = chromium(p);
  if (browser.empty())
    GTEST_SKIP() << "not run: there is no Chromium here (Debian: apt install chromium-headless-shell)";
  const std::string hostile = "</script><script>document.title='broken'</script><b>";
  p.replace("src/price.cpp", "int unused(int n) {",
            "const char* shown() { return \"" + hostile + "\"; }\nint unused(int n) {");
  mutate(p, {"--operators", "crp,ror,xt"});
  p.replace("build/.morph/mutation/report.json", "discount(int)", "discount<b>(int)");
  const fs::path file = p.build_dir() / "page.html";
  ASSERT_EQ(mutation_report(p, {"--format", "html", "-o", file.string()}).exit, 0);

  /// What the page looks like there, as the browser writes it.
  const auto shown = [&](const std::string& place) {
    const finished end = p.run({browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
                                "--dump-dom", "file://" + file.string() + place});
    EXPECT_EQ(end.exit, 0) << end.err;
    return end.out.substr(end.out.find("<body"), end.out.rfind("<script") - end.out.find("<body"));
  };
  const std::string all = shown("#/mutants?state=survived");
  EXPECT_NE(all.find("<h1 tabindex=\"-1\">Mutants</h1>"), std::string::npos) << all;
  EXPECT_NE(all.find("only a part: --operators crp,ror,xt"), std::string::npos) << all;
  EXPECT_NE(all.find("<code>all &gt;= many</code>"), std::string::npos) << all;
  EXPECT_EQ(all.find("tag killed"), std::string::npos) << all;
  EXPECT_EQ(all.find("<b>(int)"), std::string::npos) << all;

  const std::string one = shown("#/mutants?mutant=src/price.cpp:5:7:ror.1");
  EXPECT_NE(one.find("<del>- if (all &gt; many) {</del>"), std::string::npos) << one;
  EXPECT_NE(shown("#/tests").find("aria-label=\"Tests\""), std::string::npos);
}

// ---- other frameworks

void write_frameworks(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Frameworks CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(Catch2 REQUIRED)
find_package(doctest REQUIRED)
find_package(Morph REQUIRED)
add_library(sums SHARED sums.cpp)
target_include_directories(sums PUBLIC .)
foreach(kind IN ITEMS catch doctest plain)
  add_executable(of_${kind} tests/${kind}_test.cpp)
  target_link_libraries(of_${kind} sums)
endforeach()
if(Catch2_VERSION VERSION_LESS 3)
  target_link_libraries(of_catch Catch2::Catch2)
else()
  target_link_libraries(of_catch Catch2::Catch2WithMain)
endif()
target_link_libraries(of_doctest doctest::doctest)
morph_add_suite(catch TARGET of_catch PRODUCTION sums)
morph_add_suite(doctest TARGET of_doctest PRODUCTION sums)
morph_add_suite(plain TARGET of_plain FRAMEWORK none PRODUCTION sums)
morph_add_spec(spec SOURCES tests/sums.spec.cpp LINK sums)
)");
  to.write("sums.hpp", R"(#pragma once
#include <cstdlib>
int by_catch(int a, int b);
int by_doctest(int a, int b);
int by_plain(int a, int b);
int by_spec(int a);
int at_start();
int loops_at_start(int n);
int reads_at_start(const int* from);
void ends_at_start(int status);
)");
  to.write("sums.cpp", R"(#include "sums.hpp"
int by_catch(int a, int b) {
  return a + b;
}
int by_doctest(int a, int b) {
  return a + b;
}
int by_plain(int a, int b) {
  return a + b;
}
int by_spec(int a) {
  return a * a;
}
int at_start() {
  return 6 + 1;
}
int loops_at_start(int n) {
  while (n > 0) n = n - 1;
  return n;
}
int reads_at_start(const int* from) {
  return from == nullptr ? 0 : *from;
}
void ends_at_start(int status) {
  if (status > 2) std::exit(status);
}
)");
  to.write("tests/catch_test.cpp", R"(#define CATCH_CONFIG_MAIN
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_test_macros.hpp>
#endif
#include "sums.hpp"
static const int seven = at_start();
static const int none = loops_at_start(2) + reads_at_start(nullptr);
static const bool goes_on = (ends_at_start(none), true);
TEST_CASE("sum, with sections") {
  SECTION("of two") { CHECK(by_catch(1, 2) == 3); }
  SECTION("of four") { CHECK(by_catch(2, 2) == 4); }
}
TEST_CASE("made at start") { CHECK(seven == 7); }
TEST_CASE("may fail", "[!mayfail]") { CHECK(by_catch(1, 2) == 4); }
)");
  to.write("tests/doctest_test.cpp", R"(#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "sums.hpp"
TEST_CASE("sum, with subcases") {
  SUBCASE("of two") { CHECK(by_doctest(1, 2) == 3); }
  SUBCASE("of four") { CHECK(by_doctest(2, 2) == 4); }
}
TEST_CASE("another") { WARN(by_doctest(1, 2) == 4); }
)");
  to.write("tests/plain_test.cpp", R"(#include "sums.hpp"
int main() { return by_plain(1, 2) == 3 && by_plain(2, 2) == 4 ? 0 : 1; }
)");
  to.write("tests/sums.spec.cpp", R"(#include <morph/morph.hpp>
#include "sums.hpp"
MORPH_SPEC(squares, int, int, s) {
  s.execute(by_spec);
  s.seeds("labelled", {{3, 9}});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("even", negate, [](auto& m, auto& o) { return m.output == o.output; });
}
)");
}

class mutants_of_frameworks : public testing::Test {
 protected:
  mutants_of_frameworks() : p(measured().here()) {}
  ~mutants_of_frameworks() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_frameworks);
    return shared;
  }
  project& p;
};

TEST_F(mutants_of_frameworks, are_judged_by_their_tests) {
  const found_mutants found = mutate(p, {"--operators", "aor,xt"});
  EXPECT_EQ(found.json.at("not_run"), nlohmann::json::array());
  EXPECT_EQ(found.json.at("left_out_tests"), nlohmann::json::array()) << found.json.at("left_out_tests");
  EXPECT_EQ(found.killer("sums.cpp", 3, "a - b"), "sum, with sections");
  EXPECT_EQ(found.killer("sums.cpp", 6, "a - b"), "sum, with subcases");
  EXPECT_EQ(found.killer("sums.cpp", 9, "a - b"), "of_plain");
  // 2 * 2 and 2 + 2 are the same, 1 * 2 and 1 + 2 are not.
  EXPECT_EQ(found.killer("sums.cpp", 3, "a * b"), "sum, with sections");
  const auto states = found.states();
  EXPECT_EQ(states.at("sums.cpp:12 aor a + a"), "killed");
  EXPECT_EQ(states.at("sums.cpp:11 xt return 0;"), "killed");
}

TEST_F(mutants_of_frameworks, are_not_noticed_by_a_program_that_skips_itself) {
  p.replace("tests/plain_test.cpp", "return by_plain(1, 2) == 3 &&", "if (by_plain(1, 1) != 2) return 77;\n  return");
  EXPECT_EQ(mutate(p, {"--operators", "aor"}).killer("sums.cpp", 9, "a - b"), "of_plain");
  const std::string suite = "TARGET of_plain FRAMEWORK none PRODUCTION sums";
  p.replace("CMakeLists.txt", suite, suite + " PROPERTIES SKIP_RETURN_CODE 77");
  p.build();
  const found_mutants skipped = mutate(p, {"--operators", "aor"});
  EXPECT_EQ(skipped.json.at("not_run"), nlohmann::json::array());
  EXPECT_EQ(skipped.states().at("sums.cpp:9 aor a - b"), "survived");
  p.replace("CMakeLists.txt", "SKIP_RETURN_CODE 77", "SKIP_REGULAR_EXPRESSION skipped");
  p.build();
  EXPECT_EQ(mutate(p, {"--operators", "aor"}).json.at("not_run"),
            nlohmann::json{"suite 'plain': tests with the property SKIP_REGULAR_EXPRESSION cannot judge mutants yet"});
  p.replace("CMakeLists.txt", " PROPERTIES SKIP_REGULAR_EXPRESSION skipped", "");
  p.build();
  EXPECT_EQ(mutate(p, {"--operators", "aor"}).json.at("not_run"), nlohmann::json::array());
}

TEST_F(mutants_of_frameworks, are_judged_with_the_header_that_the_program_has) {
  std::string own = read_bytes("/usr/include/doctest/doctest.h");
  const std::string query = "virtual void report_query(const QueryData&";
  ASSERT_NE(own.find(query), std::string::npos);
  own.insert(own.find(query), "virtual void of_its_own() {}\n    ");  // calls of its reporters are others
  p.write("tests/own/doctest.h", own);
  p.write("tests/compatible.h", "#include \"own/doctest.h\"\n");
  p.replace("tests/doctest_test.cpp", "<doctest/doctest.h>", "\"compatible.h\"");
  const found_mutants found = mutate(p, {"--operators", "aor"});
  EXPECT_EQ(found.json.at("left_out_tests"), nlohmann::json::array()) << found.json.at("left_out_tests");
  EXPECT_EQ(found.killer("sums.cpp", 6, "a - b"), "sum, with subcases");
}

TEST_F(mutants_of_frameworks, that_run_before_the_first_test_have_programs_of_their_own) {
  const found_mutants found = mutate(p, {"--operators", "aor,xt"});
  EXPECT_EQ(found.killer("sums.cpp", 15, "6 - 1"), "made at start");
  EXPECT_EQ(found.killer("sums.cpp", 14, "return 0;"), "made at start");
}

TEST_F(mutants_of_frameworks, end_their_program_before_the_first_test_in_any_way) {
  const found_mutants found = mutate(p, {"--operators", "aor,ror"});
  const auto how = [&](const std::string& replacement) {
    for (const auto& m : found.json.at("mutants"))
      if (m.at("replacement") == replacement)
        return m.at("state").get<std::string>() + ", " + m.at("reason").get<std::string>();
    return "no mutant " + replacement;
  };
  EXPECT_EQ(how("n + 1"), "timed out, before the first test");
  EXPECT_EQ(how("from != nullptr"), "crashed, signal 11 before the first test");
  EXPECT_EQ(how("status != 2"), "killed, before the first test");
}

class mutants_of_headers : public testing::Test {
 protected:
  mutants_of_headers() : p(measured().here()) {}
  ~mutants_of_headers() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_headers);
    return shared;
  }
  /// One source beside the tests uses next to nothing of the headers.
  static void write_headers(const project& to) {
    to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Headers CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(linked tests/linked.cpp)
target_include_directories(linked PUBLIC include)
add_executable(header_tests tests/header_test.cpp)
target_link_libraries(header_tests linked GTest::gtest_main)
morph_add_suite(headers TARGET header_tests)
)");
    to.write("include/text.hpp", R"(#pragma once
#include <optional>
#include <string>
template <typename T>
bool assign(const std::string& from, T& to) {
  to = from;
  return true;
}
template <typename T>
bool copy_to(const std::string& from, T& to) {
  bool done = assign(from, to);
  return done;
}
template <typename T>
T twice(T of) {
  T result = of + of;
  return result;
}
inline int length(const std::optional<std::string>& of) {
  if (of) return static_cast<int>(of->size());
  return -1;
}
constexpr int half(int n) {
  return n / 2;
}
static_assert(half(4) + 1 == 3);
)");
    to.write("tests/linked.cpp", "#include \"../include/text.hpp\"\nint linked() { return length({}) + 3; }\n");
    to.write("tests/header_test.cpp", R"(#include <gtest/gtest.h>
#include "text.hpp"
TEST(Text, IsCopied) {
  std::string to;
  EXPECT_TRUE(copy_to("a", to));
  EXPECT_EQ(to, "a");
}
TEST(Text, HasALength) {
  EXPECT_EQ(length("four"), 4);
  EXPECT_EQ(length({}), -1);
}
TEST(Number, Twice) { EXPECT_EQ(twice(3), 6); }
)");
  }
  project& p;
};

TEST_F(mutants_of_headers, are_those_of_the_instances_in_tests) {
  const found_mutants found = mutate(p);
  const auto states = found.states();
  EXPECT_EQ(found.killer("include/text.hpp", 16, "of - of"), "Number.Twice");
  EXPECT_EQ(found.killer("include/text.hpp", 20, "!(of)"), "Text.HasALength");
  EXPECT_EQ(states.at("include/text.hpp:6 sdl "), "killed");
  // assign(to, from) would write into what is const, in a function that is right by itself.
  EXPECT_EQ(states.count("include/text.hpp:11 swa assign(to, from)"), 0U);
  EXPECT_GT(found.json.at("not_compilable"), 0);
  EXPECT_EQ(found.json.at("rejected_by_compiler"), 0);
  // half(4) + 1 is nowhere but in an assertion of compilers; half() could be called.
  EXPECT_EQ(states.at("include/text.hpp:24 aor n * 2"), "not covered");
  for (const auto& m : found.json.at("mutants")) {
    const bool is_of_half = m.at("line") >= 23;
    EXPECT_EQ(m.at("reason") == "in a constexpr function: what compilers evaluate is not seen", is_of_half) << m;
  }
  EXPECT_GT(found.json.at("compile_time_only").at("include/text.hpp"), 3);
  for (const auto& [mutant, state] : states) EXPECT_EQ(mutant.rfind("tests/", 0), std::string::npos) << mutant;
}

}  // namespace
}  // namespace morph::end_to_end
