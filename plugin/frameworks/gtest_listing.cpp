// GoogleTest's listing, and CMake's names for its tests.
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "plugin/frameworks/listing.hpp"

namespace morph::frameworks {
namespace {

constexpr std::string_view disabled_mark = "DISABLED_";

std::string without_disabled_mark(std::string name) {
  if (name.starts_with(disabled_mark)) name.erase(0, disabled_mark.size());
  return name;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// `text` up to the comment that GoogleTest appends: "Name  # GetParam() = 7".
std::string_view without_comment(std::string_view text) {
  return trimmed(text.substr(0, text.find(" #")));
}

constexpr std::string_view type_comment = "TypeParam = ";
constexpr std::string_view value_comment = "GetParam() = ";

std::string text_after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return std::string(at == std::string_view::npos ? text : text.substr(at + mark.size()));
}

/// "Name/0  # GetParam() = 7" -> "Name/7"; a name that does not end in a number keeps the comment, as in CMake.
std::string with_value(const std::string& test) {
  const auto comment = test.find(value_comment);
  if (comment == std::string::npos) return test;
  const auto name_end = test.find_last_not_of(" #", comment - 1);
  const auto slash = test.find_last_not_of("0123456789", name_end);
  const bool numbered = slash != std::string::npos && test[slash] == '/' && slash < name_end && name_end + 1 < comment;
  return numbered ? test.substr(0, slash + 1) + test.substr(comment + value_comment.size()) : test;
}

}  // namespace

std::vector<listed_case> parse_gtest_listing(std::string_view text, const std::string& prefix,
                                             const std::string& suffix) {
  std::vector<listed_case> cases;
  std::string suite, shown_suite, type;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.find("gtest_main.cc") != std::string_view::npos) continue;

    if (!line.starts_with("  ")) {
      suite = without_comment(line);
      if (suite.ends_with('.')) suite.pop_back();
      const bool typed = line.find('#') != std::string_view::npos;
      shown_suite = without_disabled_mark(typed ? suite.substr(0, suite.find('/')) : suite);
      type = typed ? "<" + text_after(line, type_comment) + ">" : "";
      continue;
    }
    const std::string test(trimmed(line));
    const std::string plain(without_comment(test));
    const bool has_value = test.find('#') != std::string::npos;
    const std::string shown = without_disabled_mark(has_value ? with_value(test) : plain);
    listed_case c;
    c.case_name = suite + '.' + plain;
    c.name = prefix + shown_suite + '.' + shown + type + suffix;
    c.disabled = suite.starts_with(disabled_mark) || plain.starts_with(disabled_mark);
    cases.push_back(std::move(c));
  }
  return cases;
}

bool add_gtest_locations(std::vector<listed_case>& cases, std::string_view json_text) {
  const auto root = nlohmann::json::parse(json_text, nullptr, false);
  if (!root.is_object() || !root.contains("testsuites")) return true;
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < cases.size(); ++i) by_name[cases[i].case_name] = i;
  std::vector<bool> known(cases.size(), false);
  bool all_there = true;
  for (const auto& suite : root["testsuites"])
    for (const auto& test : suite.value("testsuite", nlohmann::json::array())) {
      const auto at = by_name.find(suite.value("name", "") + '.' + test.value("name", ""));
      if (at == by_name.end()) {
        all_there = false;
        continue;
      }
      known[at->second] = true;
      cases[at->second].file = test.value("file", "");
      cases[at->second].line = test.value("line", 0);
    }
  std::size_t next = 0;
  std::erase_if(cases, [&](const listed_case&) { return !known[next++]; });
  return all_there;
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
