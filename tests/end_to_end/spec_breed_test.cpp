// morph spec breed: pools that are bred towards coverage, kills and the spec's own metrics, and what cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_grades(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Grades CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(grades src/grade.cpp)
target_include_directories(grades PUBLIC src)
morph_add_spec(relations SOURCES tests/grades.spec.cpp LINK grades)
)");
  to.write("src/grade.hpp", "#pragma once\nint grade(int points);\n");
  to.write("src/grade.cpp", R"(#include "grade.hpp"
int grade(int points) {
  if (points < 0) return -1;
  if (points < 10) return 6;
  if (points < 40) return 5;
  if (points < 100) return 4;
  if (points < 1000) return 2;
  return 1;
}
)");
  to.write("tests/grades.spec.cpp", R"(#include <cmath>
#include <cstdlib>
#include <morph/morph.hpp>
#include <set>
#include "grade.hpp"
void rules(morph::spec<int, int>& s) {
  s.execute(grade);
  s.seeds("few", {1, 2});
  auto more = s.datamorph("three times", [](int x) { return x < 100000 ? 3 * x : x; });
  s.relation("more points, no worse grade", more, [](auto& m, auto& o) { return m.output <= o.output; });
  s.datamorph("negate", [](int x) { return -x; });
  s.datamorph("sum", [](int x, int y) { return x + y; });
  s.case_metric("size", [](auto& c) { return std::abs(double(c.input)); });
  s.set_metric("grades", [](auto& pool) {
    std::set<int> seen;
    for (const auto& each : pool) seen.insert(each.output);
    return double(seen.size());
  });
}
MORPH_SPEC(grades, int, int, s) { rules(s); }
MORPH_SPEC(fixed, int, int, s) {
  s.execute(grade);
  s.seeds("few", {1, 2});
  s.relation("a grade", morph::all_cases, [](auto& c) { return c.output < 7; });
}
MORPH_SPEC(odd, int, int, s) {
  rules(s);
  s.set_metric("mean of none", [](auto& pool) { return pool.size() > 1 ? std::nan("") : 1.0; });
  s.case_metric("root", [](auto& c) { return std::sqrt(1.5 - c.input); });
  s.set_metric("debt", [](auto& pool) { return -double(pool.size()); });
}
MORPH_SPEC(hours, int, int, s) {
  s.execute(grade);
  s.seeds("even", {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22});
  s.datamorph("later", [](int x) { return (x + 5) % 24; });
  s.relation("a grade", morph::all_cases, [](auto& c) { return c.output < 7; });
}
MORPH_SPEC(crashing, int, int, s) {
  s.execute(grade);
  s.seeds("few", {1, 2});
  s.datamorph("abort", [](int x) { std::abort(); return x; });
  s.relation("a grade", morph::all_cases, [](auto& c) { return c.output < 7; });
}
)");
}

class spec_breed : public testing::Test {
 protected:
  spec_breed() : p(built().here()) {}
  ~spec_breed() override { built().restore(); }
  static workspace& built() {
    static workspace shared(write_grades);
    return shared;
  }
  std::string seeds_of(const std::string& spec) const {
    const std::string pool = (p.root() / (spec + ".jsonl")).string();
    EXPECT_EQ(p.morph({"spec", "seed", "--spec", spec, "--pool", pool}).exit, 0);
    return pool;
  }
  finished breed(const std::string& pool, const std::string& towards, const names& more = {}) const {
    names words{"spec", "breed", "--pool", pool, "--towards", towards};
    words.insert(words.end(), more.begin(), more.end());
    return p.morph(words);
  }
  nlohmann::json bred(const std::string& pool, const std::string& towards, names more = {}) const {
    more.emplace_back("--json");
    const finished end = breed(pool, towards, more);
    EXPECT_EQ(end.exit, 0) << end.both();
    return end.exit == 0 ? nlohmann::json::parse(end.out) : nlohmann::json();
  }
  double measured(const std::string& pool, const std::string& spec, const std::string& metric) const {
    return nlohmann::json::parse(p.morph({"spec", "measure", "--spec", spec, "--pool", pool, "--json"}).out)
        .at(metric)
        .get<double>();
  }
  project& p;
};

TEST_F(spec_breed, a_pool_gets_the_coverage_that_mutants_give_it) {
  const std::string pool = seeds_of("grades"), again = pool + ".again";
  p.write("grades.jsonl.again", p.read("grades.jsonl"));
  const std::string log = (p.root() / "log").string();
  const nlohmann::json found = bred(pool, "coverage", {"--seed", "3", "--log", log});
  const nlohmann::json first = found["generations"].front()["values"], last = found["front"][0]["values"];
  EXPECT_LT(first[0].get<double>(), 0.5);
  EXPECT_GT(last[0].get<double>(), 0.8) << found.dump();
  double best = 0;
  for (const nlohmann::json& row : found["generations"]) {
    EXPECT_GE(row["values"][0].get<double>(), best);
    best = row["values"][0].get<double>();
  }
  EXPECT_EQ(measured(pool, "grades", "cases"), found["saved cases"].get<double>());

  bred(again, "coverage", {"--seed", "3", "--log", log + ".again"});
  EXPECT_EQ(p.read("log"), p.read("log.again"));
  EXPECT_EQ(p.read("grades.jsonl"), p.read("grades.jsonl.again"));
  EXPECT_EQ(p.morph({"spec", "execute", "--spec", "grades", "--pool", pool}).exit, 0);
  EXPECT_GE(measured(pool, "grades", "grades"), 5);
}

