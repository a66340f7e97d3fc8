// Which assertions relate two calls of the project, by notes in sources of each framework.
#include "coverage/source/scout/scout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace morph::source {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using relations_of_lines = std::map<unsigned, std::set<std::string>>;

const fs::path folder = MORPH_RELATIONS;

json scouted(const std::string& name) {
  const std::string file = (folder / name).string();
  std::vector<parse_error> errors;
  const unit of{folder.string(), file, {"c++", "-std=c++20", "-I" + (folder / "include").string(), file}};
  json made = scout(of, {"/nowhere", {"/nowhere"}}, {}, {folder.string(), {}}, errors);
  for (const parse_error& each : errors) ADD_FAILURE() << name << ':' << each.line << ": " << each.text;
  return made;
}

relations_of_lines found_in(const json& answer) {
  relations_of_lines made;
  for (const json& test : answer.at("tests"))
    for (const json& each : test.at("relations")) {
      const json& calls = each.at("invocations");
      made[each.at("line")].insert((each.at("is_echo").get<bool>()     ? "echo "
                                    : each.at("is_across").get<bool>() ? "across "
                                                                       : "") +
                                   calls[0].at("text").get<std::string>() + " | " +
                                   calls[1].at("text").get<std::string>() + ": " +
                                   each.at("transformation").get<std::string>());
    }
  return made;
}

relations_of_lines noted_in(const std::string& name) {
  relations_of_lines made;
  std::ifstream file(folder / name);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number)
    if (const auto at = line.find("//= "); at != std::string::npos) made[number].insert(line.substr(at + 4));
  return made;
}

void expect_notes(const std::string& name) {
  const relations_of_lines found = found_in(scouted(name)), noted = noted_in(name);
  for (const auto& [line, relations] : noted)
    EXPECT_EQ(found.contains(line) ? found.at(line) : std::set<std::string>(), relations) << name << ':' << line;
  for (const auto& [line, relations] : found)
    EXPECT_TRUE(noted.contains(line)) << name << ':' << line << ": " << *relations.begin();
}

TEST(Scout, FindsRelationsInGoogleTest) {
  expect_notes("gtest_code.cc");
}

TEST(Scout, FindsRelationsInCatch2) {
  expect_notes("catch2_code.cc");
}

TEST(Scout, FindsRelationsInDoctest) {
  expect_notes("doctest_code.cc");
}

std::vector<std::string> noted_behind(const std::vector<std::string>& lines, unsigned assertion) {
  std::vector<std::string> made;
  for (std::size_t i = assertion; i < lines.size(); ++i) {
    const auto at = lines[i].find("//> ");
    if (at == std::string::npos) break;
    made.push_back(lines[i].substr(at + 4));
  }
  return made;
}

std::vector<std::string> written(const json& relation) {
  if (!relation.contains("function")) return {relation.at("no_function")};
  std::vector<std::string> made;
  for (const json& input : relation.at("function").at("inputs")) {
    std::string line = input.at("name").get<std::string>() + ": " + input.at("type").get<std::string>() + " =";
    for (const json& each : input.at("examples")) line += ' ' + each.get<std::string>();
    made.push_back(line);
  }
  for (const json& each : relation.at("function").at("pairs"))
    made.push_back(each.at("name").get<std::string>() + ": " + each.at("source").get<std::string>() + " -> " +
                   each.at("follow_up").get<std::string>() + " of " + each.at("input").get<std::string>());
  for (const json& each : relation.at("function").at("lines")) made.push_back(each);
  return made;
}

TEST(Scout, MakesFunctionsOfRelations) {
  std::vector<std::string> lines;
  std::ifstream file(folder / "functions.cc");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  const json answer = scouted("functions.cc");
  std::set<unsigned> seen;
  for (const json& test : answer.at("tests"))
    for (const json& each : test.at("relations")) {
      if (each.at("is_echo").get<bool>()) continue;
      EXPECT_FALSE(each.at("is_across").get<bool>());
      seen.insert(each.at("line").get<unsigned>());
      EXPECT_EQ(written(each), noted_behind(lines, each.at("line"))) << "line " << each.at("line");
    }
  const auto is_note = [&](unsigned line) { return lines[line].find("//> ") != std::string::npos; };
  for (unsigned i = 1; i < lines.size(); ++i)
    EXPECT_TRUE(!is_note(i) || is_note(i - 1) || seen.contains(i)) << "line " << i;
}

TEST(Scout, FunctionsSayWhatTheyNeedOfTheirSource) {
  const json answer = scouted("functions.cc");
  const json& source = answer.at("source");
  EXPECT_NE(std::ranges::find(source.at("includes"), "#include \"codec.hpp\""), source.at("includes").end());
  std::map<std::string, json> functions;
  for (const json& test : answer.at("tests"))
    for (const json& each : test.at("relations"))
      if (each.contains("function")) functions[test.at("name")] = each.at("function");
  const json& with_helper = functions.at("Functions.DeclarationsOfTheSourceComeAlong");
  EXPECT_EQ(with_helper.at("scopes"), json({"trips", ""}));
  std::vector<std::string> used;
  for (const std::size_t each : with_helper.at("uses")) used.push_back(source.at("declarations").at(each).at("text"));
  EXPECT_EQ(used, (std::vector<std::string>{"const char* const mark = \"!\";",
                                            "std::string marked(const std::string& text) { return text + mark; }"}));
  const json& of_fixture = functions.at("Fixture.MembersAreThoseOfTheFixture");
  EXPECT_EQ(of_fixture.at("fixture"), "trips::Fixture");
  EXPECT_EQ(of_fixture.at("is_fixture_of_gtest"), true);
}

TEST(Scout, NamesTestsSectionsKindsAndComparisons) {
  const json answer = scouted("doctest_code.cc");
  const json& tests = answer.at("tests");
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].at("name"), "sections");
  EXPECT_EQ(tests[0].at("sections"), json::parse(R"([{"line": 9, "name": "there and back"}])"));
  EXPECT_EQ(tests[0].at("end_line"), 21);
  const json& first = tests[0].at("relations").at(0);
  EXPECT_EQ(first.at("kind"), "BoolAssert");  // the macro takes an expression apart
  EXPECT_EQ(first.at("by"), "==");
  EXPECT_EQ(first.at("text"), "CHECK(decode(encode(text)) == text)");
  EXPECT_EQ(first.at("invocations").at(0).at("inputs"), json::parse(R"(["text"])"));
  EXPECT_EQ(first.at("invocations").at(1).at("units"), json::array({(folder / "include/codec.hpp").string()}));
  EXPECT_EQ(tests[0].at("relations").at(1).at("kind"), "CompAssert");
  EXPECT_EQ(tests[1].at("relations").at(0).at("by"), "<=");
}

}  // namespace
}  // namespace morph::source
