// Reading ctest's JSON; fixtures, dependencies, environments.
#include "plugin/frameworks/ctest_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/frameworks/ctest_verdict.hpp"

namespace morph::frameworks {
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

/// JSON of what ctest does not print as text or a list of texts (RESOURCE_GROUPS).
std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "TRUE" : "FALSE";
  if (value.is_number()) return fmt::format("{:g}", value.get<double>());
  const bool plain =
      value.is_array() && std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_string(); });
  return plain ? joined(value) : value.dump();
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

bool shares_fixture(const ctest_entry& a, std::string_view a_property, const ctest_entry& b,
                    std::string_view b_property) {
  const auto of_a = a.list(a_property), of_b = b.list(b_property);
  return std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end()) != of_a.end();
}

/// ctest prints what a test waits for because of fixtures as if it were in DEPENDS.
void keep_declared_dependencies(std::vector<listed_case>& cases) {
  std::map<std::string, std::vector<const ctest_entry*>> named;
  for (const listed_case& c : cases) named[c.name].push_back(&*c.entry);
  for (listed_case& c : cases) {
    const auto depends = c.entry->list("DEPENDS");
    if (depends.empty()) continue;
    json declared = json::array();
    for (const std::string& name : depends) {
      const auto& others = named[name];
      const bool by_fixture = std::any_of(others.begin(), others.end(), [&](const ctest_entry* other) {
        return shares_fixture(*c.entry, "FIXTURES_REQUIRED", *other, "FIXTURES_SETUP") ||
               shares_fixture(*c.entry, "FIXTURES_CLEANUP", *other, "FIXTURES_SETUP") ||
               shares_fixture(*c.entry, "FIXTURES_CLEANUP", *other, "FIXTURES_REQUIRED");
      });
      if (!by_fixture) declared.push_back(name);
    }
    for (auto& [property, value] : c.entry->properties)
      if (property == "DEPENDS") value = joined(declared);
  }
}

bool is_placeholder(const listed_case& c) {
  const auto labels = c.entry->list("LABELS");
  return std::find(labels.begin(), labels.end(), placeholder_label) != labels.end();
}

using variables = std::map<std::string, std::optional<std::string>>;  // no value = unset

void assign(variables& changed, const std::string& assignment) {
  const auto equals = std::min(assignment.find('='), assignment.size());
  changed[assignment.substr(0, equals)] = assignment.substr(std::min(equals + 1, assignment.size()));
}

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// `value` joined to what the variable holds, if it holds anything.
std::string joined(const std::optional<std::string>& held, const std::string& value, const char* separator,
                   bool append) {
  if (!held || held->empty()) return value;
  return append ? *held + separator + value : value + separator + *held;
}

/// "NAME=operation:value", as ENVIRONMENT_MODIFICATION of CMake 3.22 and later defines it; false for what it does not.
bool modify(variables& changed, const std::string& modification) {
  const auto equals = modification.find('=');
  const auto colon = modification.find(':', std::min(equals, modification.size()));
  if (equals == std::string::npos || colon == std::string::npos) return false;
  const std::string name = modification.substr(0, equals);
  const std::string operation = modification.substr(equals + 1, colon - equals - 1);
  const std::string value = modification.substr(colon + 1);
  auto& held = changed.try_emplace(name, variable(name)).first->second;
  if (operation == "reset")
    held = variable(name);
  else if (operation == "set")
    held = value;
  else if (operation == "unset")
    held.reset();
  else if (operation == "string_append" || operation == "string_prepend")
    held = joined(held, value, "", operation == "string_append");
  else if (operation == "path_list_append" || operation == "path_list_prepend")
    held = joined(held, value, ":", operation == "path_list_append");
  else if (operation == "cmake_list_append" || operation == "cmake_list_prepend")
    held = joined(held, value, ";", operation == "cmake_list_append");
  else
    return false;
  return true;
}

bool is_cmake_tool(const std::vector<std::string>& words) {
  return words.size() > 2 && std::filesystem::path(words[0]).filename() == "cmake" && words[1] == "-E";
}

/// Replaces `cmake -E env [--unset=NAME]... [NAME=VALUE]... [--] COMMAND...` by COMMAND; other options are left to
/// cmake.
void take_over_env(std::vector<std::string>& words, variables& changed) {
  while (is_cmake_tool(words) && words[2] == "env") {
    variables found = changed;
    std::size_t at = 3;
    for (; at < words.size() && words[at] != "--"; ++at) {
      const std::string& word = words[at];
      if (word.starts_with("--unset="))
        found[word.substr(8)] = std::nullopt;
      else if (word.starts_with('-'))
        return;
      else if (word.find('=') != std::string::npos)
        assign(found, word);
      else
        break;
    }
    if (at < words.size() && words[at] == "--") ++at;
    if (at >= words.size() || words[at].find('/') == std::string::npos) return;
    changed = std::move(found);
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

using names_to_tests = std::map<std::string, std::vector<std::size_t>>;

names_to_tests tests_by(const std::vector<listed_case>& cases, std::string_view property) {
  names_to_tests found;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const std::string& name : cases[i].entry->list(property)) found[name].push_back(i);
  return found;
}

/// The tests that the names in a test's property stand for, itself excepted; each once.
std::vector<std::size_t> resolved(const std::vector<listed_case>& cases, std::size_t test, std::string_view property,
                                  const names_to_tests& named) {
  std::vector<std::size_t> found;
  for (const std::string& name : cases[test].entry->list(property))
    if (const auto at = named.find(name); at != named.end())
      for (std::size_t other : at->second)
        if (other != test && std::find(found.begin(), found.end(), other) == found.end()) found.push_back(other);
  return found;
}

/// Each test behind those in `before`, otherwise in listed order.
std::vector<std::size_t> sorted(const std::vector<std::vector<std::size_t>>& before) {
  enum class state : std::uint8_t { open, entered, done };
  std::vector<state> states(before.size(), state::open);
  std::vector<std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> path;  // test, how many of its predecessors were looked at
  for (std::size_t start = 0; start < before.size(); ++start) {
    if (states[start] != state::open) continue;
    states[start] = state::entered;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      const std::size_t test = path.back().first;
      if (path.back().second < before[test].size()) {
        const std::size_t next = before[test][path.back().second++];
        if (std::exchange(states[next], states[next] == state::open ? state::entered : states[next]) == state::open)
          path.emplace_back(next, 0);
        continue;
      }
      states[test] = state::done;
      order.push_back(test);
      path.pop_back();
    }
  }
  return order;
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
  keep_declared_dependencies(cases);
  return cases;
}

