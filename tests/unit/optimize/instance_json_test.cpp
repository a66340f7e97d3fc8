// Instances as JSON.
#include "plugin/optimize/instance_json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "optimizer/reduction.hpp"
#include "tests/unit/optimizer/cover_problems.hpp"

namespace morph::optimize {
namespace {

using optimizer::instance_file;

constexpr const char* shapes = R"json({
  "tests": [
    {"name": "Area.OfSquare", "microseconds": 1250, "covers": {"kills": [1], "lines": [0, 2, 1, 4]}},
    {"covers": {"lines": [3]}, "name": "a, \"name\"\nof Größe", "microseconds": 0},
    {"name": "Nothing", "microseconds": 7, "covers": {}},
    {"name": "Other", "microseconds": 9, "covers": {"lines": [5], "kills": [2]}}
  ],
  "groups": [{"name": "lines", "requirements": 7}, {"weight": 10, "name": "kills", "requirements": 3}],
  "schema": "morph.instance/1"
})json";

instance_file read(const std::string& text) {
  auto result = read_instance_json(text);
  if (!result) throw std::runtime_error(result.error());
  return std::move(*result);
}

std::string error_of(const std::string& text) {
  const auto result = read_instance_json(text);
  return result ? "read" : result.error();
}

std::string written(const instance_file& instance) {
  std::ostringstream out;
  const auto result = write_instance_json(out, instance);
  return result ? out.str() : result.error();
}

/// Six lines and two kills, with these tests.
std::string with_tests(const std::string& tests) {
  return R"({"schema": "morph.instance/1", "groups": [{"name": "lines", "requirements": 6},
             {"name": "kills", "requirements": 2}], "tests": [)" +
         tests + "]}";
}
std::string with_groups(const std::string& groups) {
  return R"({"schema": "morph.instance/1", "tests": [], "groups": [)" + groups + "]}";
}
/// Of a test that covers this.
std::string error_of_covers(const std::string& covers) {
  return error_of(with_tests(R"({"name": "b", "microseconds": 1, "covers": {"kills": [0]}},
                                {"name": "a", "microseconds": 1, "covers": )" +
                             covers + "}"));
}

TEST(InstanceJson, is_told_from_a_text) {
  EXPECT_TRUE(is_json("{}"));
  EXPECT_TRUE(is_json(" \r\n\t{"));
  EXPECT_TRUE(is_json("\xEF\xBB\xBF{}"));
  EXPECT_FALSE(is_json(""));
  EXPECT_FALSE(is_json("\n"));
  EXPECT_FALSE(is_json("morph-instance 1\ngroup {} 3\n"));
}

TEST(InstanceJson, is_read) {
  const instance_file instance = read(shapes);
  EXPECT_EQ(instance.tests, (std::vector<std::string>{"Area.OfSquare", "a, \"name\"\nof Größe", "Nothing", "Other"}));
  EXPECT_EQ(instance.matrix.cost_us, (std::vector<std::int64_t>{1250, 1, 7, 9}));
  EXPECT_EQ(instance.matrix.groups, (std::vector<optimizer::requirement_group>{{"lines", 7}, {"kills", 3}}));
  EXPECT_EQ(instance.matrix.uncovered, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(instance.group_weights, (std::vector<std::int64_t>{1, 10}));
  const auto problem = weigh(std::make_shared<const optimizer::cover_matrix>(instance.matrix), instance.group_weights);
  EXPECT_EQ(problem.total_weight, 4 + 10 + 1 + 1 + 10);
}

TEST(InstanceJson, says_what_the_text_says) {
  std::istringstream text(
      "morph-instance 1\ngroup lines 6\ngroup kills 2 10\ntest 1250 a\nlines 0-2 4\nkills 1\ntest 1 b\nlines 3\n");
  const auto of_text = optimizer::read_instance(text);
  const instance_file of_json = read(R"({"schema": "morph.instance/1",
    "groups": [{"name": "lines", "requirements": 6}, {"name": "kills", "requirements": 2, "weight": 10}],
    "tests": [{"name": "a", "microseconds": 1250, "covers": {"lines": [0, 1, 2, 4], "kills": [1]}},
              {"name": "b", "microseconds": 1, "covers": {"lines": [3]}}]})");
  ASSERT_TRUE(of_text.has_value());
  EXPECT_EQ(written(of_json), written(*of_text));
  std::ostringstream again;
  EXPECT_TRUE(optimizer::write_instance(again, of_json).has_value());
  EXPECT_NE(again.str().find("test 1250 a\nlines 0-3\nkills 0\n"), std::string::npos) << again.str();
}

TEST(InstanceJson, is_written_as_it_was_read) {
  const instance_file once = read(shapes);
  const instance_file twice = read(written(once));
  EXPECT_EQ(twice.tests, once.tests);
  EXPECT_EQ(twice.matrix.cost_us, once.matrix.cost_us);
  EXPECT_EQ(twice.matrix.groups, once.matrix.groups);
  EXPECT_EQ(twice.matrix.members, once.matrix.members);
  EXPECT_EQ(twice.matrix.tests, once.matrix.tests);
  EXPECT_EQ(twice.matrix.uncovered, once.matrix.uncovered);
  EXPECT_EQ(twice.group_weights, once.group_weights);
  EXPECT_EQ(written(twice), written(once));
}

