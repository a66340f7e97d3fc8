// morph mutate, run again: which verdicts are taken over, and which mutants are judged at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

class mutants_again : public testing::Test {
 protected:
  mutants_again() : p(judged().here()) {}
  ~mutants_again() override { judged().restore(); }
  static workspace& judged() {
    static workspace& shared = *[] {
      static workspace made(write_shop);
      mutate(made.here());
      made.save();
      return &made;
    }();
    return shared;
  }
  project& p;
};

/// `file:line` of the mutants that a test ran for.
std::set<std::string> lines_that_ran(const found_mutants& found) {
  std::set<std::string> lines;
  for (const auto& m : found.json.at("mutants"))
    if (m.at("ran") > 0) lines.insert(m.at("file").get<std::string>() + ":" + std::to_string(m.at("line").get<int>()));
  return lines;
}

std::vector<std::string> killers(const found_mutants& found, const std::string& file, int line,
                                 const std::string& replacement) {
  for (const auto& m : found.json.at("mutants"))
    if (m.at("file") == file && m.at("line") == line && m.at("replacement") == replacement) return m.at("killers");
  return {"no such mutant"};
}

int count(const found_mutants& found, const std::string& state) {
  const auto& all = found.json.at("mutants");
  return static_cast<int>(std::ranges::count_if(all, [&](const auto& m) { return m.at("state") == state; }));
}

TEST_F(mutants_again, keep_their_verdicts_while_nothing_changes) {
  const found_mutants fresh = mutate(p, {"--fresh"});
  EXPECT_GT(fresh.ran(), 10);
  const found_mutants again = mutate(p);
  EXPECT_EQ(again.states(), fresh.states());
  EXPECT_EQ(again.ran(), 0);
  EXPECT_EQ(again.json.at("cpu_seconds").at("build"), 0);
  EXPECT_EQ(again.json.at("cpu_seconds").at("baseline"), 0);
  EXPECT_EQ(again.json.at("tests"), 5);
  EXPECT_EQ(again.killer("src/price.cpp", 6, "all + 1"), "Price.OfMany");
}

TEST_F(mutants_again, keep_their_verdicts_under_comments) {
  const found_mutants before = mutate(p);
  p.replace("src/price.cpp", "  int all", "  // the whole price\n  int all /* of all */");
  p.write("README.md", "more");
  p.write("mutants.json", "what somebody has redirected");  // git does not know it
  const found_mutants after = mutate(p);
  EXPECT_EQ(after.ran(), 0);
  EXPECT_EQ(after.json.at("cpu_seconds").at("build"), 0);
  EXPECT_EQ(after.killer("src/price.cpp", 7, "all + 1"), "Price.OfMany");
  EXPECT_EQ(after.json.at("killed"), before.json.at("killed"));
}

TEST_F(mutants_again, are_read_again_where_a_source_has_changed) {
  mutate(p);
  const found_mutants again = mutate(p);
  EXPECT_EQ(again.json.at("units_read"), 0);
  p.replace("src/price.cpp", "pieces * each", "each * pieces");
  const found_mutants changed = mutate(p);
  EXPECT_EQ(changed.json.at("units_read"), 1);
  EXPECT_EQ(changed.states().at("src/price.cpp:4 aor each + pieces"), "killed");
  EXPECT_EQ(changed.states().count("src/price.cpp:4 aor pieces + each"), 0U);
}

TEST_F(mutants_again, have_a_new_twin_in_place_of_one_of_other_sources) {
  const std::string cache = "build/morph-twin/mutation/build/CMakeCache.txt";
  const std::string home = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  p.replace(cache, home, home + "/elsewhere");
  EXPECT_EQ(mutate(p, {"--fresh"}).states().at("src/price.cpp:4 aor pieces + each"), "killed");
  EXPECT_EQ(p.read(cache).find("/elsewhere"), std::string::npos);
}

TEST_F(mutants_again, of_a_changed_function_are_judged_again) {
  p.replace("src/price.cpp", "pieces * each", "each * pieces");
  const found_mutants found = mutate(p);
  EXPECT_EQ(lines_that_ran(found), (std::set<std::string>{"src/price.cpp:3", "src/price.cpp:4", "src/price.cpp:5",
                                                          "src/price.cpp:6", "src/price.cpp:8"}));
  EXPECT_EQ(found.states(), mutate(p, {"--fresh"}).states());
}

