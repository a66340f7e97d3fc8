// Reading the texts of pools, and comparing two.
#include "plugin/frameworks/pool_lines.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "plugin/system/json_text.hpp"

namespace morph::frameworks {
namespace {

using nlohmann::json;

/// Where the member `name` of the object begins and ends, with the comma before or behind it. Of valid JSON.
std::optional<std::pair<std::size_t, std::size_t>> find_member(std::string_view object, std::string_view name) {
  int depth = 0;
  bool in_string = false, wanted = false;
  std::size_t begin = 0;
  std::string_view last_string;
  for (std::size_t i = 0, opened = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c != '"') continue;
      in_string = false;
      last_string = object.substr(opened + 1, i - opened - 1);
      continue;
    }
    if (c == '"') {
      in_string = true;
      opened = i;
    }
    if (c == ':' && depth == 1 && !wanted) wanted = last_string == name;
    const bool ends = depth == 1 && (c == ',' || c == '}');
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (ends && wanted) {
      const bool is_first = object[begin] == '{';
      return std::pair(is_first ? begin + 1 : begin, is_first && c == ',' ? i + 1 : i);
    }
    if (ends || (c == '{' && depth == 1)) begin = i;
  }
  return std::nullopt;
}

std::string without_member(std::string_view object, std::string_view name) {
  const auto found = find_member(object, name);
  if (!found) return std::string(object);
  return std::string(object.substr(0, found->first)) + std::string(object.substr(found->second));
}

std::vector<std::string> texts_in(const json& array) {
  std::vector<std::string> texts;
  if (array.is_array())
    for (const json& each : array)
      if (each.is_string()) texts.push_back(each);
  return texts;
}

std::string text_of(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

void take_runs(const json& runs, pool_line& to) {
  if (!runs.is_array()) return;
  for (const json& run : runs) {
    if (!run.is_object()) continue;
    const auto verdicts = run.find("verdicts");
    if (verdicts == run.end() || !verdicts->is_object()) continue;
    for (const auto& [relation, found] : verdicts->items()) {
      if (found == "fail") to.violated.emplace(text_of(run, "executer"), relation);
      if (found != "n/a") to.said.emplace(text_of(run, "executer"), relation);
    }
  }
}

/// By id. Nothing if an id is missing or there twice.
std::optional<std::map<std::string, const pool_line*>> by_id(const pool_text& pool) {
  std::map<std::string, const pool_line*> found;
  for (const pool_line& line : pool.lines)
    if (line.id.empty() || !found.emplace(line.id, &line).second) return std::nullopt;
  return found;
}

}  // namespace

std::string without_metrics(const std::string& line) {
  return without_member(line, "metrics");
}

result<pool_text> read_pool_text(std::string_view text) {
  pool_text pool;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (line.empty()) continue;
    const json object = json::parse(line, nullptr, false);
    if (!object.is_object()) return tl::unexpected(fmt::format("{}: it is no JSON object", number));
    if (object.contains("morph")) {
      pool.head = line;
      pool.spec = text_of(object, "spec");
      continue;
    }
    pool_line read{text_of(object, "id"),
                   text_of(object, "by"),
                   {},
                   {},
                   std::string(line),
                   without_member(without_member(line, "metrics"), "runs")};
    if (object.contains("from")) read.from = texts_in(object["from"]);
    if (object.contains("in")) read.input = json_text(object["in"]);
    if (object.contains("runs")) take_runs(object["runs"], read);
    pool.lines.push_back(std::move(read));
  }
  return pool;
}

std::optional<std::set<std::string>> changed_cases(std::string_view before, std::string_view now) {
  const auto old_pool = read_pool_text(before), new_pool = read_pool_text(now);
  if (!old_pool || !new_pool || old_pool->head != new_pool->head) return std::nullopt;
  const auto old_lines = by_id(*old_pool), new_lines = by_id(*new_pool);
  if (!old_lines || !new_lines) return std::nullopt;
  std::set<std::string> changed;
  for (const pool_line& line : new_pool->lines) {
    const auto was = old_lines->find(line.id);
    bool differs = was == old_lines->end() || was->second->bare != line.bare;
    for (const std::string& origin : line.from) differs = differs || changed.count(origin) != 0;  // origins come first
    if (differs) changed.insert(line.id);
  }
  return changed;
}

}  // namespace morph::frameworks