TEST(InstanceJson, has_a_line_a_test) {
  EXPECT_EQ(written(read(with_tests(R"({"name": "a", "microseconds": 2, "covers": {"kills": [1], "lines": [5, 0]}},
                                       {"name": "b", "microseconds": 3, "covers": {}})"))),
            R"({"schema": "morph.instance/1",
 "groups": [
  {"name": "lines", "requirements": 6, "weight": 1},
  {"name": "kills", "requirements": 2, "weight": 1}],
 "tests": [
  {"name": "a", "microseconds": 2, "covers": {"lines": [0,1], "kills": [0]}},
  {"name": "b", "microseconds": 3, "covers": {}}]}
)");
}

TEST(InstanceJson, one_that_weighs_more_is_written_as_so_many) {
  const instance_file heavy{optimizer::matrix_of({{0, 1}, {1}}, {5, 6}, {{"lines", 3}}, {4, 2, 3}), {1}, {"a", "b"}};
  const instance_file light = read(written(heavy));
  EXPECT_EQ(light.matrix.groups, (std::vector<optimizer::requirement_group>{{"lines", 9}}));
  EXPECT_EQ(light.matrix.members, heavy.matrix.members);
  EXPECT_EQ(light.matrix.uncovered, heavy.matrix.uncovered);
}

TEST(InstanceJson, is_not_written_if_nobody_could_read_it) {
  const std::int64_t heavy = optimizer::most_requirements;
  const instance_file instance{optimizer::matrix_of({{0}}, {5}, {{"lines", 2}}, {heavy, 1}), {1}, {"a"}};
  EXPECT_EQ(written(instance), "there are more than 67108864 requirements");
  std::ostringstream text;
  EXPECT_EQ(optimizer::write_instance(text, instance).error(), "there are more than 67108864 requirements");
  EXPECT_EQ(text.str(), "");
}

TEST(InstanceJson, of_bytes_that_are_no_text_in_a_name_others_are_written) {
  instance_file instance = read(with_tests(R"({"name": "a", "microseconds": 2, "covers": {}})"));
  instance.tests[0] = "a\xFF";
  EXPECT_EQ(read(written(instance)).tests[0], "a\xEF\xBF\xBD");
}

TEST(InstanceJson, an_error_says_where_the_syntax_ends) {
  EXPECT_EQ(error_of("{\n  \"schema\": }").substr(0, 34), "parse error at line 2, column 13: ");
  EXPECT_EQ(error_of("{} {}").substr(0, 33), "parse error at line 1, column 4: ");
  EXPECT_EQ(error_of(R"({"schema": 1e999})"), "number overflow parsing '1e999'");
  EXPECT_EQ(error_of("{\"schema\": \"\xFF\"}").substr(0, 14), "parse error at");
}

TEST(InstanceJson, an_error_says_what_is_missing_or_unknown) {
  EXPECT_EQ(error_of("{}"), "there is no member 'schema'");
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/2", "sets": []})"),
            "the schema is 'morph.instance/2'; this morph reads 'morph.instance/1'");
  EXPECT_EQ(error_of(R"({"schema": 1})"), "the schema is 1; this morph reads 'morph.instance/1'");
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/1", "groups": []})"), "there is no member 'tests'");
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/1", "groups": {}, "tests": []})"),
            "'groups' is an object and no array");
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/1", "group": [], "tests": []})"),
            "the member 'group' is unknown; there are: schema, groups, tests");
  EXPECT_EQ(error_of(with_groups("7")), "groups[0]: 7 is no object");
  EXPECT_EQ(error_of(with_groups(R"({"requirements": 2})")), "groups[0]: there is no member 'name'");
  EXPECT_EQ(error_of(with_groups(R"({"name": "lines"})")), "groups[0] 'lines': there is no member 'requirements'");
  EXPECT_EQ(error_of(with_groups(R"({"name": "lines", "requirements": 2, "weigth": 3})")),
            "groups[0]: the member 'weigth' is unknown; there are: name, requirements, weight");
  EXPECT_EQ(error_of(with_tests(R"({"name": "", "microseconds": 1, "covers": {}})")),
            "tests[0]: the name is ''; it has to be a string that is not empty");
  EXPECT_EQ(error_of(with_tests(R"({"name": null, "microseconds": 1, "covers": {}})")),
            "tests[0]: the name is null; it has to be a string that is not empty");
  EXPECT_EQ(error_of(with_tests(R"({"name": "a", "covers": {}})")), "tests[0] 'a': there is no member 'microseconds'");
  EXPECT_EQ(error_of(with_tests(R"({"name": "a", "microseconds": 1})")), "tests[0] 'a': there is no member 'covers'");
  EXPECT_EQ(error_of_covers("[1]"), "tests[1] 'a': 'covers' is an array and no object");
  EXPECT_EQ(error_of_covers(R"({"lines": 1})"), "tests[1] 'a': 'lines' is 1 and no array");
  EXPECT_EQ(error_of_covers(R"({"branches": [1]})"), "tests[1] 'a': 'branches' is no group");
}