TEST_F(mutants_again, are_judged_again_where_a_header_says_something_else) {
  const std::string header = R"(#pragma once
#define HALVES 2
constexpr int step = 1;
inline int twice(int n) {
  return n * 2;
}
)";
  p.write("include/rates.hpp", header);
  p.replace("src/price.cpp", "#include \"shop.hpp\"", "#include \"shop.hpp\"\n#include \"rates.hpp\"");
  p.replace("src/price.cpp", "price / 2", "price / HALVES");
  p.replace("src/price.cpp", "all - 1", "all - step");
  mutate(p);
  EXPECT_EQ(mutate(p).ran(), 0);
  p.replace("include/rates.hpp", "2\n", "2  // of a pair\n");
  p.replace("include/rates.hpp", "return", "// that is,\n  return");
  const found_mutants commented = mutate(p);
  EXPECT_EQ(commented.ran(), 0);
  EXPECT_EQ(commented.json.at("cpu_seconds").at("build"), 0);
  p.replace("include/rates.hpp", "n * 2", "2 * n");
  EXPECT_EQ(mutate(p).ran(), 0);  // no test runs it

  const auto files_that_ran = [](const found_mutants& found) {
    std::set<std::string> files;
    for (const std::string& line : lines_that_ran(found)) files.insert(line.substr(0, line.find(':')));
    return files;
  };
  for (const auto& [from, to] : {std::pair("HALVES 2", "HALVES (1 + 1)"), std::pair("step = 1", "step = 2 - 1")}) {
    p.replace("include/rates.hpp", from, to);
    const found_mutants found = mutate(p);
    EXPECT_EQ(files_that_ran(found), (std::set<std::string>{"include/shop.hpp", "src/price.cpp"})) << to;
    EXPECT_EQ(mutate(p).ran(), 0);
  }
  // The tests include this one, and may look at anything in it.
  p.replace("include/shop.hpp", "#pragma once", "#pragma once\nenum class kind { small, large };");
  EXPECT_EQ(files_that_ran(mutate(p)), (std::set<std::string>{"include/shop.hpp", "src/count.cpp", "src/price.cpp"}));
}

TEST_F(mutants_again, are_judged_again_where_a_header_from_elsewhere_has_changed) {
  p.write("../outside/rate.hpp", "#pragma once\nconstexpr int rate = 2;\n");
  p.write("../outside/expected.hpp", "#pragma once\nconstexpr int expected = 4;\n");
  p.replace("CMakeLists.txt", "PUBLIC include", "PUBLIC include ../outside");
  p.replace("src/price.cpp", "#include \"shop.hpp\"", "#include \"shop.hpp\"\n#include \"rate.hpp\"");
  p.replace("src/price.cpp", "price / 2", "price / rate");
  p.replace("tests/shop_test.cpp", "{ discount(8); }", "{ EXPECT_EQ(discount(8), expected); }");
  p.replace("tests/shop_test.cpp", "#include \"shop.hpp\"", "#include \"shop.hpp\"\n#include \"expected.hpp\"");
  mutate(p);
  EXPECT_EQ(mutate(p).ran(), 0);
  p.write("../outside/rate.hpp", "#pragma once\nconstexpr int rate = 1 + 1;\n");
  const found_mutants found = mutate(p);
  EXPECT_GT(found.ran(), 3);
  // Another header that is compiled with this one might see what it says.
  for (const std::string& line : lines_that_ran(found)) EXPECT_FALSE(line.starts_with("src/count.cpp:")) << line;
  EXPECT_EQ(mutate(p).ran(), 0);
  p.write("../outside/expected.hpp", "#pragma once\nconstexpr int expected = 2 + 2;\n");
  const found_mutants other = mutate(p);
  EXPECT_EQ(other.states().at("src/count.cpp:5 inc ++n"), "timed out");
  EXPECT_GT(other.ran(), 10);
  EXPECT_EQ(mutate(p).ran(), 0);
}

