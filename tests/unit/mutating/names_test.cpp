// What mutants and tests are called from one run to the next, and what is remembered of them.
#include "plugin/mutating/names.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/mutating/memory.hpp"
#include "plugin/mutating/scope.hpp"

namespace morph::mutating {
namespace {

/// A file with an expression mutant wherever its text has `what`; functions as they are named in `functions`, each up
/// to its closing brace at the start of a line.
mutation::mutated_file mutants_of(const std::string& source, const std::string& what,
                                  const std::vector<std::string>& functions) {
  mutation::mutated_file file{"src/a.cpp", source, {}};
  for (const std::string& name : functions) {
    const auto begin = static_cast<std::uint32_t>(source.find(name));
    const auto end = static_cast<std::uint32_t>(source.find("\n}", begin) + 2);
    file.places.functions.push_back(
        {begin, end, static_cast<std::uint32_t>(1 + std::count(source.begin(), source.begin() + begin, '\n')),
         static_cast<std::uint32_t>(1 + std::count(source.begin(), source.begin() + end, '\n')), name, ""});
  }
  for (std::size_t at = source.find(what); at != std::string::npos; at = source.find(what, at + 1))
    file.places.places.push_back({static_cast<std::uint32_t>(at),
                                  static_cast<std::uint32_t>(at + what.size()),
                                  mutation::place_kind::expression,
                                  "",
                                  {{"crp", "0"}, {"crp", "1"}}});
  return file;
}

std::vector<std::string> flat(const std::vector<std::vector<std::string>>& names) {
  std::vector<std::string> all;
  for (const auto& of_place : names) all.insert(all.end(), of_place.begin(), of_place.end());
  return all;
}

const std::string two_functions =
    "int k = 3;\nint f() {\n  return 7;\n}\nint g() {\n  int a = 7;\n  return a + 7;\n}\n";

TEST(MutantNames, AreDifferentForEachMutant) {
  const auto names = flat(name_mutants(mutants_of(two_functions, "7", {"int f()", "int g()"})));
  ASSERT_EQ(names.size(), 6U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 6U);
}

TEST(MutantNames, StayWhereOnlyCommentsAndOtherFunctionsChange) {
  const auto before = flat(name_mutants(mutants_of(two_functions, "7", {"int f()", "int g()"})));
  const auto commented =
      flat(name_mutants(mutants_of("// a\n\nint k = 3;\nint f() {\n  return /* seven */ 7;\n}\nint g() {\n  int a = 7; "
                                   " // b\n\n  return a + 7;\n}\n",
                                   "7", {"int f()", "int g()"})));
  EXPECT_EQ(before, commented);

  const auto edited =
      flat(name_mutants(mutants_of("int k = 3;\nint f() {\n  return 1 + 7;\n}\nint h() {\n  return 2;\n}\nint g() {\n  "
                                   "int a = 7;\n  return a + 7;\n}\n",
                                   "7", {"int f()", "int h()", "int g()"})));
  ASSERT_EQ(edited.size(), 6U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NE(before[i], edited[i]);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(before[i], edited[i]);
}

TEST(MutantNames, ChangeWithWhatStandsOutsideOfFunctions) {
  const auto before = flat(name_mutants(mutants_of(two_functions, "7", {"int f()", "int g()"})));
  std::string other = two_functions;
  other[8] = '4';
  const auto after = flat(name_mutants(mutants_of(other, "7", {"int f()", "int g()"})));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NE(before[i], after[i]);
}

TEST(MutantNames, OfOtherFilesHangOnWhatStandsOutsideOfFunctions) {
  const auto rest = [](const std::string& text) {
    return digest_outside_functions(mutants_of(text, "7", {"int f()", "int g()"}));
  };
  std::string other_body = two_functions, other_constant = two_functions;
  other_body.replace(other_body.find("a + 7"), 5, "7 - a");
  other_constant.replace(other_constant.find("k = 3"), 5, "k = 4");
  EXPECT_EQ(rest(two_functions), rest("// three\n" + other_body));
  EXPECT_NE(rest(two_functions), rest(other_constant));
}

TEST(MutantNames, TellTwinsApart) {
  const std::string twins = "#if A\nint f() {\n  return 7;\n}\n#else\nint f() {\n  return 7;\n}\n#endif\n";
  mutation::mutated_file file = mutants_of(twins, "7", {"int f()"});
  auto second = file.places.functions.front();
  second.begin = static_cast<std::uint32_t>(twins.rfind("int f()"));
  second.end = static_cast<std::uint32_t>(twins.rfind("\n}") + 2);
  file.places.functions.push_back(second);
  const auto names = flat(name_mutants(file));
  ASSERT_EQ(names.size(), 4U);
  EXPECT_NE(names[0], names[2]);
}

TEST(MutantNames, ADirectiveEndsWithItsLine) {
  EXPECT_EQ(content_digest("int a;\nint b;"), content_digest("int a; int b;"));
  EXPECT_NE(content_digest("#define A 1\nint b;"), content_digest("#define A\n1 int b;"));
  EXPECT_EQ(content_digest("#define A \\\n 1\nint b;"), content_digest("#define A \\\n  1  // c\nint b;"));
  EXPECT_NE(content_digest("#define A \\\n 1\nint b;"), content_digest("#define A \\\n 1 int b;"));
}

// ---- tests

const std::string two_tests =
    "#include \"help.hpp\"\nint help();\nTEST(A, One) {\n  EXPECT_EQ(f(), 1);\n}\nTEST(A, Two) { EXPECT_EQ(g(), 2); "
    "}\n";

std::vector<std::string> contents_of(const std::string& tests, const std::vector<std::string>& places,
                                     const std::string& header = "int h();") {
  return test_contents(places, {{"/m/t.cpp", tests}, {"/m/help.hpp", header}});
}

TEST(TestContents, HangOnTheTestsOwnDefinition) {
  const auto before = contents_of(two_tests, {"/m/t.cpp:3", "/m/t.cpp:6"});
  EXPECT_NE(before[0], before[1]);
  std::string edited = two_tests;
  edited.replace(edited.find("f(), 1"), 6, "f(), 5");
  const auto after = contents_of(edited, {"/m/t.cpp:3", "/m/t.cpp:6"});
  EXPECT_NE(before[0], after[0]);
  EXPECT_EQ(before[1], after[1]);
}

TEST(TestContents, ANewTestIsNoChangeOfTheOthers) {
  const auto before = contents_of(two_tests, {"/m/t.cpp:3", "/m/t.cpp:6"});
  const auto after = contents_of("// new\n" + two_tests + "TEST(A, Three) {\n  if (x) { y(); }\n}\n",
                                 {"/m/t.cpp:4", "/m/t.cpp:7", "/m/t.cpp:8"});
  EXPECT_EQ(before[0], after[0]);
  EXPECT_EQ(before[1], after[1]);
}

TEST(TestContents, WhatAllTestsUseIsPartOfEach) {
  const auto before = contents_of(two_tests, {"/m/t.cpp:3", "/m/t.cpp:6"});
  const auto other_header = contents_of(two_tests, {"/m/t.cpp:3", "/m/t.cpp:6"}, "long h();");
  std::string other_help = two_tests;
  other_help.replace(other_help.find("int help()"), 3, "int*");
  const auto helped = contents_of(other_help, {"/m/t.cpp:3", "/m/t.cpp:6"});
  for (int i : {0, 1}) {
    EXPECT_NE(before[static_cast<std::size_t>(i)], other_header[static_cast<std::size_t>(i)]);
    EXPECT_NE(before[static_cast<std::size_t>(i)], helped[static_cast<std::size_t>(i)]);
  }
}

TEST(TestContents, OfATestThatIsNotFoundItIsEverything) {
  for (const std::string place : {"", "/m/t.cpp", "/elsewhere.cpp:3", "/m/t.cpp:99", "/m/t.cpp:x"}) {
    const auto before = contents_of(two_tests, {"/m/t.cpp:3", place});
    std::string edited = two_tests;
    edited.replace(edited.find("g(), 2"), 6, "g(), 5");
    EXPECT_NE(before[1], contents_of(edited, {"/m/t.cpp:3", place})[1]) << place;
  }
}

// ---- memory

mutation::program_verdict killed_by(std::vector<std::uint32_t> killers, std::vector<std::uint32_t> passed) {
  mutation::program_verdict v;
  v.state = killers.empty() ? mutation::mutant_state::survived : mutation::mutant_state::killed;
  v.killers = std::move(killers);
  v.passed = std::move(passed);
  v.covering = 3;
  return v;
}

program_memory three_tests() {
  program_memory memory;
  memory.begin_run("g++");
  memory.set_tests({{"a", "1", ""}, {"b", "1", ""}, {"c", "1", "is skipped"}});
  return memory;
}

TEST(VerdictMemory, FollowsTestsToTheirNewNumbers) {
  program_memory memory = three_tests();
  memory.remember("m", killed_by({1}, {0}));
  memory.begin_run("g++");
  memory.set_tests({{"new", "1", ""}, {"b", "1", ""}, {"a", "1", ""}});
  const auto known = memory.recall("m");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->killers, std::vector<std::uint32_t>{1});
  EXPECT_EQ(known->passed, std::vector<std::uint32_t>{2});
  EXPECT_EQ(known->covering, 3U);
  EXPECT_FALSE(memory.recall("other"));
}

TEST(VerdictMemory, ATestWithOtherContentIsAnother) {
  program_memory memory = three_tests();
  memory.remember("m", killed_by({1}, {0}));
  memory.begin_run("g++");
  memory.set_tests({{"a", "1", ""}, {"b", "2", ""}});
  EXPECT_TRUE(memory.recall("m")->killers.empty());
  EXPECT_EQ(memory.recall("m")->passed, std::vector<std::uint32_t>{0});
}

TEST(VerdictMemory, OtherConditionsForgetEverything) {
  program_memory memory = three_tests();
  memory.remember("m", killed_by({1}, {0}));
  memory.begin_run("g++ -O2");
  memory.set_tests({{"a", "1", ""}, {"b", "1", ""}});
  EXPECT_FALSE(memory.recall("m"));
}

TEST(VerdictMemory, WhatWasNotJudgedStaysWhatItWas) {
  program_memory memory = three_tests();
  memory.remember("m", killed_by({}, {0, 1}));
  mutation::program_verdict none;
  none.state = mutation::mutant_state::not_judged;
  memory.remember("m", none);
  memory.remember("n", none);
  EXPECT_EQ(memory.recall("m")->state, mutation::mutant_state::survived);
  EXPECT_FALSE(memory.recall("n"));
}

TEST(VerdictMemory, IsReadAsItWasWritten) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("verdicts." + std::to_string(::getpid()) + ".json");
  verdict_memory written;
  written.settled = "everything";
  written.all_killers = true;
  program_memory memory = three_tests();
  memory.remember("m", killed_by({1}, {0}));
  memory.remember("s", killed_by({}, {0, 1}));
  written.programs.emplace("suite/program", memory);
  ASSERT_TRUE(save_verdicts(file, written));
  const verdict_memory read = load_verdicts(file);
  EXPECT_EQ(read.settled, "everything");
  EXPECT_TRUE(read.all_killers);
  ASSERT_EQ(read.programs.count("suite/program"), 1U);
  const program_memory& again = read.programs.at("suite/program");
  EXPECT_EQ(again.tests(), memory.tests());
  EXPECT_EQ(again.recall("m")->killers, std::vector<std::uint32_t>{1});
  EXPECT_EQ(again.recall("s")->passed, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(again.recall("s")->state, mutation::mutant_state::survived);

  std::string text = nlohmann::json::parse(std::ifstream(file)).dump();
  for (const std::string& damaged :
       {text.substr(0, text.size() / 2), std::string("{}"), std::string("[1]"), std::string()}) {
    std::ofstream(file) << damaged;
    EXPECT_TRUE(load_verdicts(file).programs.empty()) << damaged;
  }
  std::filesystem::remove(file);
}

TEST(VerdictMemory, ForgetsMutantsThatAreGone) {
  program_memory memory = three_tests();
  memory.remember("gone", killed_by({1}, {0}));
  for (int run = 0; run < 11; ++run) {
    memory = program_memory::from_json(memory.to_json());
    memory.begin_run("g++");
    memory.set_tests({{"a", "1", ""}, {"b", "1", ""}});
    memory.remember("m", killed_by({}, {0}));
  }
  memory = program_memory::from_json(memory.to_json());
  EXPECT_TRUE(memory.recall("m"));
  EXPECT_FALSE(memory.recall("gone"));
}

TEST(VerdictMemory, ForgetsTestsThatAreGone) {
  program_memory memory = three_tests();
  memory.remember("m", killed_by({1}, {0}));
  memory.remember("unseen", killed_by({2}, {1}));
  memory.begin_run("g++");
  memory.set_tests({{"new", "1", ""}, {"a", "1", ""}, {"b", "2", ""}});
  memory.remember("m", killed_by({2}, {0, 1}));
  const auto known = [](const program_memory& of) {
    return of.to_json().at("known_tests").get<std::multiset<std::pair<std::string, std::string>>>();
  };
  using tests = std::multiset<std::pair<std::string, std::string>>;
  // A verdict of an earlier run names the old `b` and `c`.
  EXPECT_EQ(known(memory), (tests{{"new", "1"}, {"a", "1"}, {"b", "2"}, {"b", "1"}, {"c", "1"}}));

  memory = program_memory::from_json(memory.to_json());
  memory.begin_run("g++");
  memory.set_tests({{"a", "1", ""}, {"b", "2", ""}});
  EXPECT_EQ(memory.recall("m")->killers, std::vector<std::uint32_t>{1});
  EXPECT_EQ(memory.recall("m")->passed, std::vector<std::uint32_t>{0});
  memory.remember("m", killed_by({1}, {0}));
  memory.remember("unseen", killed_by({}, {0}));
  EXPECT_EQ(known(memory), (tests{{"a", "1"}, {"b", "2"}}));
}

// ---- which are judged

TEST(MutateScope, ShardsAreDisjointAndComplete) {
  const auto names = flat(name_mutants(mutants_of(two_functions, "7", {"int f()", "int g()"})));
  for (const std::string& name : names) {
    int in = 0;
    for (const char* part : {"1/3", "2/3", "3/3"}) in += is_in(*parse_shard(part), name) ? 1 : 0;
    EXPECT_EQ(in, 1) << name;
  }
  for (const char* wrong : {"", "0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3", "a/b"})
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
}

TEST(MutateScope, ASampleIsTheSameWhateverTheOrder) {
  const std::vector<std::string> names{"c", "a", "d", "b"};
  EXPECT_EQ(draw_sample(names, 2), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(draw_sample(names, 9), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(MutateScope, AFunctionIsChangedByAnyOfItsLines) {
  const auto file = mutants_of(two_functions, "7", {"int f()", "int g()"});
  const changed_lines of_g{{"src/a.cpp", {{6, 6}}}};
  EXPECT_FALSE(is_changed(file, file.places.places[0], of_g));
  EXPECT_TRUE(is_changed(file, file.places.places[1], of_g));
  EXPECT_TRUE(is_changed(file, file.places.places[2], of_g));  // two lines further
  EXPECT_FALSE(is_changed(file, file.places.places[1], {{"src/b.cpp", {{6, 6}}}}));
  const auto outside = mutants_of(two_functions, "3", {"int f()", "int g()"});
  EXPECT_TRUE(is_changed(outside, outside.places.places[0], {{"src/a.cpp", {{1, 1}}}}));
  EXPECT_FALSE(is_changed(outside, outside.places.places[0], {{"src/a.cpp", {{2, 2}}}}));
}

TEST(MutateScope, TestsThatRunAloneJudgeOneMutantAtATime) {
  const auto jobs_with = [](const std::string& property, const std::string& value) {
    build::suite suite;
    suite.properties = {{"LABELS", "TRUE"}, {property, value}};
    return jobs_for(suite, 4);
  };
  EXPECT_EQ(jobs_with("RUN_SERIAL", "TRUE"), 1U);
  EXPECT_EQ(jobs_with("RUN_SERIAL", "on"), 1U);
  EXPECT_EQ(jobs_with("RESOURCE_LOCK", "display"), 1U);
  for (const char* no : {"FALSE", "off", "0", "No", ""}) EXPECT_EQ(jobs_with("RUN_SERIAL", no), 4U) << no;
  EXPECT_EQ(jobs_with("COST", "1"), 4U);
}

}  // namespace
}  // namespace morph::mutating
