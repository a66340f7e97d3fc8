// Judging plain programs.
#include "plugin/frameworks/ctest_verdict.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "plugin/system/regular_expression.hpp"

namespace morph::frameworks {
namespace {

/// Nothing if one of them is no regular expression.
std::optional<bool> any_matches(const std::vector<std::string>& expressions, const std::string& output) {
  bool found = false;
  for (const std::string& expression : expressions) {
    const auto compiled = system::pattern::compile(expression);
    if (!compiled) return std::nullopt;
    found = found || compiled->occurs_in(output);
  }
  return found;
}

bool is_true(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::toupper(c); });
  static constexpr std::array<std::string_view, 5> words{"1", "ON", "YES", "TRUE", "Y"};
  return std::find(words.begin(), words.end(), value) != words.end();
}

}  // namespace

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ';') {
      items.back() += ';';
      ++i;
    } else if (list[i] == ';') {
      items.emplace_back();
    } else {
      items.back() += list[i];
    }
  }
  std::erase(items, std::string());
  return items;
}

verdict judge(int exit_status, const std::string& output,
              const std::vector<std::pair<std::string, std::string>>& properties) {
  std::vector<std::string> pass, fail, skip;
  bool will_fail = false, skip_by_status = false;
  for (const auto& [key, value] : properties) {
    if (key == "PASS_REGULAR_EXPRESSION") pass = split_list(value);
    if (key == "FAIL_REGULAR_EXPRESSION") fail = split_list(value);
    if (key == "SKIP_REGULAR_EXPRESSION") skip = split_list(value);
    if (key == "WILL_FAIL") will_fail = is_true(value);
    if (key == "SKIP_RETURN_CODE") skip_by_status = value == std::to_string(exit_status);
  }
  const auto skips = any_matches(skip, output), fails = any_matches(fail, output), passes = any_matches(pass, output);
  if (!skips || !fails || !passes) return verdict::failed;
  if (skip_by_status || *skips) return verdict::skipped;
  const bool good = !*fails && (pass.empty() ? exit_status == 0 : *passes);
  return good != will_fail ? verdict::passed : verdict::failed;
}

}  // namespace morph::frameworks