TEST_F(mutants_again, are_judged_by_a_new_test_alone) {
  EXPECT_EQ(mutate(p).states().at("src/price.cpp:11 aor price * 2"), "survived");
  p.replace("tests/shop_test.cpp", "TEST(Larger", "TEST(Discount, IsHalf) { EXPECT_EQ(discount(8), 4); }\nTEST(Larger");
  const found_mutants found = mutate(p);
  EXPECT_EQ(found.killer("src/price.cpp", 11, "price * 2"), "Discount.IsHalf");
  for (const std::string& line : lines_that_ran(found)) EXPECT_TRUE(line.starts_with("src/price.cpp:1")) << line;
  for (const auto& m : found.json.at("mutants"))
    if (m.at("line") == 11 && m.at("file") == "src/price.cpp") {
      EXPECT_LE(m.at("ran"), 1) << m;  // not the old one again
    }
  EXPECT_EQ(found.states(), mutate(p, {"--fresh"}).states());
}

TEST_F(mutants_again, whose_killer_has_changed_are_judged_again) {
  p.replace("tests/shop_test.cpp", "EXPECT_EQ(count_down(4), 4)", "count_down(4)");
  const found_mutants found = mutate(p);
  EXPECT_EQ(found.states().at("src/count.cpp:6 inc --steps"), "survived");
  for (const std::string& line : lines_that_ran(found)) EXPECT_TRUE(line.starts_with("src/count.cpp:")) << line;
}

TEST_F(mutants_again, are_judged_again_with_other_options) {
  p.replace("CMakeLists.txt", "-Wall -Werror", "-Wall -O2");
  EXPECT_GT(mutate(p).ran(), 10);
}

TEST_F(mutants_again, are_judged_again_where_tests_may_read_other_data) {
  p.write("tests/prices.txt", "1 2 3");
  p.git({"add", "tests/prices.txt"});
  EXPECT_GT(mutate(p).ran(), 10);
  EXPECT_EQ(mutate(p).ran(), 0);
}

TEST_F(mutants_again, of_a_program_with_a_broken_memory_are_judged_again) {
  const auto expected = mutate(p).states();
  p.write("build/.morph/mutation/verdicts.json", "{\"schema\":\"morph.mutation-verdicts/1\",");
  const found_mutants found = mutate(p);
  EXPECT_GT(found.ran(), 10);
  EXPECT_EQ(found.states(), expected);
}

TEST_F(mutants_again, go_on_after_a_budget) {
  const auto expected = mutate(p, {"--fresh"}).states();
  const finished cut = p.morph({"mutate", "--json", "--fresh", "--budget", "0"});
  EXPECT_EQ(cut.exit, 3) << "it is a part: " << cut.both();
  const found_mutants none{nlohmann::json::parse(cut.out, nullptr, false)};
  EXPECT_EQ(none.ran(), 0);
  EXPECT_GT(count(none, "not judged"), 10);
  EXPECT_EQ(none.json.at("killed"), 0);
  EXPECT_EQ(mutate(p).states(), expected);
}

TEST_F(mutants_again, of_shards_are_all) {
  const auto expected = mutate(p, {"--fresh"}).states();
  const found_mutants first = mutate(p, {"--fresh", "--shard", "1/2"});
  const found_mutants second = mutate(p, {"--fresh", "--shard", "2/2"});
  std::map<std::string, std::string> both;
  for (const auto& [mutant, state] : first.states()) {
    const std::string& other = second.states().at(mutant);
    EXPECT_TRUE(state == "not judged" || other == "not judged" || state == other) << mutant;
    both[mutant] = state == "not judged" ? other : state;
  }
  EXPECT_EQ(both, expected);
  EXPECT_GT(first.ran(), 3);
  EXPECT_GT(second.ran(), 3);
  EXPECT_GT(count(first, "not judged"), 5);
  EXPECT_GT(count(second, "not judged"), 5);
  EXPECT_EQ(p.morph({"mutate", "--shard", "3/2"}).exit, 2);

  p.write("build/one.json", first.json.dump());
  p.write("build/two.json", second.json.dump());
  const finished united = p.morph({"report", "mutation", "--json", "--from", "build/one.json", "build/two.json"});
  EXPECT_EQ(united.exit, 0) << united.both();
  const found_mutants all{nlohmann::json::parse(united.out, nullptr, false)};
  EXPECT_EQ(all.states(), expected);
  const found_mutants whole = mutate(p, {"--fresh"});
  EXPECT_EQ(all.json.at("functions"), whole.json.at("functions"));
  EXPECT_EQ(all.json.at("score"), whole.json.at("score"));
  const std::vector<std::string> words{"report",         "mutation",       "--from",
                                       "build/one.json", "build/two.json", "--fail-under"};
  const auto fails_under = [&](const char* percent) {
    std::vector<std::string> all_words = words;
    all_words.emplace_back(percent);
    return p.morph(all_words).exit;
  };
  EXPECT_EQ(fails_under("1"), 0);
  EXPECT_EQ(fails_under("99.9"), 1);

  p.replace("src/price.cpp", "n + 7", "n + 8");
  p.write("build/three.json", mutate(p).json.dump());
  const finished other = p.morph({"report", "mutation", "--from", "build/one.json", "build/three.json"});
  EXPECT_EQ(other.exit, 3);
  EXPECT_NE(other.err.find("cannot be united: 'src/price.cpp' was not the same"), std::string::npos) << other.err;
}

