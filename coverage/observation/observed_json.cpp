// The writer and the reader.
#include "coverage/observation/observed_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace morph::observation {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> symptoms{"weak-oracle", "no-propagation", "no-infection"};

json to_json(const source_place& of) {
  return {{"file", of.file}, {"line", of.line}, {"column", of.column}};
}

source_place place_of(const json& from) {
  return {from.at("file"), from.at("line"), from.at("column")};
}

difference difference_of(const json& from) {
  difference made;
  made.where = from.at("level") == "test" ? level::test : level::call;
  from.at("test").get_to(made.test);
  made.place = place_of(from.at("place"));
  from.at("expression").get_to(made.expression);
  from.at("type").get_to(made.type);
  from.at("property").get_to(made.property);
  from.at("original").get_to(made.original);
  from.at("mutated").get_to(made.mutated);
  from.at("private").get_to(made.is_private);
  from.at("invocation").get_to(made.invocation);
  made.instruction = place_of(from.at("instruction"));
  from.at("call_path").get_to(made.call_path);
  return made;
}

}  // namespace

std::string_view name_of(symptom means) {
  return symptoms.at(static_cast<std::size_t>(means));
}

std::optional<symptom> symptom_of(std::string_view name) {
  const auto* const at = std::ranges::find(symptoms, name);
  if (at == symptoms.end()) return std::nullopt;
  return static_cast<symptom>(at - symptoms.begin());
}

json to_json(const difference& of) {
  return {{"level", of.where == level::test ? "test" : "call"},
          {"test", of.test},
          {"place", to_json(of.place)},
          {"expression", of.expression},
          {"type", of.type},
          {"property", of.property},
          {"original", of.original},
          {"mutated", of.mutated},
          {"private", of.is_private},
          {"invocation", of.invocation},
          {"instruction", to_json(of.instruction)},
          {"call_path", of.call_path}};
}

json to_json(const observed_mutant& of) {
  json tests = json::array(), differences = json::array();
  for (const observed_test& each : of.tests)
    tests.push_back({{"name", each.name}, {"calls", each.calls}, {"depth", each.depth}});
  for (const difference& each : of.differences) differences.push_back(to_json(each));
  return {{"id", of.id},
          {"symptom", name_of(of.means)},
          {"tests", std::move(tests)},
          {"differences", std::move(differences)},
          {"left_out", of.left_out},
          {"operands", of.operands},
          {"not_read", of.not_read}};
}

observed_mutant observed_of(const json& from) {
  observed_mutant made;
  from.at("id").get_to(made.id);
  const std::string symptom = from.at("symptom");
  const auto means = symptom_of(symptom);
  if (!means) throw json::other_error::create(501, "'" + symptom + "' is no symptom", &from);
  made.means = *means;
  for (const json& each : from.at("tests")) made.tests.push_back({each.at("name"), each.at("calls"), each.at("depth")});
  for (const json& each : from.at("differences")) made.differences.push_back(difference_of(each));
  from.at("left_out").get_to(made.left_out);
  from.at("operands").get_to(made.operands);
  from.at("not_read").get_to(made.not_read);
  return made;
}

}  // namespace morph::observation