TEST(InstanceJson, numbers_are_whole_and_within_their_limits) {
  for (const char* number : {"-1", "0.5", "1.0", "1e+30", "18446744073709551615", "9007199254740992", "true", "null"}) {
    EXPECT_EQ(error_of(with_tests(fmt::format(R"({{"name": "a", "microseconds": {}, "covers": {{}}}})", number))),
              fmt::format("tests[0] 'a': 'microseconds' is {}; it has to be a whole number from 0 to 4503599627370496",
                          number));
    EXPECT_EQ(error_of(with_groups(fmt::format(R"({{"name": "kills", "requirements": 1, "weight": {}}})", number))),
              fmt::format("groups[0] 'kills': 'weight' is {}; it has to be a whole number from 0 to 4503599627370496",
                          number));
    EXPECT_EQ(
        error_of(with_groups(fmt::format(R"({{"name": "kills", "requirements": {}}})", number))),
        fmt::format("groups[0] 'kills': 'requirements' is {}; it has to be a whole number from 0 to 67108864", number));
    EXPECT_EQ(error_of_covers(fmt::format(R"({{"lines": [0, {}]}})", number)),
              fmt::format("tests[1] 'a': 'lines' has 6 requirements, from 0 on; {} is none of them", number));
  }
  EXPECT_EQ(error_of_covers(R"({"lines": [6]})"),
            "tests[1] 'a': 'lines' has 6 requirements, from 0 on; 6 is none of them");
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/1", "groups": [{"name": "none", "requirements": 0}],
                         "tests": [{"name": "a", "microseconds": 1, "covers": {"none": [0]}}]})"),
            "tests[0] 'a': 'none' has 0 requirements, from 0 on; 0 is none of them");
  EXPECT_EQ(
      error_of(with_groups(R"({"name": "lines", "requirements": 1}, {"name": "more", "requirements": 67108864})")),
      "groups[1] 'more': there are more than 67108864 requirements up to here");
}

TEST(InstanceJson, weights_and_costs_may_not_add_up_to_more_than_a_double_holds) {
  const instance_file heavy = read(R"({"schema": "morph.instance/1",
    "groups": [{"name": "lines", "requirements": 2, "weight": 4503599627370496}],
    "tests": [{"name": "a", "microseconds": 4503599627370496, "covers": {"lines": [0]}},
              {"name": "b", "microseconds": 4503599627370496, "covers": {"lines": [1]}}]})");
  const auto matrix = std::make_shared<const optimizer::cover_matrix>(heavy.matrix);
  EXPECT_THROW(weigh(matrix, heavy.group_weights), std::invalid_argument);
  EXPECT_THROW(weigh(matrix), std::invalid_argument);
}

TEST(InstanceJson, what_is_there_twice_is_an_error) {
  EXPECT_EQ(error_of(R"({"schema": "morph.instance/1", "tests": [], "groups": [], "tests": [1]})"),
            "the member 'tests' is there twice");
  EXPECT_EQ(error_of(with_tests(R"({"name": "a", "microseconds": 1, "covers": {}}, {"name": "b", "name": "c"})")),
            "tests[1]: the member 'name' is there twice");
  EXPECT_EQ(error_of_covers(R"({"lines": [1], "kills": [], "lines": [2]})"),
            "tests[1].covers: the member 'lines' is there twice");
  EXPECT_EQ(error_of_covers(R"({"kills": [0], "lines": [1, 3, 1]})"), "tests[1] 'a': 'lines' has requirement 1 twice");
  EXPECT_EQ(error_of(with_groups(R"({"name": "lines", "requirements": 2}, {"name": "lines", "requirements": 2})")),
            "groups[1] 'lines': there is another group of this name");
}

TEST(InstanceJson, an_error_quotes_the_beginning_of_a_long_name) {
  const std::string name(1000, 'n');
  EXPECT_EQ(error_of_covers("{\"" + name + "\": []}"), "tests[1] 'a': '" + name.substr(0, 79) + "... is no group");
}

TEST(InstanceJson, one_that_is_cut_off_anywhere_is_refused) {
  const std::string whole = shapes;
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_of(whole.substr(0, length)), "read") << length;
}

TEST(InstanceJson, deep_nesting_is_an_error_like_others) {
  const std::string open(200'000, '['), close(200'000, ']');
  EXPECT_EQ(error_of(R"({"schema": )" + open + close + "}"),
            "the schema is an array; this morph reads 'morph.instance/1'");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(error_of(objects).substr(0, 14), "parse error at");
  objects += R"({"b":1,"b":2)";
  EXPECT_LT(error_of(objects).size(), 200U);
}

}  // namespace
}  // namespace morph::optimize