TEST_F(mutants_again, of_a_sample_are_so_many) {
  const found_mutants all = mutate(p, {"--fresh"});
  const found_mutants found = mutate(p, {"--fresh", "--sample", "7"});
  EXPECT_EQ(found.json.at("mutants").size(), 7U);
  for (const auto& [mutant, state] : found.states()) EXPECT_EQ(state, all.states().at(mutant)) << mutant;
  EXPECT_EQ(found.json.at("sample_of"), all.json.at("mutants").size());
  EXPECT_LT(found.json.at("score_interval")[0], found.json.at("score"));
  EXPECT_GT(found.json.at("score_interval")[1], found.json.at("score"));
  EXPECT_NE(p.morph({"mutate", "--sample", "7"}).out.find("the score of all is between"), std::string::npos);
}

TEST_F(mutants_again, of_chosen_files_alone) {
  const found_mutants of_price = mutate(p, {"--only", "src/", "--without", "count.cpp"});
  for (const auto& m : of_price.json.at("mutants")) EXPECT_EQ(m.at("file"), "src/price.cpp");
  EXPECT_GT(of_price.json.at("left_out").at("in a file that is left out"), 5);
}

TEST_F(mutants_again, that_a_comment_switches_off_are_none) {
  p.replace("src/price.cpp", "int discount", "// morph: off\nint discount");
  const found_mutants found = mutate(p);
  for (const auto& m : found.json.at("mutants"))
    if (m.at("file") == "src/price.cpp") {
      EXPECT_LT(m.at("line"), 10) << m;
    }
  EXPECT_GT(found.json.at("left_out").at("switched off by a comment"), 2);
}

TEST_F(mutants_again, of_changed_functions_alone) {
  EXPECT_TRUE(mutate(p, {"--diff", "--since", "HEAD"}).json.at("mutants").empty());
  p.replace("src/count.cpp", "int steps = 0;", "int steps = 0 + 0;");
  const found_mutants changed = mutate(p, {"--diff", "--since", "HEAD"});
  EXPECT_GT(changed.ran(), 3);
  for (const auto& m : changed.json.at("mutants")) EXPECT_EQ(m.at("file"), "src/count.cpp");
  p.replace("src/count.cpp", "0 + 0", "0 + 0 + 0");
  p.replace("src/price.cpp", "pieces * each", "each * pieces");
  p.git({"commit", "-q", "-m", "price", "src/price.cpp"});
  const found_mutants since = mutate(p, {"--fresh", "--since", "HEAD"});
  for (const std::string& line : lines_that_ran(since)) EXPECT_TRUE(line.starts_with("src/count.cpp:")) << line;
  EXPECT_EQ(since.states().at("src/price.cpp:4 aor each + pieces"), "not judged");
  const finished unknown = p.morph({"mutate", "--since", "nowhere"});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_NE(unknown.err.find("'nowhere'"), std::string::npos) << unknown.both();
}

TEST_F(mutants_again, of_a_branch) {
  p.git({"branch", "-M", "main"});
  p.git({"checkout", "-q", "-b", "topic"});
  p.replace("src/count.cpp", "int steps = 0;", "int steps = 0 + 0;");
  p.git({"commit", "-q", "-a", "-m", "topic"});
  const found_mutants found = mutate(p, {"--diff"});
  EXPECT_GT(found.ran(), 3);
  for (const auto& m : found.json.at("mutants")) EXPECT_EQ(m.at("file"), "src/count.cpp");
  p.git({"branch", "-m", "main", "trunk"});
  const finished without = p.morph({"mutate", "--diff"});
  EXPECT_EQ(without.exit, 3);
  EXPECT_NE(without.err.find("--since"), std::string::npos) << without.both();
}

