// morph_add_spec(): relations as tests of ctest, measured and selected one by one; specs inside GoogleTest; saved
// pools.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_numbers(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Numbers CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(numbers src/square.cpp src/half.cpp)
target_include_directories(numbers PUBLIC src)
morph_add_spec(relations SOURCES tests/numbers.spec.cpp LINK numbers)
add_executable(hosted tests/hosted.cpp)
target_compile_features(hosted PRIVATE cxx_std_20)
target_link_libraries(hosted numbers Morph::spec GTest::gtest_main)
morph_add_suite(inside TARGET hosted)
)");
  to.write("src/numbers.hpp", "#pragma once\nint square(int x);\nint half(int x);\n");
  to.write("src/square.cpp", "#include \"numbers.hpp\"\nint square(int x) {\n  return x * x;\n}\n");
  to.write("src/half.cpp", "#include \"numbers.hpp\"\nint half(int x) {\n  return x / 2;\n}\n");
  to.write("tests/numbers.spec.cpp", R"(#include <morph/morph.hpp>
#include "numbers.hpp"
MORPH_SPEC(squares, int, int, s) {
  s.execute(square);
  s.seeds("labelled", {{2, 4}, {3, 9}});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("even: x and -x", negate, [](auto& m, auto& o) { return m.output == o.output; });
}
MORPH_SPEC(halves, int, int, s) {
  s.execute(half);
  s.seeds("drawn", morph::uniform(0, 100, 20));
  auto add = s.datamorph("add two", [](int x) { return x + 2; });
  s.relation("one more", add, [](auto& m, auto& o) { return m.output == o.output + 1; });
}
)");
  to.write("tests/hosted.cpp", R"(#include <morph/gtest.hpp>
#include "numbers.hpp"
MORPH_SPEC(hosted, int, int, s) {
  s.execute(half);
  s.seeds("some", {10, 20});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("odd function", negate, [](auto& m, auto& o) { EXPECT_EQ(m.output, -o.output); });
}
TEST(Square, OfTwo) { EXPECT_EQ(square(2), 4); }
)");
}

class spec_suites : public testing::Test {
 protected:
  spec_suites() : p(measured().here()) {}
  ~spec_suites() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_numbers);
    return shared;
  }
  project& p;
};

TEST_F(spec_suites, each_relation_is_a_test) {
  EXPECT_EQ(sorted(listed(p.ctest({"-N"}).out)),
            (names{"Square.OfTwo", "halves.every run ends", "halves.one more", "hosted.every_run_ends",
                   "hosted.odd_function", "inside.plan", "relations.plan", "squares.even: x and -x",
                   "squares.every run ends", "squares.expected output"}));
  const finished run = p.ctest();
  EXPECT_EQ(run.exit, 0) << run.both();
}

TEST_F(spec_suites, a_change_selects_the_relations_that_execute_it) {
  p.replace("src/square.cpp", "return x * x;", "const int product = x * x;\n  return product;");
  p.build();
  EXPECT_EQ(p.plan().selected(),
            (names{"Square.OfTwo", "squares.even: x and -x", "squares.every run ends", "squares.expected output"}));
}

TEST_F(spec_suites, a_change_of_one_relation_selects_it) {
  p.replace("tests/numbers.spec.cpp", "m.output == o.output + 1", "m.output - 1 == o.output");
  p.build();
  const names selected = p.plan().selected();
  EXPECT_NE(std::find(selected.begin(), selected.end(), "halves.one more"), selected.end());
  EXPECT_EQ(std::find(selected.begin(), selected.end(), "Square.OfTwo"), selected.end());
  EXPECT_EQ(std::find(selected.begin(), selected.end(), "squares.expected output"), selected.end());
}