TEST_F(spec_breed, a_pool_gets_the_mutation_score_that_mutants_give_it) {
  const std::string pool = seeds_of("grades");
  const finished none = breed(pool, "mutation-score");
  EXPECT_EQ(none.exit, 3);
  EXPECT_NE(none.err.find("there is no mutation-score: `morph mutate` did not run; run `morph mutate` first"),
            std::string::npos)
      << none.err;
  ASSERT_EQ(p.morph({"mutate"}).exit, 0);
  const nlohmann::json found = bred(pool, "mutation-score,coverage", {"--budget", "120"});
  const nlohmann::json first = found["generations"].front()["values"], last = found["front"][0]["values"];
  EXPECT_LT(first[0].get<double>(), last[0].get<double>()) << found.dump();
  EXPECT_EQ(last.size(), 2U);
  EXPECT_LE(found["generations"].back()["made"], 120);
  p.replace("src/grade.cpp", "return 6", "return 7");
  EXPECT_NE(breed(pool, "mutation-score").err.find("'src/grade.cpp' has changed since `morph mutate`"),
            std::string::npos);
}

TEST_F(spec_breed, a_pool_is_bred_towards_the_spec_s_own_metrics) {
  const std::string pool = seeds_of("grades");
  const nlohmann::json grades = bred(pool, "grades", {"--out", pool + ".1"});
  EXPECT_EQ(grades["front"][0]["values"][0], 6);
  EXPECT_EQ(measured(pool + ".1", "grades", "grades"), 6);
  EXPECT_EQ(measured(pool, "grades", "cases"), 2);  // as it was
  const nlohmann::json borders = bred(pool, "borders", {"--out", pool + ".2"});
  // Of six grades, 15 pairs; between 39 and 40 points a border is as near as can be.
  EXPECT_GT(borders["front"][0]["values"][0], 1);
  const nlohmann::json diverse = bred(pool, "diversity", {"--max-cases", "5", "--out", pool + ".3"});
  EXPECT_LE(diverse["front"][0]["cases"].size(), 5U);
  EXPECT_NEAR(measured(pool + ".3", "grades", "diversity"), diverse["front"][0]["values"][0].get<double>(), 1e-3);
  // Two distant cases have the greatest mean distance, but a pool does not shrink to them unasked.
  const std::string hours = seeds_of("hours");
  EXPECT_EQ(bred(hours, "diversity", {"--out", hours + ".1"})["front"][0]["cases"].size(), 12U);
  EXPECT_LT(bred(hours, "diversity", {"--min-cases", "2", "--out", hours + ".2"})["front"][0]["cases"].size(), 5U);
  for (const std::string strategy : {"weakest-removal", "random-removal", "strongest-mutant"}) {
    const nlohmann::json found =
        bred(pool, "grades", {"--strategy", strategy, "--case-metric", "size", "--budget", "60", "--out", pool + ".4"});
    EXPECT_EQ(found["strategy"], strategy);
    EXPECT_GT(found["generations"].size(), 1U);
  }
}