/// The commands of docs/how-to/mutate-runs.md, as a job runs them one by one.
std::vector<std::string> commands_of_a_pull_request() {
  std::ifstream page(MORPH_SOURCE_DIR "/docs/how-to/mutate-runs.md");
  std::vector<std::string> made;
  bool is_there = false, is_code = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_there = line == "## In CI: a pull request";
    if (!is_there) continue;
    if (line == "```")
      is_code = !is_code;
    else if (is_code)
      made.push_back(line);
  }
  return made;
}

TEST_F(mutants_again, of_a_pull_request_are_explained_by_the_commands_of_the_page) {
  p.git({"branch", "-M", "main"});
  p.git({"checkout", "-q", "-b", "topic"});
  p.replace("src/price.cpp", "return price / 2", "return price / 3");
  p.git({"commit", "-q", "-a", "-m", "topic"});
  p.set_variable("PATH", MORPH_PREFIX "/bin:" + p.environment().at("PATH"));
  const auto commands = commands_of_a_pull_request();
  ASSERT_EQ(commands.size(), 4U);
  for (const std::string& each : commands) {
    const finished done = p.run({"sh", "-ec", each});
    const bool judges = each.starts_with("morph mutate");
    EXPECT_EQ(done.exit, judges ? 1 : 0) << each << '\n' << done.both();  // nothing asserts what is discounted
    if (judges) {
      EXPECT_NE(done.out.find("  symptom     "), std::string::npos) << done.both();
    }
  }
  const std::string comment = p.read("comment.md");
  EXPECT_NE(comment.find("discount(int)"), std::string::npos) << comment;
  EXPECT_EQ(comment.find("price(int, int)"), std::string::npos) << comment;
}

TEST_F(mutants_again, with_every_test_that_kills_them) {
  p.replace("src/price.cpp", "int unused", R"(int first(const int* p) {
  return p == nullptr ? 0 : *p;
}
int unused)");
  p.replace("include/shop.hpp", "int unused", "int first(const int* p);\nint unused");
  p.replace("tests/shop_test.cpp", "TEST(Larger", R"(static int tell_at_length() {
  volatile int told = 0;
  while (told < 50000) told = told + 1;
  return told;
}
static void expect_often() {
  for (int i = 0; i < 20000; ++i) EXPECT_EQ(first(nullptr), 0) << tell_at_length();
}
TEST(Often, One) { expect_often(); }
TEST(Often, Three) { expect_often(); }
TEST(Often, Two) { expect_often(); }
TEST(First, OfNothing) { EXPECT_EQ(first(nullptr), 0); }
TEST(First, OfNothingAgain) { EXPECT_EQ(first(nullptr), 0); }
TEST(First, OfOne) { const int one = 1; EXPECT_EQ(first(&one), 1); }
TEST(Larger)");
  const found_mutants single = mutate(p, {"--fresh"});
  const found_mutants all = mutate(p, {"--all-killers"});
  EXPECT_EQ(killers(all, "src/price.cpp", 4, "pieces + each"),
            (std::vector<std::string>{"Price.OfFew", "Price.OfMany"}));
  EXPECT_EQ(killers(all, "src/price.cpp", 6, "all + 1"), std::vector<std::string>{"Price.OfMany"});
  // Both crash, each in a process of its own; the third test fails.
  EXPECT_EQ(killers(all, "src/price.cpp", 14, "p != nullptr"),
            (std::vector<std::string>{"Often.One", "Often.Three", "Often.Two", "First.OfNothing",
                                      "First.OfNothingAgain", "First.OfOne"}));
  EXPECT_EQ(all.states().at("src/price.cpp:14 ror p != nullptr"), "crashed");
  EXPECT_EQ(all.json.at("killed"), single.json.at("killed"));
  EXPECT_EQ(killers(all, "src/count.cpp", 5, "++n"), std::vector<std::string>{"Count.Down"});
  const found_mutants again = mutate(p, {"--all-killers"});
  EXPECT_EQ(again.ran(), 0);
  EXPECT_EQ(killers(again, "src/price.cpp", 14, "p != nullptr").size(), 6U);

  // To tell of all failures of a test takes longer than it may, and nobody would go on behind three such tests.
  const found_mutants fresh = mutate(p, {"--all-killers", "--fresh"});
  int of_nothing = 0;
  for (const auto& m : fresh.json.at("mutants")) {
    if (m.at("file") != "src/price.cpp" || m.at("line") != 14 || m.at("operator") != "crp") continue;
    ++of_nothing;
    EXPECT_EQ(m.at("state"), "killed") << m;
    EXPECT_EQ(m.at("killers").size(), 5U) << m;
  }
  EXPECT_GT(of_nothing, 0);
}

