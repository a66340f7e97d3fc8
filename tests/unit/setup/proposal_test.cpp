// What `morph init` offers for a project's CMake code.
#include "plugin/setup/proposal.hpp"

#include <gtest/gtest.h>

#include <map>

namespace morph::setup {
namespace {

using files = std::map<std::string, std::string>;
using list = std::vector<std::string>;

struct offered : testing::Test {
  const proposal& offer(const files& project, bool adopt = false,
                        std::optional<std::vector<registered_test>> registered = std::nullopt) {
    const project_text text{[&](const std::string& path) {
                              const auto at = project.find(path);
                              return at == project.end() ? std::nullopt : std::optional(at->second);
                            },
                            std::move(registered),
                            [&] {
                              list all;
                              for (const auto& [path, content] : project) all.push_back(path);
                              return all;
                            }};
    auto made = propose(text, adopt);
    EXPECT_TRUE(made) << made.error();
    made_ = made.value_or(proposal{});
    return made_;
  }
  /// The file after the edits; empty if it is not edited.
  std::string after(const std::string& path) const {
    for (const auto& edit : made_.edits)
      if (edit.path == path) return edit.after;
    return {};
  }
  proposal made_;
};

const std::string head = "project(p)\nenable_testing()\n";

TEST_F(offered, ADiscoveryCallBecomesASuiteWithItsKeywords) {
  offer({{"CMakeLists.txt", head + "target_link_libraries(t GTest::gtest_main)\n"
                                   "gtest_discover_tests(t\n  WORKING_DIRECTORY d # here\n  PROPERTIES TIMEOUT 5)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"),
            head +
                "target_link_libraries(t GTest::gtest_main)\n"
                "find_package(Morph REQUIRED)\n"
                "morph_add_suite(t TARGET t\n  WORKING_DIRECTORY d # here\n  PROPERTIES TIMEOUT 5)\n");
  ASSERT_EQ(made_.changes.size(), 2U);
  EXPECT_EQ(made_.changes[1].line, 4U);
}

TEST_F(offered, KeywordsWithoutMeaningAreLeftOut) {
  offer({{"CMakeLists.txt",
          head + "target_link_libraries(t GTest::gtest)\n"
                 "gtest_discover_tests(t DISCOVERY_MODE PRE_TEST XML_OUTPUT_DIR out TEST_PREFIX a.)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(t TARGET t TEST_PREFIX a.)\n"), std::string::npos);
  EXPECT_EQ(made_.changes[1].what,
            "gtest_discover_tests(t) becomes a suite; its tests keep their names (DISCOVERY_MODE, XML_OUTPUT_DIR is "
            "left out)");
}

TEST_F(offered, ACallWhoseNamesWouldChangeStays) {
  offer({{"CMakeLists.txt", head + "gtest_discover_tests(t NO_PRETTY_TYPES)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"),
            head + "gtest_discover_tests(t NO_PRETTY_TYPES)\nfind_package(Morph REQUIRED)\nmorph_adopt_tests()\n");
  EXPECT_EQ(
      made_.notes,
      list{"gtest_discover_tests() stays as it is at CMakeLists.txt:3: NO_PRETTY_TYPES gives the tests other names"});
}

TEST_F(offered, TheFrameworkOfACallIsSaidIfItsLinksDoNotTell) {
  offer({{"CMakeLists.txt", head + "add_executable(t t.cpp)\ncatch_discover_tests(t)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(t TARGET t FRAMEWORK catch2)\n"), std::string::npos);
}

TEST_F(offered, AddTestOfAProgramWithAFrameworkBecomesASuite) {
  offer({{"CMakeLists.txt", head + "add_subdirectory(test)\n"},
         {"test/CMakeLists.txt",
          "add_library(helper helper.cpp)\ntarget_link_libraries(helper PUBLIC gtest)\n"
          "add_executable(t t.cpp)\ntarget_link_libraries(t helper)\n"
          "add_test(NAME unit WORKING_DIRECTORY \"${d}\" COMMAND $<TARGET_FILE:t> --fast)\n"}});
  EXPECT_NE(after("test/CMakeLists.txt")
                .find("find_package(Morph REQUIRED)\n"
                      "morph_add_suite(t TARGET t WORKING_DIRECTORY \"${d}\" EXTRA_ARGS --fast)\n"),
            std::string::npos)
      << after("test/CMakeLists.txt");
  EXPECT_TRUE(after("CMakeLists.txt").empty());
}

TEST_F(offered, AProgramOfTheSameSourcesGetsAPrefix) {
  const std::string programs =
      "add_executable(fast main.cpp a.cpp)\nadd_executable(slow main.cpp a.cpp)\nadd_executable(more main.cpp b.cpp)\n"
      "target_link_libraries(fast doctest)\ntarget_link_libraries(slow doctest)\ntarget_link_libraries(more doctest)\n";
  offer({{"CMakeLists.txt", head + programs + "add_test(a fast)\nadd_test(b slow)\nadd_test(c more)\n"},
         {"main.cpp", ""},
         {"a.cpp", "TEST_CASE(\"a\") {}\n"},
         {"b.cpp", "TEST_CASE(\"b\") {}\n"}});
  const std::string text = after("CMakeLists.txt");
  EXPECT_NE(text.find("morph_add_suite(fast TARGET fast)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("morph_add_suite(slow TARGET slow TEST_PREFIX slow.)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("morph_add_suite(more TARGET more)\n"), std::string::npos) << text;
}

TEST_F(offered, AFrameworkIsSeenInWhatSourcesInclude) {
  offer({{"CMakeLists.txt", head + "add_executable(t t.cpp)\nadd_test(t t)\n"},
         {"t.cpp", "#include <vector>\n#include \"doctest.h\"\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(t TARGET t FRAMEWORK doctest)"), std::string::npos);
}

TEST_F(offered, ACallInAFunctionKeepsItsVariablesAndThePackageComesBeforeTheFunction) {
  offer({{"CMakeLists.txt", head + "# Adds a test.\nfunction(add name)\n  add_executable(${name} ${name}.cpp)\n"
                                   "  set(libs gtest)\n  target_link_libraries(${name} ${libs})\n"
                                   "  add_test(NAME ${name} COMMAND ${name})\nendfunction()\nadd(a)\nadd(b)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("find_package(Morph REQUIRED)\n# Adds a test.\nfunction(add name)\n"),
            std::string::npos);
  EXPECT_NE(after("CMakeLists.txt").find("  morph_add_suite(${name} TARGET ${name})\n"), std::string::npos);
}

TEST_F(offered, ThePackageStandsWhereAllSuitesSeeIt) {
  offer({{"CMakeLists.txt",
          head + "if(TESTS)\n  add_subdirectory(a)\n  if(MORE)\n    add_subdirectory(b)\n  endif()\nendif()\n"},
         {"a/CMakeLists.txt", "gtest_discover_tests(x)\n"},
         {"b/CMakeLists.txt", "gtest_discover_tests(y)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("if(TESTS)\n  find_package(Morph REQUIRED)\n  add_subdirectory(a)\n"),
            std::string::npos)
      << after("CMakeLists.txt");
}

TEST_F(offered, BranchesThatExcludeEachOtherAreNoCommonPlace) {
  offer({{"CMakeLists.txt", head + "if(A)\n  gtest_discover_tests(x)\nelse()\n  gtest_discover_tests(y)\nendif()\n"}});
  EXPECT_TRUE(after("CMakeLists.txt").starts_with(head + "find_package(Morph REQUIRED)\nif(A)\n"));
}

TEST_F(offered, OtherTestsAreAdoptedUnderTheSameCondition) {
  offer({{"CMakeLists.txt", head + "if(TESTS AND NOT WIN32)\n  add_test(NAME s COMMAND sh script)\nendif()\n"}});
  EXPECT_TRUE(
      after("CMakeLists.txt")
          .ends_with(
              "endif()\nif(TESTS AND NOT WIN32)\n  find_package(Morph REQUIRED)\n  morph_adopt_tests()\nendif()\n"));
}

TEST_F(offered, ThePackageIsThereWhereverTheRestIsAdopted) {
  const std::string tests = "if(X)\n  gtest_discover_tests(t)\nendif()\n";
  offer({{"CMakeLists.txt", head + "if(TESTS)\n  add_subdirectory(t)\nendif()\nadd_test(NAME s COMMAND sh)\n"},
         {"t/CMakeLists.txt", tests}});
  EXPECT_EQ(after("CMakeLists.txt"), head +
                                         "find_package(Morph REQUIRED)\nif(TESTS)\n  add_subdirectory(t)\nendif()\n"
                                         "add_test(NAME s COMMAND sh)\nmorph_adopt_tests()\n");
  offer({{"CMakeLists.txt", head + "if(TESTS)\n  add_subdirectory(t)\nendif()\n"},
         {"t/CMakeLists.txt", tests + "add_test(NAME s COMMAND sh)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"), head +
                                         "if(TESTS)\n  find_package(Morph REQUIRED)\n  add_subdirectory(t)\nendif()\n"
                                         "if(TESTS)\n  morph_adopt_tests()\nendif()\n");
}

TEST_F(offered, AFolderThatTwoBranchesAddIsAdoptedUnderNoCondition) {
  const std::string text =
      "project(p)\nif(INSTALLED)\n  enable_testing()\n  add_subdirectory(t)\n  return()\nendif()\n"
      "if(TESTS)\n  enable_testing()\n  add_subdirectory(t)\nendif()\n";
  offer({{"CMakeLists.txt", text}, {"t/CMakeLists.txt", "add_test(NAME s COMMAND sh script)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"), text + "find_package(Morph REQUIRED)\nmorph_adopt_tests()\n");
}

TEST_F(offered, ProgramsOfBoostTestAreKnownByWhatTheyLink) {
  for (const char* linked : {"Boost::unit_test_framework", "boost_unit_test_framework", "-lboost_unit_test_framework",
                             "${Boost_UNIT_TEST_FRAMEWORK_LIBRARY}"}) {
    offer({{"CMakeLists.txt",
            head + "add_executable(t t.cpp)\ntarget_link_libraries(t " + linked + ")\nadd_test(NAME t COMMAND t)\n"}});
    EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(t TARGET t)"), std::string::npos) << linked;
  }
  offer({{"CMakeLists.txt", head + "add_executable(t t.cpp)\ntarget_link_libraries(t Boost::system)\n"
                                   "add_test(NAME t COMMAND t)\n"},
         {"t.cpp", "#include <boost/test/included/unit_test.hpp>\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(t TARGET t FRAMEWORK boost)"), std::string::npos);
}

TEST_F(offered, ATestWhosePropertiesAreSetStays) {
  const std::string tests = "add_executable(t t.cpp)\ntarget_link_libraries(t gtest)\nadd_test(NAME t COMMAND t)\n";
  offer({{"CMakeLists.txt", head + tests + "set_tests_properties(t PROPERTIES TIMEOUT 3)\n"}});
  EXPECT_EQ(made_.notes,
            list{"add_test() stays as it is at CMakeLists.txt:5: set_tests_properties at CMakeLists.txt:6 sets "
                 "properties of the test; both together are, with a test for each GoogleTest case, "
                 "morph_add_suite(t TARGET t PROPERTIES ...)"});
  offer({{"CMakeLists.txt", head + tests + "set_tests_properties(${all} PROPERTIES TIMEOUT 3)\n"}});
  EXPECT_EQ(after("CMakeLists.txt").find("morph_add_suite"), std::string::npos);
  offer({{"CMakeLists.txt", head + tests + "set_tests_properties(u PROPERTIES TIMEOUT 3)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite"), std::string::npos);
}

TEST_F(offered, AdoptionAloneCanBeAskedFor) {
  offer({{"CMakeLists.txt", head + "gtest_discover_tests(t)\n"}}, true);
  EXPECT_EQ(after("CMakeLists.txt"),
            head + "gtest_discover_tests(t)\nfind_package(Morph REQUIRED)\nmorph_adopt_tests()\n");
}

TEST_F(offered, EnableTestingIsAddedBehindTheProject) {
  offer({{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(p)\nadd_subdirectory(t)\n"},
         {"t/CMakeLists.txt", "enable_testing()\ngtest_discover_tests(t)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("project(p)\nenable_testing()\nadd_subdirectory(t)\n"), std::string::npos);
  offer({{"CMakeLists.txt", "project(p)\ninclude(CTest)\ngtest_discover_tests(t)\n"}});
  EXPECT_EQ(after("CMakeLists.txt").find("enable_testing"), std::string::npos);
}

TEST_F(offered, WhatItWroteIsNotOfferedAgain) {
  offer({{"CMakeLists.txt", head + "gtest_discover_tests(t)\nadd_test(NAME s COMMAND sh)\n"}});
  const std::string once = after("CMakeLists.txt");
  offer({{"CMakeLists.txt", once}});
  EXPECT_TRUE(made_.edits.empty());
  EXPECT_EQ(made_.notes, list{"the project uses Morph already; nothing is left to add"});
}

TEST_F(offered, ANewDiscoveryCallIsOfferedToAProjectWithMorph) {
  offer({{"CMakeLists.txt",
          head + "find_package(Morph REQUIRED)\nmorph_add_suite(a TARGET a)\ngtest_discover_tests(b)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"), head +
                                         "find_package(Morph REQUIRED)\nmorph_add_suite(a TARGET a)\n"
                                         "morph_add_suite(b TARGET b FRAMEWORK gtest)\n");
}

TEST_F(offered, CommentsAndStringsAreNoCalls) {
  offer({{"CMakeLists.txt", head + "# gtest_discover_tests(t)\nmessage(\"gtest_discover_tests(t)\")\n"}});
  EXPECT_TRUE(made_.edits.empty());
  EXPECT_EQ(made_.notes.size(), 1U);
}

TEST_F(offered, AFolderThatAVariableNamesIsNotGuessed) {
  offer({{"CMakeLists.txt", head + "foreach(d a b)\n  add_subdirectory(${d})\nendforeach()\n"}});
  EXPECT_EQ(made_.unknown, list{"CMakeLists.txt:4: which folder add_subdirectory(${d}) adds"});
  EXPECT_TRUE(made_.notes.empty());
}

TEST_F(offered, OtherPeoplesProjectsAreLeftOut) {
  offer({{"CMakeLists.txt", head + "add_subdirectory(third_party/json)\n"},
         {"third_party/json/CMakeLists.txt", "gtest_discover_tests(t)\n"}});
  EXPECT_TRUE(made_.edits.empty());
  EXPECT_EQ(made_.notes[0], "CMakeLists.txt:3: 'third_party/json' is left out: it holds other projects");
}

TEST_F(offered, TheBuildTreeTellsWhatTheTextDoesNotShow) {
  const files project{{"CMakeLists.txt",
                       head + "gtest_discover_tests(t)\nadd_test(NAME s COMMAND sh)\nadd_test(NAME w COMMAND wine)\n"}};
  offer(project, false, std::vector<registered_test>{{"A.B", {}}, {"s", {{"CMakeLists.txt", 4, "add_test"}}}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_adopt_tests()"), std::string::npos);
  // Nothing is registered by what would stay: no line for it.
  offer(project, false, std::vector<registered_test>{{"A.B", {}}});
  EXPECT_EQ(after("CMakeLists.txt").find("morph_adopt_tests()"), std::string::npos);
  // A call in a file that was not read, made by one that was: known by the outer call.
  offer(project, false,
        std::vector<registered_test>{
            {"x", {{"/usr/Module.cmake", 9, "add_test"}, {"CMakeLists.txt", 3, "gtest_add_tests"}}},
            {"y", {{"hidden.cmake", 7, "add_test"}}}});
  EXPECT_EQ(made_.notes[0], "hidden.cmake:7: add_test registers 1 test where the reading did not come");
  EXPECT_NE(after("CMakeLists.txt").find("morph_adopt_tests()"), std::string::npos);
}

TEST_F(offered, LineEndingsAreKept) {
  offer({{"CMakeLists.txt", "project(p)\r\nenable_testing()\r\nadd_test(NAME s COMMAND sh)"}});
  EXPECT_EQ(after("CMakeLists.txt"),
            "project(p)\r\nenable_testing()\r\nadd_test(NAME s COMMAND sh)\r\nfind_package(Morph REQUIRED)\r\n"
            "morph_adopt_tests()\r\n");
}

// ---- programs of tests that nothing registers

TEST_F(offered, AProgramThatNothingRegistersBecomesASuiteBehindAllThatIsSaidOfIt) {
  offer({{"CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.12)\nproject(argparse)\noption(BUILD_TESTS \"\" OFF)\n"
          "if(BUILD_TESTS)\n  add_subdirectory(test)\nendif()\n"},
         {"test/CMakeLists.txt",
          "project(tests)\nfile(GLOB sources\n  main.cpp\n  test_*.cpp)\nadd_executable(tests ${sources})\n"
          "target_include_directories(tests PRIVATE doctest)\ninstall(FILES x)\n"
          "set_target_properties(tests PROPERTIES CXX_STANDARD 17)\nadd_custom_target(other)\n"},
         {"test/main.cpp", "int main() {}\n"},
         {"test/test_area.cpp", "#include <doctest.hpp>\n"}});
  EXPECT_EQ(after("test/CMakeLists.txt"),
            "project(tests)\nfile(GLOB sources\n  main.cpp\n  test_*.cpp)\nfind_package(Morph REQUIRED)\n"
            "add_executable(tests ${sources})\ntarget_include_directories(tests PRIVATE doctest)\ninstall(FILES x)\n"
            "set_target_properties(tests PROPERTIES CXX_STANDARD 17)\n"
            "morph_add_suite(tests TARGET tests FRAMEWORK doctest)\nadd_custom_target(other)\n");
  EXPECT_EQ(after("CMakeLists.txt"),
            "cmake_minimum_required(VERSION 3.12)\nproject(argparse)\nenable_testing()\noption(BUILD_TESTS \"\" OFF)\n"
            "if(BUILD_TESTS)\n  add_subdirectory(test)\nendif()\n");
  EXPECT_TRUE(made_.notes.empty());
}

TEST_F(offered, AProgramInABranchThatNothingRegistersBecomesASuiteThere) {
  offer(
      {{"CMakeLists.txt", head + "if(TESTS)\n  add_executable(t t.cpp)\n  target_link_libraries(t GTest::gtest_main)\n"
                                 "endif()\n"}});
  EXPECT_EQ(after("CMakeLists.txt"),
            head +
                "if(TESTS)\n  find_package(Morph REQUIRED)\n  add_executable(t t.cpp)\n"
                "  target_link_libraries(t GTest::gtest_main)\n  morph_add_suite(t TARGET t)\nendif()\n");
}

TEST_F(offered, SeveralProgramsThatNothingRegistersAreSuites) {
  offer({{"CMakeLists.txt", head + "add_library(core core.cpp)\nadd_executable(app app.cpp)\n"
                                   "add_executable(a ${CMAKE_CURRENT_SOURCE_DIR}/a.cpp)\nadd_executable(b b.cpp)"},
         {"core.cpp", "#include <gtest/gtest_prod.h>\n"},
         {"app.cpp", "#include \"core.h\"\n"},
         {"a.cpp", "#include <catch2/catch.hpp>\n"},
         {"b.cpp", "#include \"help/b.h\"\n"},
         {"help/b.h", "#  include \"../own/doctest.h\"\n"}});
  EXPECT_EQ(after("CMakeLists.txt"),
            head +
                "add_library(core core.cpp)\nadd_executable(app app.cpp)\nfind_package(Morph REQUIRED)\n"
                "add_executable(a ${CMAKE_CURRENT_SOURCE_DIR}/a.cpp)\nmorph_add_suite(a TARGET a FRAMEWORK catch2)\n"
                "add_executable(b b.cpp)\nmorph_add_suite(b TARGET b FRAMEWORK doctest)\n");
}

TEST_F(offered, AProgramBesideRegisteredOnesIsOffered) {
  offer(
      {{"CMakeLists.txt", head + "add_executable(a a.cpp)\ntarget_link_libraries(a gtest)\nadd_test(NAME a COMMAND a)\n"
                                 "add_executable(b b.cpp)\ntarget_link_libraries(b gtest)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(b TARGET b)\n"), std::string::npos);
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(a TARGET a)\n"), std::string::npos);
}

TEST_F(offered, WhatMayBeRegisteredIsNotOfferedAgain) {
  const std::string programs = "add_executable(a a.cpp)\ntarget_link_libraries(a gtest)\n";
  offer({{"CMakeLists.txt", head + programs + "foreach(t a b)\n  add_test(NAME ${t} COMMAND ${t})\nendforeach()\n"}});
  EXPECT_EQ(after("CMakeLists.txt").find("TARGET a"), std::string::npos);
  offer({{"CMakeLists.txt", head + programs + "our_test(a)\n"}});
  EXPECT_EQ(made_.unknown,
            list{"CMakeLists.txt:3: whether 'our_test() at CMakeLists.txt:5' registers the tests of 'a'"});
  EXPECT_TRUE(made_.edits.empty());
  offer({{"CMakeLists.txt", head + programs + "target_compile_definitions(a PRIVATE DOCTEST_CONFIG_DISABLE)\n"}});
  EXPECT_TRUE(made_.edits.empty());
}

// snappy's snappy_test_tool: what it is linked with is linked with GoogleTest, under a condition.
TEST_F(offered, AProgramWhoseSourcesMentionNoTestIsNoSuite) {
  const std::string programs =
      "add_library(support \"\")\ntarget_sources(support PRIVATE support.cc)\nif(HAVE_GTEST)\n"
      "  target_link_libraries(support gtest)\nendif()\nadd_executable(unittest unittest.cc)\n"
      "target_link_libraries(unittest support gtest)\nadd_test(NAME unittest COMMAND unittest)\n"
      "add_executable(tool \"\")\ntarget_sources(tool PRIVATE tool.cc)\ntarget_link_libraries(tool support)\n";
  std::map<std::string, std::string> project{{"CMakeLists.txt", head + programs},
                                             {"support.cc", "#include \"support.h\"\n"},
                                             {"support.h", "#ifndef SUPPORT_TEST_H\n#define SUPPORT_TEST_H\n#endif\n"},
                                             {"unittest.cc", "#include \"support.h\"\nTEST(A, B) {}\n"},
                                             {"tool.cc", "#include \"support.h\"\nint main() {}\n"}};
  const auto has_suite = [&](const std::string& name) {
    return after("CMakeLists.txt").find("morph_add_suite(" + name) != std::string::npos;
  };
  offer(project);
  EXPECT_TRUE(has_suite("unittest"));
  EXPECT_FALSE(has_suite("tool"));
  EXPECT_EQ(made_.unknown, list{"CMakeLists.txt:11: whether the program 'tool', which is linked with GoogleTest, has "
                                "tests: its sources mention none"});
  project["CMakeLists.txt"] += "add_test(NAME tool COMMAND tool)\n";
  offer(project);
  EXPECT_TRUE(has_suite("unittest"));
  EXPECT_FALSE(has_suite("tool"));
  project["tool.cc"] = "#include \"cases.inc\"\n";
  project["cases.inc"] = "TEST(C, D) {}\n";
  offer(project);
  EXPECT_TRUE(has_suite("tool"));
  project["CMakeLists.txt"] += "target_sources(tool PRIVATE ${generated})\n";
  project.erase("cases.inc");
  offer(project);
  EXPECT_TRUE(has_suite("tool"));
}

TEST_F(offered, AProgramOfTwoFrameworksIsNamed) {
  offer({{"CMakeLists.txt", head + "add_executable(t t.cpp)\n"},
         {"t.cpp", "#include <gtest/gtest.h>\n#include \"doctest.h\"\n"}});
  EXPECT_EQ(made_.unknown, list{"CMakeLists.txt:3: which test framework the program 't' uses: doctest or gtest"});
}

TEST_F(offered, TestingIsEnabledBeforeTheFolderOfTheTests) {
  offer({{"CMakeLists.txt", "project(p)\nadd_subdirectory(test)\nenable_testing()\n"},
         {"test/CMakeLists.txt", "add_executable(t t.cpp)\ntarget_link_libraries(t Catch2::Catch2)\n"}});
  EXPECT_EQ(after("CMakeLists.txt"), "project(p)\nenable_testing()\nadd_subdirectory(test)\nenable_testing()\n");
}

TEST_F(offered, ASuiteIsNotNamedByAReservedWord) {
  offer({{"CMakeLists.txt", head + "gtest_discover_tests(morphology_tests)\ngtest_discover_tests(deferred)\n"}});
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(suite_1 TARGET morphology_tests"), std::string::npos);
  EXPECT_NE(after("CMakeLists.txt").find("morph_add_suite(suite_2 TARGET deferred"), std::string::npos);
}

TEST(Proposal, ATopFolderWithoutCMakeIsAnError) {
  const project_text nothing{[](const std::string&) { return std::nullopt; }, std::nullopt};
  EXPECT_EQ(propose(nothing, false).error(), "there is no 'CMakeLists.txt' here; name the project's top folder");
  const project_text broken{[](const std::string&) { return "project(p"; }, std::nullopt};
  EXPECT_EQ(propose(broken, false).error(), "'CMakeLists.txt' line 1: project( is never closed");
}

}  // namespace
}  // namespace morph::setup
