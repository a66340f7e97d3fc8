// GoogleTest's listing: its text, and the JSON that it writes beside.
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "plugin/frameworks/gtest_names.hpp"
#include "plugin/frameworks/listing.hpp"

namespace morph::frameworks {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// `text` up to the comment that GoogleTest appends: "Name  # GetParam() = 7".
std::string_view without_comment(std::string_view text) {
  return trimmed(text.substr(0, text.find(" #")));
}

/// Of "Name  # GetParam() = 7"; empty without the comment.
std::string_view text_after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

std::vector<gtest_test> read_text(std::string_view text) {
  std::vector<gtest_test> tests;
  gtest_test of_suite;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.find("gtest_main.cc") != std::string_view::npos) continue;

    if (!line.starts_with("  ")) {
      of_suite.suite = without_comment(line);
      if (of_suite.suite.ends_with('.')) of_suite.suite.pop_back();
      of_suite.suite_line = line;
      of_suite.type = text_after(line, "# TypeParam = ");
      continue;
    }
    gtest_test test = of_suite;
    test.name_line = trimmed(line);
    test.name = without_comment(test.name_line);
    test.value = text_after(test.name_line, "# GetParam() = ");
    tests.push_back(std::move(test));
  }
  return tests;
}

struct place {
  std::string file;
  int line = 0;
};

/// Drops what the JSON does not have. Nothing if it has a test that the text has not.
std::optional<std::vector<place>> take_json(const nlohmann::json& suites, std::vector<gtest_test>& tests) {
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < tests.size(); ++i) by_name[tests[i].suite + '.' + tests[i].name] = i;
  std::vector<std::optional<place>> places(tests.size());
  for (const auto& suite : suites)
    for (const auto& test : suite.value("testsuite", nlohmann::json::array())) {
      const auto at = by_name.find(suite.value("name", "") + '.' + test.value("name", ""));
      if (at == by_name.end()) return std::nullopt;
      places[at->second] = place{test.value("file", ""), test.value("line", 0)};
      tests[at->second].value = test.value("value_param", "");
      tests[at->second].type = test.value("type_param", "");
    }
  std::vector<place> known;
  std::size_t next = 0;
  std::erase_if(tests, [&](const gtest_test&) {
    std::optional<place>& found = places[next++];
    if (found) known.push_back(std::move(*found));
    return !found;
  });
  return known;
}

}  // namespace

std::optional<std::vector<listed_case>> read_gtest_listing(std::string_view text, std::string_view json_text,
                                                           const gtest_naming& naming) {
  std::vector<gtest_test> tests = read_text(text);
  std::optional<std::vector<place>> places(std::in_place, tests.size());
  const auto root = nlohmann::json::parse(json_text, nullptr, false);
  if (root.is_object() && root.contains("testsuites")) places = take_json(root["testsuites"], tests);
  if (!places) return std::nullopt;
  std::vector<listed_case> cases;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    listed_case c;
    c.case_name = tests[i].suite + '.' + tests[i].name;
    c.name = ctest_name_of(tests[i], naming);
    c.other_names = other_ctest_names_of(tests[i], c.name);
    c.file = std::move((*places)[i].file);
    c.line = (*places)[i].line;
    c.disabled = tests[i].suite.starts_with("DISABLED_") || tests[i].name.starts_with("DISABLED_");
    cases.push_back(std::move(c));
  }
  return cases;
}

const std::vector<std::string>& gtest_variables() {
  static const std::vector<std::string> names = {"GTEST_FILTER",           "GTEST_TOTAL_SHARDS",
                                                 "GTEST_SHARD_INDEX",      "GTEST_SHARD_STATUS_FILE",
                                                 "GTEST_REPEAT",           "GTEST_SHUFFLE",
                                                 "GTEST_OUTPUT",           "XML_OUTPUT_FILE",
                                                 "GTEST_FAIL_FAST",        "GTEST_CATCH_EXCEPTIONS",
                                                 "GTEST_BREAK_ON_FAILURE", "GTEST_ALSO_RUN_DISABLED_TESTS",
                                                 "TESTBRIDGE_TEST_ONLY",   "GTEST_BRIEF"};
  return names;
}

}  // namespace morph::frameworks