TEST_F(mutants_again, that_tests_kill_are_kept_as_their_requirements) {
  EXPECT_EQ(p.morph({"optimize", "--keep", "kills", "--json"}).exit, 2);  // none is known
  const found_mutants found = mutate(p, {"--all-killers"});
  std::map<std::string, int> alone, kills;
  for (const auto& m : found.json.at("mutants")) {
    const std::vector<std::string> by = m.at("killers");
    for (const std::string& test : by) ++kills[test];
    if (by.size() == 1) ++alone[by.front()];
  }
  ASSERT_GT(alone["Count.Down"], 5);
  const finished optimized = p.morph({"optimize", "--keep", "kills", "--json"});
  ASSERT_EQ(optimized.exit, 0) << optimized.both();
  const auto json = nlohmann::json::parse(optimized.out);
  EXPECT_EQ(json.at("weight"), found.json.at("killed"));
  for (const auto& test : json.at("tests")) {
    EXPECT_EQ(test.at("covers"), kills.at(test.at("name"))) << test;
    EXPECT_EQ(test.at("alone"), alone[test.at("name")]) << test;
  }
  mutate(p, {"--all-killers"});
  EXPECT_EQ(nlohmann::json::parse(p.morph({"optimize", "--keep", "kills", "--json"}).out), json);
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
  EXPECT_EQ(p.morph({"plan"}).exit, 0);

  // A changed source is measured from there, but for what changed, and knows no kills.
  p.replace("src/count.cpp", "int steps = 0;", "int steps = 0 + 0;");
  const finished measured = p.morph({"measure", "--json"});
  ASSERT_EQ(measured.exit, 0) << measured.both();
  EXPECT_EQ(nlohmann::json::parse(measured.out).at("carried"), 4) << measured.out;
  EXPECT_EQ(p.morph({"optimize", "--keep", "kills", "--json"}).exit, 2);
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
}

TEST_F(mutants_again, that_shards_kill_are_kept_when_they_are_united) {
  p.write("build/one.json", mutate(p, {"--all-killers", "--fresh", "--shard", "1/2"}).json.dump());
  p.write("build/two.json", mutate(p, {"--all-killers", "--fresh", "--shard", "2/2"}).json.dump());
  EXPECT_EQ(p.morph({"optimize", "--keep", "kills", "--json"}).exit, 2);
  const finished half = p.morph({"report", "mutation", "--keep-kills", "--from", "build/one.json"});
  EXPECT_EQ(half.exit, 3);
  EXPECT_NE(half.err.find("mutants are not judged"), std::string::npos) << half.both();
  EXPECT_EQ(p.morph({"optimize", "--keep", "kills", "--json"}).exit, 2);

  const std::vector<std::string> keep{"report", "mutation",       "--keep-kills",
                                      "--from", "build/one.json", "build/two.json"};
  const finished united = p.morph(keep);
  ASSERT_EQ(united.exit, 0) << united.both();
  const auto of_shards = nlohmann::json::parse(p.morph({"optimize", "--keep", "kills", "--json"}).out);
  const auto of_all = mutate(p, {"--all-killers", "--fresh"}).json;
  EXPECT_EQ(of_shards.at("weight"), of_all.at("killed"));
  EXPECT_EQ(nlohmann::json::parse(p.morph({"optimize", "--keep", "kills", "--json"}).out).at("tests"),
            of_shards.at("tests"));

  p.write("build/part.json", mutate(p, {"--all-killers", "--fresh", "--only", "src/price.cpp"}).json.dump());
  const finished part = p.morph({"report", "mutation", "--keep-kills", "--from", "build/part.json"});
  EXPECT_EQ(part.exit, 3);
  EXPECT_NE(part.err.find("a part of the mutants (--only src/price.cpp)"), std::string::npos) << part.both();

  p.write("build/first.json", mutate(p, {"--fresh"}).json.dump());
  const finished first = p.morph({"report", "mutation", "--keep-kills", "--from", "build/first.json"});
  EXPECT_EQ(first.exit, 3);
  EXPECT_NE(first.err.find("`morph mutate --all-killers`"), std::string::npos) << first.both();
  p.replace("src/price.cpp", "n + 7", "n + 8");
  const finished changed = p.morph(keep);
  EXPECT_EQ(changed.exit, 3);
  EXPECT_NE(changed.err.find("'src/price.cpp' has changed"), std::string::npos) << changed.both();
}

