// Tests that others registered: ctest's JSON, order, environments.
#include "plugin/frameworks/ctest_tests.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::frameworks {
namespace {

using nlohmann::json;
using words = std::vector<std::string>;

json test(const std::string& name, const json& properties = json::object(), const words& command = {"/bin/true"}) {
  json list = json::array();
  for (const auto& [key, value] : properties.items()) list.push_back({{"name", key}, {"value", value}});
  return {{"name", name}, {"command", command}, {"properties", list}};
}

std::vector<listed_case> parse(const std::vector<json>& tests) {
  return parse_ctest_listing(json{{"tests", tests}}.dump()).value();
}

words names_in_order(const std::vector<json>& tests) {
  const auto cases = parse(tests);
  words names;
  for (const std::size_t i : order_tests(cases).order) names.push_back(cases[i].name);
  return names;
}

using variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

system::command run_of(const json& properties, const words& what) {
  const auto made = as_ctest_runs(*parse({test("t", properties, what)}).front().entry);
  return made ? *made : system::command{{"nothing"}, {}, {}, {}, {}, false, {}, {}};
}

TEST(adopted_listing, keeps_what_ctest_says_of_a_test) {
  const auto cases =
      parse({test("a b;[", {{"WORKING_DIRECTORY", "/x y"}, {"TIMEOUT", 2.5}, {"WILL_FAIL", true}}, {"/p", "1;2"}),
             test("off", {{"DISABLED", true}})});
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].name, "a b;[");
  EXPECT_EQ(cases[0].entry->command, (words{"/p", "1;2"}));
  EXPECT_EQ(cases[0].entry->directory, "/x y");
  EXPECT_EQ(cases[0].entry->list("TIMEOUT"), words{"2.5"});
  EXPECT_EQ(cases[0].entry->list("WILL_FAIL"), words{"TRUE"});
  EXPECT_FALSE(cases[0].disabled);
  EXPECT_TRUE(cases[1].disabled);
}

TEST(adopted_listing, elements_of_a_list_may_hold_semicolons) {
  const auto cases = parse({test("a", {{"ENVIRONMENT", {"A=1;2", "B="}}})});
  EXPECT_EQ(cases[0].entry->list("ENVIRONMENT"), (words{"A=1;2", "B="}));
}

TEST(adopted_listing, leaves_out_morphs_placeholders) {
  EXPECT_EQ(parse({test("geo.placeholder", {{"LABELS", {"morph-placeholder"}}}), test("a")}).size(), 1U);
}

TEST(adopted_listing, a_name_that_did_not_survive_is_an_error) {
  const auto listed = parse_ctest_listing(json{{"tests", std::vector<json>{test("bad\xef\xbf\xbd")}}}.dump());
  ASSERT_FALSE(listed.has_value());
  EXPECT_NE(listed.error().find("is not UTF-8; rename it"), std::string::npos) << listed.error();
}

TEST(adopted_listing, other_text_is_an_error) {
  for (const char* text : {"", "Test project", "{}", R"({"tests": [{"properties": []}]})", R"({"tests": [)"})
    EXPECT_FALSE(parse_ctest_listing(text).has_value()) << text;
}

TEST(adopted_listing, dependencies_that_come_from_fixtures_are_not_declared) {
  const auto cases =
      parse({test("setup", {{"FIXTURES_SETUP", {"f"}}}),
             test("user", {{"FIXTURES_REQUIRED", {"f"}}, {"DEPENDS", {"setup", "other"}}}),
             test("cleanup", {{"FIXTURES_CLEANUP", {"f"}}, {"DEPENDS", {"setup", "user"}}}), test("other")});
  EXPECT_EQ(cases[1].entry->list("DEPENDS"), words{"other"});
  EXPECT_EQ(cases[2].entry->list("DEPENDS"), words{});
}

TEST(adopted_order, is_the_listed_one_without_relations) {
  EXPECT_EQ(names_in_order({test("b"), test("a"), test("c")}), (words{"b", "a", "c"}));
}

