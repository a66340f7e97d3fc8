// Explanations of an earlier `morph explain` beside the mutants that they are of; ids of mutants.
#include "plugin/report/explanations.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "plugin/report/mutant_ids.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

mutation_result survivors() {
  mutated_source file{"src/a.cpp", "int f(int n) {\n  return n > 3;\n}\n"};
  for (const char* const replacement : {"n >= 3", "n < 3"}) {
    mutant_result one;
    one.begin = 24;
    one.end = 29;
    one.op = "ror";
    one.replacement = replacement;
    one.state = mutant_state::survived;
    file.mutants.push_back(one);
  }
  file.functions = {{1, "shop::f(int)", std::nullopt, 0, 32}};
  mutation_result made;
  made.files = {file};
  place_mutants(made.files.front());
  return made;
}

std::filesystem::path written(const test_support::temporary_folder& folder, const json& all) {
  std::ofstream(folder.path() / "report.json") << all.dump();
  return folder.path() / "report.json";
}

json report_of(const std::string& id, const std::string& before, const std::string& replacement) {
  const json mutant{{"id", id},
                    {"change", {{"before", before}, {"replacement", replacement}}},
                    {"suggestion", {{"lines", {"Assert it."}}}},
                    {"text", {"why", "</script>"}}};
  return {{"schema", "morph.explain/1"}, {"mutants", json::array({mutant})}};
}

TEST(MutantIds, HaveANumberWhereSeveralShareAPlace) {
  const auto result = survivors();
  EXPECT_EQ(mutant_ids(result.files.front()),
            (std::vector<std::string>{"src/a.cpp:2:10:ror.1", "src/a.cpp:2:10:ror.2"}));
  EXPECT_EQ(mutants_named(result, "src/a.cpp:2").size(), 2U);
  EXPECT_EQ(mutants_named(result, "src/a.cpp:2:1").size(), 0U);
  EXPECT_EQ(mutants_named(result, "f").size(), 2U);
  EXPECT_EQ(mutants_named(result, "hop::f").size(), 0U);
  EXPECT_EQ(mutants_named(result, "shop::f(int)").size(), 2U);
}

TEST(Explanations, AreThoseOfTheSameChange) {
  const test_support::temporary_folder folder;
  const auto result = survivors();
  const std::string line = "  return n > 3;", id = "src/a.cpp:2:10:ror.1";
  const auto found = explanations_in(written(folder, report_of(id, line, "n >= 3")), result);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at(id).lines, (std::vector<std::string>{"why", "</script>"}));
  EXPECT_EQ(found.at(id).advice, std::vector<std::string>{"Assert it."});
  EXPECT_TRUE(explanations_in(written(folder, report_of(id, "  return n > 4;", "n >= 3")), result).empty());
  EXPECT_TRUE(explanations_in(written(folder, report_of(id, line, "n < 3")), result).empty());
  EXPECT_TRUE(explanations_in(written(folder, report_of("src/a.cpp:9:1:ror", line, "n >= 3")), result).empty());
}

TEST(Explanations, AreNoneOfWhatCannotBeRead) {
  const test_support::temporary_folder folder;
  EXPECT_TRUE(explanations_in(folder.path() / "none.json", survivors()).empty());
  EXPECT_TRUE(explanations_in(written(folder, {{"schema", "morph.explain/2"}}), survivors()).empty());
  EXPECT_TRUE(explanations_in(written(folder, {{"schema", "morph.explain/1"}, {"mutants", {{{"id", 3}}}}}), survivors())
                  .empty());
}

TEST(Explanations, StandInThePage) {
  const std::string page = mutation_as_page(survivors(), "1", {{"src/a.cpp:2:10:ror.1", {.lines = {"why </script>"}}}});
  EXPECT_NE(page.find("\"text\":[\"why \\u003c/script>\"]"), std::string::npos);
  EXPECT_EQ(mutation_as_page(survivors(), "1").find("\"explain\",\"--stage\""), std::string::npos);
}

}  // namespace
}  // namespace morph::report