TEST_F(mutants_again, are_not_judged_by_a_test_that_fails_at_times) {
  const std::string runs = (p.root() / "runs").string();
  p.replace("tests/shop_test.cpp", "TEST(Larger", R"(TEST(Discount, AtTimes) {
  std::FILE* runs = std::fopen(")" + runs + R"(", "a");
  std::fputc('x', runs);
  EXPECT_NE(std::ftell(runs), 5);
  std::fclose(runs);
  EXPECT_EQ(discount(8), 4);
}
TEST(Larger)");
  p.replace("tests/shop_test.cpp", "#include <gtest/gtest.h>", "#include <gtest/gtest.h>\n#include <cstdio>");
  const found_mutants found = mutate(p, {"--unmutated-runs", "6"});
  ASSERT_EQ(found.json.at("left_out_tests").size(), 1U);
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("name"), "Discount.AtTimes");
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("why"), "fails without a mutant at times");
  EXPECT_EQ(found.states().at("src/price.cpp:11 aor price * 2"), "survived");
}

TEST_F(mutants_again, that_mean_the_same_as_the_original_are_no_weakness) {
  p.write("include/kinds.hpp", R"(#pragma once
bool some(unsigned n);
bool both(unsigned a, int b);
bool price_above(unsigned a);
template <typename T>
bool above(T n) {
  return n > 0;
}
)");
  p.write("src/kinds.cpp", R"(#include "kinds.hpp"
bool some(unsigned n) {
  return n > 0;
}
bool both(unsigned a, int b) {
  return above(b) && price_above(a);
}
)");
  p.replace("src/price.cpp", "#include \"shop.hpp\"", R"(#include "shop.hpp"
#include "kinds.hpp"
bool price_above(unsigned a) {
  return above(a);
})");
  p.replace("CMakeLists.txt", "src/count.cpp", "src/count.cpp src/kinds.cpp");
  p.replace("tests/shop_test.cpp", "TEST(Count, Down)", R"(#include "kinds.hpp"
TEST(Kinds, Some) { EXPECT_TRUE(some(3)); }
TEST(Kinds, Both) { EXPECT_TRUE(both(3, 4)); }
TEST(Count, Down))");
  p.build();
  const std::vector<std::string> only{"--only", "*kinds*", "--operators", "ror,crp"};
  const found_mutants found = mutate(p, only);
  const auto states = found.states();
  EXPECT_EQ(states.at("src/kinds.cpp:3 ror n != 0"), "equivalent");
  EXPECT_EQ(states.at("src/kinds.cpp:3 ror n >= 0"), "survived");
  EXPECT_EQ(states.at("include/kinds.hpp:7 ror n != 0"), "survived") << "-1 would tell it from the original";
  EXPECT_EQ(found.json.at("states").at("equivalent"), 1);
  const double killed = found.json.at("killed"), all = static_cast<double>(found.json.at("mutants").size());
  EXPECT_DOUBLE_EQ(found.json.at("score").get<double>(), killed / (all - 1));

  const auto again = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"mutate"};
    words.insert(words.end(), only.begin(), only.end());
    words.insert(words.end(), more.begin(), more.end());
    return p.morph(words);
  };
  EXPECT_EQ(again({}).err.find("comparing"), std::string::npos) << "nothing has changed";
  p.replace("src/kinds.cpp", "return n > 0;", "return n > 0;  // a remark");
  EXPECT_EQ(again({}).err.find("comparing"), std::string::npos) << "but a comment";
  p.replace("src/kinds.cpp", "some(unsigned n) {", "some(unsigned n) {\n  n /= 2;");
  const finished changed = again({});
  EXPECT_NE(changed.err.find("mutants in 1 of "), std::string::npos) << changed.err;
  EXPECT_NE(changed.out.find("1 equivalent"), std::string::npos) << changed.out;
  EXPECT_EQ(again({"--no-equivalence"}).out.find("equivalent"), std::string::npos);
}