TEST_F(spec_suites, a_fault_violates_relations_and_the_output_says_how) {
  p.replace("src/half.cpp", "x / 2", "x > 50 ? x : x / 2");
  p.build();
  EXPECT_TRUE(p.morph({"spec", "run"}).out.ends_with("\n2 specs: 1 hold, 1 not: halves\n"));
  const finished run = p.ctest({"-L", "morph", "--output-on-failure"});
  EXPECT_EQ(sorted(failed(run.out)), names{"halves.one more"}) << run.both();
  EXPECT_NE(run.out.find("halves: \"one more\" is violated by add two"), std::string::npos) << run.out;
  // As small as it gets: 49 and 51.
  EXPECT_NE(run.out.find("source  49 -> 24"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(R"(--replay '{"by":"add two","from":[{"in":49}]}')"), std::string::npos) << run.out;
}

TEST_F(spec_suites, a_relation_inside_googletest_fails_with_its_assertion) {
  p.replace("src/half.cpp", "x / 2", "x < 0 ? 0 : x / 2");
  p.build();
  const finished run = p.ctest({"-R", "hosted", "--output-on-failure"});
  EXPECT_EQ(failed(run.out), names{"hosted.odd_function"}) << run.both();
  EXPECT_NE(run.out.find("hosted: \"odd function\" is violated by negate"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Which is: 0"), std::string::npos) << run.out;
}

TEST_F(spec_suites, entries_run_many_relations_in_one_process) {
  p.replace("CMakeLists.txt", "LINK numbers)", "LINK numbers GRANULARITY suite)");
  p.replace("src/half.cpp", "x / 2", "x > 50 ? x : x / 2");
  p.configure();
  p.build();
  p.measure();
  const finished run = p.ctest({"-R", "relations", "--output-on-failure"});
  EXPECT_EQ(failed(run.out).size(), 1U) << run.both();
  EXPECT_NE(run.out.find("halves.one more"), std::string::npos) << run.out;
  EXPECT_EQ(p.morph({"record"}).exit, 0);
}

TEST_F(spec_suites, a_saved_pool_takes_the_place_of_the_strategy) {
  const std::string pool = (p.root() / "tests/halves.jsonl").string();
  const finished saved = p.morph({"spec", "run", "--spec", "halves", "--save-pool", pool});
  EXPECT_EQ(saved.exit, 0) << saved.both();
  EXPECT_NE(p.read("tests/halves.jsonl").find("\"by\":\"add two\""), std::string::npos);
  p.replace("CMakeLists.txt", "LINK numbers)", "LINK numbers POOL tests/halves.jsonl)");
  p.configure();
  p.build();
  EXPECT_EQ(p.ctest().exit, 0);
  const names before = listed(p.ctest({"-N", "-R", "^halves"}).out);
  EXPECT_GT(before.size(), 20U);  // each case

  // One more case, which no seed would have made.
  std::ofstream(pool, std::ios::app) << R"({"by":"drawn","in":7000})"
                                     << "\n";
  p.replace("src/half.cpp", "x / 2", "x == 7000 ? std::abort(), 0 : x / 2");
  p.replace("src/half.cpp", "#include", "#include <cstdlib>\n#include");
  p.build();
  const finished run = p.ctest({"--output-on-failure"});
  names added = listed(p.ctest({"-N", "-R", "^halves"}).out);
  std::erase_if(added,
                [&](const std::string& each) { return std::find(before.begin(), before.end(), each) != before.end(); });
  EXPECT_EQ(failed(run.out), added) << run.both();
  EXPECT_EQ(added.size(), 1U);
  EXPECT_NE(run.out.find("error: 7000: signal 6 (Aborted)"), std::string::npos) << run.out;
}

TEST_F(spec_suites, morph_spec_finds_the_program) {
  const finished list = p.morph({"spec", "list"});
  EXPECT_EQ(list.exit, 0) << list.both();
  EXPECT_NE(list.out.find("squares"), std::string::npos);
  EXPECT_NE(list.out.find("add two"), std::string::npos);
  const finished run = p.morph({"spec", "run"});
  EXPECT_TRUE(run.out.ends_with("\n2 specs: 2 hold\n")) << run.both();
  const finished unknown = p.morph({"spec", "--suite", "other", "list"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("there is no suite of specs 'other'; there are: relations"), std::string::npos)
      << unknown.err;
}

TEST_F(spec_suites, a_program_says_how_far_it_is) {
  std::vector<std::string> command{"sh", "-c", "exec \"$@\" 5>progress", "sh"};
  for (const std::string& word : p.morph_command({"spec", "--suite", "relations", "--progress-fd", "5", "run"}))
    command.push_back(word);
  ASSERT_EQ(p.run(command).exit, 0);
  const auto first = nlohmann::json::parse(p.read("progress").substr(0, p.read("progress").find('\n')));
  EXPECT_EQ(first["unit"], "cases");
  EXPECT_EQ(first["total"], 0);
  EXPECT_TRUE(first["done"].is_number_unsigned());
}

TEST_F(spec_suites, of_several_one_has_to_be_named_but_for_help) {
  p.write("CMakeLists.txt",
          p.read("CMakeLists.txt") + "morph_add_spec(others SOURCES tests/numbers.spec.cpp LINK numbers)\n");
  p.configure();
  const finished list = p.morph({"spec", "list"});
  EXPECT_EQ(list.exit, 2);
  EXPECT_NE(list.err.find("say which: --suite NAME, one of relations, others"), std::string::npos) << list.both();
  for (const char* activity : {"run", "explore", "breed"}) {
    const finished help = p.morph({"spec", activity, "--help"});  // from a program that is built
    EXPECT_EQ(help.exit, 0) << help.both();
    EXPECT_NE(help.out.find("--pool"), std::string::npos) << help.both();
  }
  const finished unbuilt = p.morph({"spec", "--suite", "others", "list"});
  EXPECT_EQ(unbuilt.exit, 3);
  EXPECT_NE(unbuilt.err.find("is not built; build it: cmake --build"), std::string::npos) << unbuilt.both();
}

TEST_F(spec_suites, cases_have_rows_of_their_own_if_that_is_asked_for) {
  p.replace("CMakeLists.txt", "LINK numbers)", "LINK numbers ENVIRONMENT MORPH_SPEC_CASES=1)");
  p.replace("src/square.cpp", "return x * x;", "if (x < 0) {\n    x = -x;\n  }\n  return x * x;");
  p.configure();
  p.build();
  p.measure();
  const names tests = listed(p.ctest({"-N", "-R", "^squares"}).out);
  EXPECT_EQ(tests.size(), 4U);  // 2, 3, -2 and -3
  const nlohmann::json line =
      nlohmann::json::parse(p.morph({"report", "coverage", "--line", "src/square.cpp:4", "--json"}).out);
  EXPECT_EQ(line["tests"].size(), 2U) << line.dump();

  // The seeds alone do not reach it, all cases do.
  const std::string pool = (p.root() / "pool.jsonl").string();
  EXPECT_EQ(p.morph({"spec", "seed", "--spec", "squares", "--pool", pool}).exit, 0);
  const auto measured_now = [&] {
    return nlohmann::json::parse(p.morph({"spec", "measure", "--spec", "squares", "--pool", pool, "--json"}).out);
  };
  const nlohmann::json of_seeds = measured_now();
  EXPECT_EQ(of_seeds["coverage of"], "cases");
  EXPECT_EQ(p.morph({"spec", "mutate", "--spec", "squares", "--pool", pool}).exit, 0);
  const nlohmann::json of_all = measured_now();
  EXPECT_LT(of_seeds["line coverage"].get<double>(), of_all["line coverage"].get<double>());
  EXPECT_LT(of_seeds["branch coverage"].get<double>(), of_all["branch coverage"].get<double>());

  // The row of -2 is that of 2, too, of which it was made: both branches.
  const finished selected = p.morph(
      {"spec", "filter", "--spec", "squares", "--pool", pool, "--by", "select", "--most", "1", "--out", pool + "1"});
  EXPECT_NE(selected.out.find("1 of 4 measured cases cover "), std::string::npos) << selected.both();
  const finished minimal = p.morph({"spec", "filter", "--spec", "squares", "--pool", pool, "--by", "minimize"});
  EXPECT_EQ(minimal.exit, 0) << minimal.both();
  EXPECT_NE(minimal.out.find("1 of 4 measured cases cover 6 of 6 lines and branches; no fewer do\n"), std::string::npos)
      << minimal.out;
  const nlohmann::json of_few = measured_now();
  EXPECT_EQ(of_few["cases"], 2);  // a mutant's seed stays with it
  EXPECT_EQ(of_few["line coverage"], of_all["line coverage"]);
  EXPECT_EQ(of_few["branch coverage"], of_all["branch coverage"]);
  EXPECT_EQ(p.morph({"spec", "filter", "--spec", "squares", "--pool", pool, "--by", "select"}).exit, 2);

  // With known kills fewer cases are too few.
  ASSERT_EQ(p.morph({"mutate", "--all-killers", "-q"}).exit, 0);
  ASSERT_EQ(p.morph({"spec", "mutate", "--spec", "squares", "--pool", pool}).exit, 0);
  const nlohmann::json before = measured_now();
  const finished killing = p.morph({"spec", "filter", "--spec", "squares", "--pool", pool, "--by", "minimize"});
  EXPECT_NE(killing.out.find(" cover 6 of 6 lines and branches and kill what all kill; no fewer do\n"),
            std::string::npos)
      << killing.both();
  EXPECT_EQ(measured_now()["mutation score"], before["mutation score"]) << before.dump();
  EXPECT_EQ(killing.out.find("1 of 4 measured cases"), std::string::npos) << killing.out;
}

TEST_F(spec_suites, cases_that_are_made_of_outputs_have_rows_too) {
  p.replace("CMakeLists.txt", "LINK numbers)", "LINK numbers ENVIRONMENT MORPH_SPEC_CASES=1)");
  p.replace("tests/numbers.spec.cpp", "[](int x) { return x + 2; }",
            "[](const morph::test_case<int, int>& c) { return c.input + 2 + 0 * c.output; }");
  p.configure();
  p.build();
  p.measure();
  const names halves = listed(p.ctest({"-N", "-R", "^halves"}).out);
  ASSERT_GT(halves.size(), 4U);
  const nlohmann::json line =
      nlohmann::json::parse(p.morph({"report", "coverage", "--line", "src/half.cpp:3", "--json"}).out);
  EXPECT_GE(line["tests"].size(), halves.size());
  p.replace("src/half.cpp", "return x / 2;", "const int part = x / 2;\n  return part;");
  p.build();
  const names selected = p.plan().selected();
  for (const std::string& each : halves) EXPECT_NE(std::find(selected.begin(), selected.end(), each), selected.end());
}

TEST_F(spec_suites, relations_and_mutants_make_a_kill_table) {
  ASSERT_EQ(p.morph({"mutate", "--all-killers"}).exit, 0);
  const nlohmann::json result = nlohmann::json::parse(p.morph({"report", "mutation", "--json"}).out);
  EXPECT_EQ(result["every_killer"], true);
  std::map<std::string, nlohmann::json> by_test;
  for (const nlohmann::json& row : result["by_test"]) by_test[row["name"]] = row;
  EXPECT_EQ(by_test.at("squares.even: x and -x")["suite"], "relations");
  EXPECT_GT(by_test.at("squares.expected output")["alone"], 0) << result["by_test"];
  EXPECT_EQ(by_test.at("squares.expected output")["redundant"], false);
  // x * x and -x * -x stay equal with nearly everything, and the expected outputs see the rest.
  EXPECT_EQ(by_test.at("squares.even: x and -x")["redundant"], true);
  EXPECT_EQ(by_test.at("halves.one more")["redundant"], false);

  const finished table = p.morph({"report", "mutation", "--by", "test", "--suite", "relations"});
  EXPECT_EQ(table.exit, 0) << table.both();
  EXPECT_NE(table.out.find("squares.even: x and -x"), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("Square.OfTwo"), std::string::npos) << table.out;
  const std::string matrix = p.morph({"report", "mutation", "--format", "kills", "--suite", "relations"}).out;
  EXPECT_EQ(matrix.substr(0, matrix.find('\n')),
            "file,line,column,operator,original,replacement,squares.even: x and -x,squares.expected output,"
            "squares.every run ends,halves.one more,halves.every run ends");
  const finished unknown = p.morph({"report", "mutation", "--suite", "other"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("suites that did: inside, relations"), std::string::npos) << unknown.err;

  const std::string pool = (p.root() / "pool.jsonl").string();
  EXPECT_EQ(p.morph({"spec", "seed", "--spec", "squares", "--pool", pool}).exit, 0);
  const std::vector<std::string> measure{"spec", "measure", "--spec", "squares", "--pool", pool};
  const finished score = p.morph(measure);
  EXPECT_NE(score.out.find("mutants killed, by the tests of the suite)"), std::string::npos) << score.both();
  p.replace("src/half.cpp", "x / 2", "x / (1 + 1)");
  const finished stale = p.morph(measure);
  EXPECT_NE(stale.err.find("no mutation score: 'src/half.cpp' has changed since `morph mutate`"), std::string::npos)
      << stale.both();
}

TEST_F(spec_suites, a_pool_has_the_mutation_score_of_its_cases) {
  p.replace("CMakeLists.txt", "LINK numbers)", "LINK numbers ENVIRONMENT MORPH_SPEC_CASES=1)");
  p.replace("src/square.cpp", "return x * x;", "if (x < 0) {\n    return -x * -x;\n  }\n  return x * x;");
  p.configure();
  p.build();
  const std::string pool = (p.root() / "pool.jsonl").string();
  EXPECT_EQ(p.morph({"spec", "seed", "--spec", "squares", "--pool", pool}).exit, 0);
  const auto measured_now = [&] {
    return nlohmann::json::parse(p.morph({"spec", "measure", "--spec", "squares", "--pool", pool, "--json"}).out);
  };
  EXPECT_FALSE(measured_now().contains("mutation score"));
  ASSERT_EQ(p.morph({"mutate"}).exit, 0);
  EXPECT_EQ(measured_now()["mutation score is a lower bound"], true);
  ASSERT_EQ(p.morph({"mutate", "--all-killers"}).exit, 0);
  const nlohmann::json of_seeds = measured_now();
  EXPECT_EQ(of_seeds["mutation score of"], "cases");
  EXPECT_EQ(of_seeds["mutation score is a lower bound"], false);
  EXPECT_EQ(p.morph({"spec", "mutate", "--spec", "squares", "--pool", pool}).exit, 0);
  EXPECT_LT(of_seeds["mutation score"].get<double>(), measured_now()["mutation score"].get<double>());
}

TEST_F(spec_suites, a_pool_is_measured_by_the_rows_of_its_suite) {
  const std::string pool = (p.root() / "pool.jsonl").string();
  EXPECT_EQ(p.morph({"spec", "seed", "--spec", "halves", "--pool", pool}).exit, 0);
  const finished unknown = p.morph({"spec", "filter", "--spec", "halves", "--pool", pool, "--by", "minimize"});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_NE(unknown.err.find("no case of the pool was measured by itself; declare the suite with ENVIRONMENT"),
            std::string::npos)
      << unknown.err;
  const finished measured = p.morph({"spec", "measure", "--spec", "halves", "--pool", pool});
  EXPECT_EQ(measured.exit, 0) << measured.both();
  EXPECT_NE(measured.out.find("diversity"), std::string::npos);
  EXPECT_NE(measured.out.find("line coverage (4 of 4, by all 5 tests of the suite)"), std::string::npos)
      << measured.out;
}

TEST_F(spec_suites, without_morph_the_programs_are_tests) {
  p.configure({"-DMORPH_ENABLED=OFF"});
  p.build();
  const finished run = p.ctest();
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(sorted(started(run.out)),
            (names{"Square.OfTwo", "hosted.every_run_ends", "hosted.odd_function", "relations.all"}));
}

TEST_F(spec_suites, wrong_calls_say_what_would_be_right) {
  const auto said = [&](const std::string& call) {
    p.write("CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.25)\nproject(N CXX)\nenable_testing()\n"
            "find_package(Morph REQUIRED)\n" +
                call + "\n");
    const finished configured = p.try_configure();
    EXPECT_NE(configured.exit, 0) << call;
    return configured.err;
  };
  EXPECT_NE(said("morph_add_spec()").find("the name is missing"), std::string::npos);
  EXPECT_NE(said("morph_add_spec(a LINK b)").find("SOURCES is missing"), std::string::npos);
  EXPECT_NE(said("morph_add_spec(a SOURCES b.cpp FRAMEWORK gtest)").find("FRAMEWORK is for morph_add_suite()"),
            std::string::npos);
  EXPECT_NE(said("morph_add_spec(a b.cpp)").find("unknown argument 'b.cpp'"), std::string::npos);
  EXPECT_NE(said("morph_add_spec(a SOURCES tests/numbers.spec.cpp POOL a b)").find("POOL takes one file"),
            std::string::npos);
}

TEST_F(spec_suites, a_relation_that_gives_nothing_is_refused) {
  p.replace("tests/numbers.spec.cpp", "{ return m.output == o.output + 1; }", "{ (void)(m.output == o.output + 1); }");
  p.build();
  const finished run = p.run({(p.build_dir() / "relations").string()});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("the relation 'one more' gives nothing, so it would always hold"), std::string::npos)
      << run.err;
}

TEST_F(spec_suites, a_run_that_cannot_start_leaves_the_pool_as_it_was) {
  p.replace("tests/numbers.spec.cpp", "morph::uniform(0, 100, 20)", "morph::json_lines{\"seeds.jsonl\"}");
  p.write("seeds.jsonl", "4\n6\n");
  p.build();
  const std::string program = (p.build_dir() / "relations").string();
  EXPECT_EQ(p.run({program, "--spec", "halves", "--save-pool", "pool.jsonl"}).exit, 0);
  const std::string before = p.read("pool.jsonl");
  p.write("seeds.jsonl", "4\nsix\n");
  EXPECT_EQ(p.run({program, "--spec", "halves", "--save-pool", "pool.jsonl"}).exit, 3);
  EXPECT_EQ(p.read("pool.jsonl"), before);
}

TEST_F(spec_suites, two_specs_of_one_name_are_refused) {
  p.replace("tests/numbers.spec.cpp", "MORPH_SPEC(halves,", "namespace {\nMORPH_SPEC(squares,");
  p.write("tests/numbers.spec.cpp", p.read("tests/numbers.spec.cpp") + "}\n");
  p.build();
  const finished run = p.run({(p.build_dir() / "relations").string()});
  EXPECT_EQ(run.exit, 2);
  EXPECT_NE(run.err.find("two specs are named 'squares'"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace morph::end_to_end