TEST_F(spec_breed, what_cannot_be_bred_is_told) {
  const std::string pool = seeds_of("grades");
  const auto expect = [&](const finished& end, int exit, const std::string& what) {
    EXPECT_EQ(end.exit, exit) << end.both();
    EXPECT_NE(end.err.find(what), std::string::npos) << end.err;
  };
  expect(breed(pool + ".none", "grades"), 3, "is not there; make seeds: morph spec seed --pool ");
  p.write("empty.jsonl", "{\"morph\":\"pool\",\"version\":1,\"spec\":\"grades\"}\n");
  expect(breed((p.root() / "empty.jsonl").string(), "grades"), 2, "has no case to begin with; make seeds: ");
  expect(breed(seeds_of("fixed"), "diversity"), 2, "the spec 'fixed' declares no datamorphism");
  expect(breed(pool, "grade"), 2, "the spec has no set metric 'grade'; did you mean 'grades'?");
  expect(breed(pool, "coupled-branches"), 3,
         "there is no coupled-branches: no branch of a class under test always leads to a call of another class");
  expect(breed(pool, "grades", {"--budget", "0"}), 2, "--budget 0 makes no mutant");
  expect(breed(pool, "grades", {"--generations", "0"}), 2, "--generations 0 breeds nothing");
  expect(breed(pool, "grades", {"--strategy", "best"}), 2, "--strategy");
  expect(breed(pool, "grades", {"--strategy", "filter"}), 2, "by the set filters of the spec, which declares none");
  expect(breed(pool, "grades", {"--strategy", "weakest-removal"}), 2, "--case-metric NAME");
  expect(breed(pool, "grades", {"--case-metric", "length"}), 2, "the spec has no case metric 'length'");
  expect(breed(pool, "grades", {"--min-cases", "0"}), 2, "--min-cases 0 leaves no case");
  expect(breed(pool, "grades", {"--min-cases", "5", "--max-cases", "4"}), 2,
         "--min-cases 5 is more than --max-cases 4");
  expect(breed(pool, "grades", {"--min-cases", "5", "--strategy", "random-removal"}), 2, "is for the strategy elitist");
  expect(breed(pool, "grades", {"--seed", "-1"}), 2, "'-1' is no seed; a seed is a whole number from 0 to");
  const finished told = breed(pool, "grade", {"--json"});
  EXPECT_EQ(told.exit, 2);
  const auto error = nlohmann::json::parse(told.out, nullptr, false);
  ASSERT_TRUE(error.is_object()) << told.both();
  EXPECT_EQ(error["schema"], "morph.error/1");
  p.set_variable("MORPH_SEED", "18446744073709551616");
  expect(breed(pool, "grades"), 2, "MORPH_SEED: '18446744073709551616' is no seed");
  p.set_variable("MORPH_SEED", "4294967297");
  EXPECT_EQ(bred(pool, "grades")["seed"], 4294967297U);
  p.unset_variable("MORPH_SEED");
  expect(breed(pool, "grades,grades"), 2, "--towards names 'grades' twice");
  const std::string odd = seeds_of("odd");
  const std::string before = p.read("odd.jsonl");
  expect(breed(odd, "mean of none"), 2,
         "the metric 'mean of none' is nan for a pool of 2 cases; a pool can only be bred towards numbers");
  EXPECT_EQ(p.read("odd.jsonl"), before);
  expect(breed(odd, "debt", {"--strategy", "random-removal"}), 2, "takes values below 0 for failures");
  const auto ask = [&](names words) {
    words.insert(words.begin(), "spec");
    words.insert(words.end(), {"--spec", "odd", "--pool", odd});
    return p.morph(words);
  };
  expect(ask({"measure"}), 2, "the metric 'mean of none' of the pool of 2 cases is not a number: does it divide by 0");
  expect(ask({"show", "--sort", "root"}), 2, "is not a number, so that it has no place in an order");
  EXPECT_EQ(bred(odd, "debt")["front"][0]["cases"].size(), 1U);  // to elitist it is a number
  expect(breed(seeds_of("crashing"), "diversity"), 1, "the program of specs ended (killed by signal 6");
}

TEST_F(spec_breed, the_cases_of_a_pool_are_tests) {
  const std::string pool = seeds_of("grades");
  EXPECT_EQ(p.morph({"spec", "mutate", "--spec", "grades", "--pool", pool, "--datamorphism", "negate"}).exit, 0);
  p.set_variable("MORPH_SPEC_CASES", pool);
  const auto tests = [&] {
    const std::string text = p.run({(p.build_dir() / "relations").string(), "--list"}).out;
    names lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const names all = tests();
  ASSERT_EQ(all.size(), 4U);
  p.write("ids", all[2].substr(all[2].rfind('.') + 1) + "\n");
  p.set_variable("MORPH_SPEC_CASE_IDS", (p.root() / "ids").string());
  EXPECT_EQ(tests(), names{all[2]});
  EXPECT_EQ(p.run({(p.build_dir() / "relations").string(), "--test", all[2]}).exit, 0);
  p.set_variable("MORPH_SPEC_CASES", pool + ".none");
  const finished none = p.run({(p.build_dir() / "relations").string(), "--list"});
  EXPECT_EQ(none.exit, 3);
  EXPECT_NE(none.err.find("MORPH_SPEC_CASES: '"), std::string::npos) << none.err;
}

TEST(spec_breed_document, shows_what_a_reader_sees) {
  const scratch_folder folder;
  project p(folder.path() / "triangle", folder.path() / "home");
  std::filesystem::copy(MORPH_SOURCE_DIR "/examples/triangle", p.root(), std::filesystem::copy_options::recursive);
  p.start_repository();
  p.configure();
  p.build();
  const std::string page = read_bytes(MORPH_SOURCE_DIR "/docs/specs/breed.md");
  const auto block_behind = [&](std::size_t from, const std::string& mark) {
    const std::size_t begin = page.find(mark, from) + mark.size();
    return page.substr(begin, page.find("```", begin) - begin);
  };
  ASSERT_EQ(block_behind(0, "```sh\n"),
            "morph spec seed --spec counting --seeds typical --pool cases.jsonl   # in examples/triangle\n"
            "morph spec breed --pool cases.jsonl --towards coverage\n");
  ASSERT_EQ(p.morph({"spec", "seed", "--spec", "counting", "--seeds", "typical", "--pool", "cases.jsonl"}).exit, 0);
  const finished bred = p.morph({"spec", "breed", "--pool", "cases.jsonl", "--towards", "coverage"});
  EXPECT_EQ(bred.exit, 0) << bred.both();
  EXPECT_EQ(bred.out, block_behind(page.find("is in its file (`--out FILE`"), "```\n"));
}

}  // namespace
}  // namespace morph::end_to_end