TEST_F(mutants_again, are_judged_by_a_target_of_the_build) {
  mutate(p);
  p.remove("build/.morph/mutation/report.json");
  const finished built = p.run({"cmake", "--build", "build", "--target", "morph-mutate"});
  EXPECT_EQ(built.exit, 0) << built.both();
  EXPECT_NE(built.both().find("mutation score "), std::string::npos) << built.both();
  EXPECT_EQ(nlohmann::json::parse(p.read("build/.morph/mutation/report.json")).at("killed"),
            mutate(p).json.at("killed"));
}

TEST_F(mutants_again, that_no_suite_can_judge_are_an_error) {
  p.replace("CMakeLists.txt", "TARGET shop_tests)", "TARGET shop_tests PROPERTIES WILL_FAIL TRUE)");
  p.build();
  const finished run = p.morph({"mutate"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("no suite can judge mutants: suite 'shop': tests with the property WILL_FAIL"),
            std::string::npos)
      << run.both();
}

// ---- reports of a part

TEST_F(mutants_again, are_reported_of_some_files) {
  const nlohmann::json some =
      nlohmann::json::parse(mutation_report(p, {"--json", "--only", "src/", "--without", "count.cpp"}).out);
  for (const auto& m : some.at("mutants")) EXPECT_EQ(m.at("file"), "src/price.cpp");
  EXPECT_GT(some.at("mutants").size(), 5U);
  EXPECT_EQ(some.at("scope"), (nlohmann::json{"--only src/", "--without count.cpp"}));
  const auto refused = [&](const names& arguments, int exit, const std::string& message) {
    const finished end = mutation_report(p, arguments);
    EXPECT_EQ(end.exit, exit) << end.both();
    EXPECT_NE(end.err.find(message), std::string::npos) << end.both();
  };
  refused({"--only", "tests/"}, 2, "no mutated file is left by --only and --without");
  refused({"--format", "sarif", "--json"}, 2, "--json and --format sarif are two forms; leave out one");
  refused({"--format", "xml"}, 2, "--format");
  refused({"-o", "/proc/none/report"}, 3, "cannot write '/proc/none/report'");
  // Services name files from the top of the repository.
  std::filesystem::rename(p.root() / ".git", p.root().parent_path() / ".git");
  const finished deeper = mutation_report(p, {"--format", "github"});
  std::filesystem::rename(p.root().parent_path() / ".git", p.root() / ".git");
  EXPECT_EQ(deeper.out.rfind("::warning file=" + p.root().filename().string() + "/src/price.cpp,line=10,", 0), 0U)
      << deeper.out;
  p.write("build/.morph/mutation/report.json", "{}");
  refused({}, 3, "report.json' is no mutation result: key 'schema' not found; `morph mutate` makes a new one");
}

TEST_F(mutants_again, that_are_a_part_of_all_are_reported_so) {
  const auto scope_of_last = [&] { return nlohmann::json::parse(mutation_report(p, {"--json"}).out).at("scope"); };
  EXPECT_EQ(mutate(p).json.at("scope"), nlohmann::json::array());
  EXPECT_EQ(mutation_report(p, {}).out.find("a part of all mutants"), std::string::npos);
  mutate(p, {"--only", "price.cpp", "--without", "count.cpp", "--sample", "5"});
  EXPECT_EQ(scope_of_last(), (nlohmann::json{"--only price.cpp", "--without count.cpp", "--sample 5"}));
  EXPECT_NE(
      mutation_report(p, {}).out.find("\na part of all mutants: --only price.cpp --without count.cpp --sample 5\n"),
      std::string::npos);
  mutate(p, {"--diff", "--since", "HEAD", "--operators", "xt"});
  EXPECT_EQ(scope_of_last(), (nlohmann::json{"--operators xt", "--diff --since HEAD"}));
  // A shard lists all mutants, and those of others as not judged.
  mutate(p, {"--shard", "1/2"});
  EXPECT_EQ(scope_of_last(), nlohmann::json::array());
}

}  // namespace
}  // namespace morph::end_to_end
