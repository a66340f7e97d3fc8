// Reads what coverage/source/scout writes.
#include "plugin/scout/relations.hpp"

#include <algorithm>
#include <filesystem>

#include "plugin/system/files.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string named_from(const std::string& root, const std::string& path) {
  return system::is_inside(path, root) ? fs::path(path).lexically_relative(root).generic_string() : path;
}

invocation invocation_of(const json& from, const std::string& root) {
  invocation made{.text = from.at("text"),
                  .callee = from.at("callee"),
                  .file = named_from(root, from.at("file")),
                  .line = from.at("line"),
                  .inputs = from.at("inputs")};
  for (const std::string unit : from.at("units")) made.units.push_back(named_from(root, unit));
  return made;
}

relation_function function_of(const json& from) {
  relation_function made{.given = from.at("given"),
                         .lines = from.at("lines"),
                         .scopes = from.at("scopes"),
                         .fixture = from.at("fixture"),
                         .is_fixture_of_gtest = from.at("is_fixture_of_gtest"),
                         .has_framework = from.at("has_framework"),
                         .inferred = from.at("inferred"),
                         .uses = from.at("uses")};
  for (const json& each : from.at("inputs"))
    made.inputs.push_back({each.at("name"), each.at("type"), each.at("examples")});
  for (const json& each : from.at("pairs"))
    made.pairs.push_back({each.at("name"), each.at("input"), each.at("type"), each.at("source"), each.at("follow_up")});
  return made;
}

std::vector<source_part> parts_in(const json& from) {
  std::vector<source_part> made;
  for (const json& each : from) made.push_back({each.at("text"), each.at("scopes"), each.at("line")});
  return made;
}

relation relation_of(const json& from, const std::string& root) {
  return {.file = named_from(root, from.at("file")),
          .line = from.at("line"),
          .text = from.at("text"),
          .kind = from.at("kind"),
          .by = from.at("by"),
          .is_echo = from.at("is_echo"),
          .is_across = from.at("is_across"),
          .transformation = from.at("transformation"),
          .first = invocation_of(from.at("invocations").at(0), root),
          .second = invocation_of(from.at("invocations").at(1), root),
          .function = from.contains("function") ? std::optional(function_of(from.at("function"))) : std::nullopt,
          .no_function = from.value("no_function", ""),
          .stops = from.value("stops", std::vector<std::size_t>())};
}

}  // namespace

std::string relation::unit() const {
  const auto shared = std::ranges::find_if(first.units, [&](const std::string& each) {
    return std::ranges::find(second.units, each) != second.units.end();
  });
  if (shared != first.units.end()) return *shared;
  return first.units.empty() || second.units.empty() ? std::string() : first.units[0] + " -> " + second.units[0];
}

source_parts parts_of(const json& answer) {
  const json source = answer.value("source", json::object());
  if (source.empty()) return {};
  source_parts made{.includes = source.at("includes"),
                    .usings = parts_in(source.at("usings")),
                    .declarations = parts_in(source.at("declarations"))};
  for (const json& each : source.at("macros")) made.macros.emplace_back(each.at("name"), each.at("text"));
  return made;
}

std::vector<test> tests_of(const json& answer, const std::string& root) {
  std::vector<test> made;
  for (const json& from : answer.value("tests", json::array())) {
    test one{.name = from.at("name"),
             .file = named_from(root, from.at("file")),
             .line = from.at("line"),
             .end_line = from.at("end_line"),
             .framework = from.at("framework")};
    if (from.contains("body")) one.body = from.at("body");
    for (const json& each : from.at("helpers"))
      one.helpers.push_back({named_from(root, each.at(0)), each.at(1), each.at(2)});
    for (const json& each : from.at("sections")) one.sections.push_back({each.at("name"), each.at("line")});
    for (const json& each : from.at("relations")) one.relations.push_back(relation_of(each, root));
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace morph::scout
