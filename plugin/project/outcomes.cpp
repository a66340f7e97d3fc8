// Parsers of ctest's log and of JUnit XML.
#include "plugin/project/outcomes.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <tinyxml2.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/project/files.hpp"
#include "plugin/project/formats.hpp"

namespace morph::project {
namespace {

using nlohmann::json;

std::int64_t modification_time(const std::filesystem::path& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mtime : 0;
}

/// "12/980"
bool is_position(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789/") == std::string_view::npos;
}

/// The name in `"name" end time: ...`, or nothing.
std::string_view name_of_end_line(std::string_view line) {
  const auto end = line.find("\" end time: ");
  if (!line.starts_with('"') || end == std::string_view::npos) return {};
  return line.substr(1, end - 1);
}

void collect(const tinyxml2::XMLElement& parent, std::int64_t at, std::vector<run_outcome>& found) {
  for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (std::string_view(e->Name()) == "testsuite") collect(*e, at, found);
    if (std::string_view(e->Name()) != "testcase") continue;
    const char* name = e->Attribute("name");
    const char* status = e->Attribute("status");
    const std::string_view state = status == nullptr ? "run" : status;
    if (name == nullptr || state == "disabled" || state == "notrun" || e->FirstChildElement("skipped") != nullptr)
      continue;
    run_outcome outcome{name, false, e->DoubleAttribute("time"), at};
    outcome.failed =
        state == "fail" || e->FirstChildElement("failure") != nullptr || e->FirstChildElement("error") != nullptr;
    found.push_back(outcome);
    const char* classname = e->Attribute("classname");
    if (classname != nullptr && outcome.name != classname) {
      outcome.name = fmt::format("{}.{}", classname, name);
      found.push_back(outcome);
    }
  }
}

}  // namespace

std::vector<run_outcome> parse_last_test_log(std::string_view text, std::int64_t at) {
  std::map<std::string, run_outcome, std::less<>> by_name;
  std::string_view current;
  double seconds = 0;
  bool was_run = false, passed = false, verdict_follows = false;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (const auto mark = line.find(" Test: "); mark != std::string_view::npos && is_position(line.substr(0, mark)))
      current = line.substr(mark + 7);
    // Tests that are disabled or whose program is missing are logged as passed, with an empty command.
    if (line.starts_with("Command: ")) was_run = line != "Command: \"\"";
    if (verdict_follows && !line.starts_with("-----")) {
      passed =
          line == "Test Passed." || line == "Test Pass Reason:";  // a reason is a regular expression that was found
      verdict_follows = false;
    }
    if (line.starts_with("Test time =")) {
      seconds = std::strtod(std::string(line.substr(11)).c_str(), nullptr);
      verdict_follows = true;
    }
    // A test's own output may imitate all this; the real end of that test comes last.
    if (const std::string_view name = name_of_end_line(line); !name.empty() && was_run && name == current)
      by_name[std::string(name)] = {std::string(name), !passed, seconds, at};
  }
  std::vector<run_outcome> result;
  for (auto& [name, outcome] : by_name) result.push_back(std::move(outcome));
  return result;
}

std::vector<run_outcome> read_last_test_log(const std::filesystem::path& binary_dir) {
  const auto path = binary_dir / "Testing" / "Temporary" / "LastTest.log";
  const auto text = read_file(path);
  if (!text) return {};
  return parse_last_test_log(*text, modification_time(path));
}

std::vector<run_outcome> remember_last_runs(const std::set<std::filesystem::path>& folders,
                                            const std::filesystem::path& cache) {
  std::map<std::string, run_outcome> latest;
  const auto text = read_file(cache);
  const json known = text ? json::parse(*text, nullptr, false) : json();
  try {
    if (known.is_object() && known.at("schema") == outcomes_schema)
      for (const json& o : known.at("outcomes")) {
        const std::string name = o.at(0);
        latest[name] = {name, o.at(1).get<bool>(), o.at(2).get<double>(), o.at(3).get<std::int64_t>()};
      }
  } catch (const json::exception&) {
    latest.clear();  // not our cache, or a damaged one
  }
  bool changed = false;
  for (const auto& folder : folders)
    for (const run_outcome& o : read_last_test_log(folder)) {
      const auto [at, added] = latest.try_emplace(o.name, o);
      // Times are whole seconds: at equal ones the log is what happened last.
      const bool is_news = added || at->second.at < o.at || (at->second.at == o.at && at->second.failed != o.failed);
      if (is_news) at->second = o;
      changed = changed || is_news;
    }
  std::vector<run_outcome> result;
  json list = json::array();
  for (const auto& [name, o] : latest) {
    result.push_back(o);
    list.push_back({o.name, o.failed, o.seconds, o.at});
  }
  // A cache that cannot be written remembers one run less; the plan is right all the same.
  if (changed)
    (void)write_file_atomically(cache, json{{"schema", outcomes_schema}, {"outcomes", list}}.dump(
                                           -1, ' ', false, json::error_handler_t::replace));
  return result;
}

tl::expected<std::vector<run_outcome>, std::string> read_junit(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  tinyxml2::XMLDocument document;
  if (document.Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS)
    return tl::unexpected(fmt::format("'{}': {}", path.string(), document.ErrorStr()));
  const tinyxml2::XMLElement* root = document.RootElement();
  const std::string_view kind = root == nullptr ? "" : root->Name();
  if (kind != "testsuites" && kind != "testsuite")
    return tl::unexpected(fmt::format("'{}' is not a JUnit report: its root is <{}>", path.string(), kind));
  std::vector<run_outcome> found;
  collect(*root, modification_time(path), found);
  return found;
}

}  // namespace morph::project