TEST(adopted_order, set_ups_come_before_and_clean_ups_behind) {
  EXPECT_EQ(names_in_order({test("clean", {{"FIXTURES_CLEANUP", {"f"}}}), test("use", {{"FIXTURES_REQUIRED", {"f"}}}),
                            test("free"), test("set", {{"FIXTURES_SETUP", {"f"}}})}),
            (words{"set", "use", "clean", "free"}));
}

TEST(adopted_order, a_circle_ends) {
  EXPECT_EQ(names_in_order({test("a", {{"DEPENDS", {"b", "a", "gone"}}}), test("b", {{"DEPENDS", {"a"}}})}),
            (words{"b", "a"}));
}

TEST(adopted_command, has_the_tests_environment) {
  ::setenv("MORPH_TEST_VARIABLE", "old", 1);
  const system::command c =
      run_of({{"ENVIRONMENT", {"A=1", "B=2", "A=3"}},
              {"ENVIRONMENT_MODIFICATION",
               {"B=unset:", "C=set:x=y:z", "MORPH_TEST_VARIABLE=path_list_prepend:/new", "D=string_append:d",
                "A=string_append:4", "E=cmake_list_append:e", "E=cmake_list_append:f"}}},
             {"/p"});
  EXPECT_EQ(c.environment, (variables{{"A", "34"},
                                      {"B", std::nullopt},
                                      {"C", "x=y:z"},
                                      {"D", "d"},
                                      {"E", "e;f"},
                                      {"MORPH_TEST_VARIABLE", "/new:old"}}));
  ::unsetenv("MORPH_TEST_VARIABLE");
}

TEST(adopted_command, what_only_ctest_can_give_is_refused) {
  EXPECT_EQ(run_of({{"ENVIRONMENT_MODIFICATION", {"A=invent:x"}}}, {"/p"}).arguments, words{"nothing"});
  EXPECT_EQ(run_of({{"RESOURCE_GROUPS", json::array()}}, {"/p"}).arguments, words{"nothing"});
}

TEST(adopted_command, sees_through_cmakes_env) {
  const system::command c =
      run_of({{"ENVIRONMENT", {"A=1"}}}, {"/usr/bin/cmake", "-E", "env", "--unset=X", "A=2", "--", "/p", "-E", "B=3"});
  EXPECT_EQ(c.arguments, (words{"/p", "-E", "B=3"}));
  EXPECT_EQ(c.environment, (variables{{"A", "2"}, {"X", std::nullopt}}));
  for (const words& other :
       {words{"/usr/bin/cmake", "-E", "env", "--modify", "A=set:1", "/p"}, words{"/usr/bin/cmake", "-E", "env", "A=1"},
        words{"/usr/bin/cmake", "-E", "env", "found_in_path"}, words{"/usr/bin/env", "A=1", "/p"}})
    EXPECT_EQ(run_of(json::object(), other).arguments, other);
}

TEST(adopted_command, only_some_of_cmakes_tools_are_inert) {
  const auto inert = [](const words& command) { return is_inert({command, "", {}}); };
  EXPECT_TRUE(inert({"/usr/bin/cmake", "-E", "make_directory", "x"}));
  EXPECT_FALSE(inert({"/usr/bin/cmake", "-E", "compare_files", "a", "b"}));
  EXPECT_FALSE(inert({"/usr/bin/cmake", "-P", "touch"}));
  EXPECT_FALSE(inert({"/usr/bin/touch", "-E", "touch"}));
}

TEST(adopted_command, one_gtest_case_is_told_from_many) {
  const auto only = [](const std::string& filter) {
    return only_gtest_case({{"/p", "--gtest_filter=" + filter}, "", {}});
  };
  EXPECT_EQ(only("A.b/0"), "A.b/0");
  for (const char* many : {"A.*", "A.b:A.c", "-A.b", "A.?", ""}) EXPECT_EQ(only(many), "") << many;
  EXPECT_EQ(only_gtest_case({{"/p", "--gtest_filter=A.b", "--gtest_filter=A.c"}, "", {}}), "");
}

}  // namespace
}  // namespace morph::frameworks