listed_program list_adopted(const build::build_tree& tree, const build::suite& in) {
  system::command list;
  list.arguments = {tree.ctest, "--show-only=json-v1"};
  if (const std::string& config = tree.config.empty() ? tree.ctest_config : tree.config; !config.empty())
    list.arguments.insert(list.arguments.end(), {"-C", config});
  list.directory = (tree.binary_dir / ".morph" / "nested" / in.name).string();
  list.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(in.discovery_timeout * 1000));
  list.environment = {{nested_ctest_variable, tree.binary_dir.string()}};
  const system::process_end end = system::run(list);
  auto cases = end.succeeded()
                   ? parse_ctest_listing(end.out)
                   : result<std::vector<listed_case>>(tl::unexpected(system::describe(end, list.timeout) + end.err));
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

std::optional<system::command> as_ctest_runs(const ctest_entry& entry) {
  system::command c;
  c.arguments = entry.command;
  c.directory = entry.directory;
  variables changed;
  for (const std::string& assignment : entry.list("ENVIRONMENT")) assign(changed, assignment);
  for (const std::string& modification : entry.list("ENVIRONMENT_MODIFICATION"))
    if (!modify(changed, modification)) return std::nullopt;
  const bool needs_resources = std::any_of(entry.properties.begin(), entry.properties.end(),
                                           [](const auto& property) { return property.first == "RESOURCE_GROUPS"; });
  if (needs_resources) return std::nullopt;
  take_over_env(c.arguments, changed);
  c.environment.assign(changed.begin(), changed.end());
  return c;
}

std::vector<std::filesystem::path> named_paths(const ctest_entry& entry) {
  std::vector<std::string> words;
  if (!entry.command.empty()) words.assign(entry.command.begin() + 1, entry.command.end());
  for (const char* property : {"ENVIRONMENT", "ENVIRONMENT_MODIFICATION", "REQUIRED_FILES"})
    for (std::string& word : entry.list(property)) words.push_back(std::move(word));
  std::set<std::filesystem::path> found;
  const auto look = [&](const std::string& text) {
    if (text.empty()) return;
    std::error_code error;
    const auto path = (std::filesystem::path(entry.directory) / text).lexically_normal();
    if (std::filesystem::exists(path, error)) found.insert(path);
  };
  for (const std::string& word : words) {
    look(word);
    for (std::size_t at = word.find_first_of("=:"); at != std::string::npos; at = word.find_first_of("=:", at + 1)) {
      const std::size_t end = word.find_first_of(":;", at + 1);
      look(word.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    }
  }
  return {found.begin(), found.end()};
}

bool is_inert(const ctest_entry& entry) {
  static constexpr std::array<std::string_view, 9> tools{"make_directory", "remove_directory", "remove", "rm",  "touch",
                                                         "echo",           "echo_append",      "sleep",  "true"};
  return is_cmake_tool(entry.command) && std::find(tools.begin(), tools.end(), entry.command[2]) != tools.end();
}

std::string only_gtest_case(const ctest_entry& entry) {
  constexpr std::string_view option = "--gtest_filter=";
  std::string found;
  for (const std::string& word : entry.command) {
    if (!word.starts_with(option)) continue;
    if (!found.empty()) return {};
    found = word.substr(option.size());
  }
  return found.find_first_of("*?:") == std::string::npos && !found.starts_with('-') ? found : std::string();
}

test_order order_tests(const std::vector<listed_case>& cases) {
  const names_to_tests setups = tests_by(cases, "FIXTURES_SETUP"), cleanups = tests_by(cases, "FIXTURES_CLEANUP"),
                       users = tests_by(cases, "FIXTURES_REQUIRED");
  names_to_tests named;
  for (std::size_t i = 0; i < cases.size(); ++i) named[cases[i].name].push_back(i);
  test_order result;
  std::vector<std::vector<std::size_t>> before(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    result.setups.push_back(resolved(cases, i, "FIXTURES_REQUIRED", setups));
    result.depends.push_back(resolved(cases, i, "DEPENDS", named));
    result.cleanups.push_back(resolved(cases, i, "FIXTURES_SETUP", cleanups));
    for (const auto& tests :
         {result.setups.back(), result.depends.back(), resolved(cases, i, "FIXTURES_CLEANUP", setups),
          resolved(cases, i, "FIXTURES_CLEANUP", users)})
      before[i].insert(before[i].end(), tests.begin(), tests.end());
  }
  result.order = sorted(before);
  return result;
}

}  // namespace morph::frameworks
