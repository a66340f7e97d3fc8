// Places to JSON and back.
#include "coverage/mutation/places_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace morph::mutation {

namespace {

nlohmann::json places_to_json(const std::vector<place>& list) {
  nlohmann::json places = nlohmann::json::array();
  for (const place& p : list) {
    nlohmann::json alternatives = nlohmann::json::array();
    for (const alternative& a : p.alternatives) alternatives.push_back({a.op, a.text, a.pure});
    places.push_back({p.begin, p.end, static_cast<int>(p.kind), p.type, std::move(alternatives), p.original});
  }
  return places;
}

tl::expected<std::vector<place>, std::string> places_from_json(const nlohmann::json& list) {
  std::vector<place> places;
  for (const auto& p : list) {
    const int kind = p.at(2).get<int>();
    if (kind < 0 || kind > static_cast<int>(place_kind::expression))
      return tl::unexpected(fmt::format("a place of unknown kind {}", kind));
    place made{p.at(0), p.at(1), static_cast<place_kind>(kind), p.at(3), {}, p.at(5)};
    for (const auto& a : p.at(4)) made.alternatives.push_back({a.at(0), a.at(1), a.at(2)});
    places.push_back(std::move(made));
  }
  return places;
}

}  // namespace

nlohmann::json to_json(const file_places& file) {
  nlohmann::json functions = nlohmann::json::array();
  for (const function_extent& f : file.functions)
    functions.push_back({f.begin, f.end, f.line, f.end_line, f.name, f.untouched, f.body, f.is_constexpr});
  nlohmann::json values = nlohmann::json::array();
  for (const initial_value& v : file.initial_values) values.push_back({v.begin, v.end, v.name});
  return {{"places", places_to_json(file.places)},
          {"functions", std::move(functions)},
          {"compile_time", places_to_json(file.compile_time)},
          {"initial_values", std::move(values)}};
}

tl::expected<file_places, std::string> from_json(const nlohmann::json& json) {
  try {
    auto places = places_from_json(json.at("places")), compile_time = places_from_json(json.at("compile_time"));
    if (!places) return tl::unexpected(places.error());
    if (!compile_time) return tl::unexpected(compile_time.error());
    file_places file{std::move(*places), {}, std::move(*compile_time)};
    for (const auto& f : json.at("functions"))
      file.functions.push_back({f.at(0), f.at(1), f.at(2), f.at(3), f.at(4), f.at(5), f.at(6), f.at(7)});
    for (const auto& v : json.at("initial_values")) file.initial_values.push_back({v.at(0), v.at(1), v.at(2)});
    return file;
  } catch (const nlohmann::json::exception& error) {
    return tl::unexpected(std::string(error.what()));
  }
}

}  // namespace morph::mutation
