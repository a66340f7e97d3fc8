// Reading ctest's JSON.
#include "plugin/project/adopted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/project/process.hpp"
#include "plugin/project/verdict.hpp"

namespace morph::project {
namespace {

using nlohmann::json;

constexpr std::string_view placeholder_label = "morph-placeholder";  // cmake/MorphRegister.cmake
constexpr std::string_view replacement_character = "\xef\xbf\xbd";

/// A list as CMake writes it in one string.
std::string joined(const json& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) text += ';';
    for (const char c : list[i].get<std::string>()) text += c == ';' ? std::string("\\;") : std::string(1, c);
  }
  return text;
}

/// Nothing for what ctest does not print as text or a list of texts (RESOURCE_GROUPS): only its presence counts.
std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "TRUE" : "FALSE";
  if (value.is_number()) return fmt::format("{:g}", value.get<double>());
  const bool plain =
      value.is_array() && std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_string(); });
  return plain ? joined(value) : std::string();
}

listed_case read_test(const json& test) {
  listed_case c;
  c.case_name = c.name = test.at("name");
  ctest_entry entry;
  entry.command = test.value("command", std::vector<std::string>());
  const json properties = test.value("properties", json::array());
  for (const json& property : properties) {
    const std::string name = property.at("name");
    entry.properties.emplace_back(name, text_of(property.at("value")));
    if (name == "WORKING_DIRECTORY") entry.directory = entry.properties.back().second;
    if (name == "DISABLED") c.disabled = property.at("value") == true;
  }
  c.entry = std::move(entry);
  return c;
}

bool is_placeholder(const listed_case& c) {
  const auto labels = c.entry->list("LABELS");
  return std::find(labels.begin(), labels.end(), placeholder_label) != labels.end();
}

}  // namespace

std::vector<std::string> ctest_entry::list(std::string_view property) const {
  for (const auto& [name, value] : properties)
    if (name == property) return split_list(value);
  return {};
}

result<std::vector<listed_case>> parse_ctest_listing(std::string_view json_text) {
  std::vector<listed_case> cases;
  try {
    const json listing = json::parse(json_text);
    for (const json& test : listing.at("tests")) {
      listed_case c = read_test(test);
      if (c.name.find(replacement_character) != std::string::npos)
        return tl::unexpected(fmt::format("the name of test '{}' is not UTF-8; rename it", c.name));
      if (!is_placeholder(c)) cases.push_back(std::move(c));
    }
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("ctest printed no list of tests: {}", error.what()));
  }
  return cases;
}

listed_program list_adopted(const build_tree& tree, const suite& in) {
  command list;
  list.arguments = {tree.ctest, "--show-only=json-v1"};
  list.directory = (tree.own_dir() / "nested" / in.name).string();
  list.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(in.discovery_timeout * 1000));
  list.environment = {{nested_ctest_variable, "1"}};
  const process_end end = run(list);
  auto cases = end.succeeded() ? parse_ctest_listing(end.out)
                               : result<std::vector<listed_case>>(tl::unexpected(describe(end, list.timeout) + end.err));
  listed_program listed;
  if (cases) {
    listed.cases = std::move(*cases);
  } else {
    listed.how = listed_program::state::failed;
    listed.message = fmt::format("suite '{}': the tests of '{}' cannot be listed: {}", in.name, in.binary_dir.string(),
                                 cases.error());
  }
  return listed;
}

}  // namespace morph::project
