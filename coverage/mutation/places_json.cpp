#include "coverage/mutation/places_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace morph::mutation {

nlohmann::json to_json(const file_places& file) {
  nlohmann::json places = nlohmann::json::array(), functions = nlohmann::json::array();
  for (const place& p : file.places) {
    nlohmann::json alternatives = nlohmann::json::array();
    for (const alternative& a : p.alternatives) alternatives.push_back({a.op, a.text, a.pure});
    places.push_back({p.begin, p.end, static_cast<int>(p.kind), p.type, std::move(alternatives), p.original});
  }
  for (const function_extent& f : file.functions)
    functions.push_back({f.begin, f.end, f.line, f.end_line, f.name, f.untouched, f.body});
  return {{"places", std::move(places)}, {"functions", std::move(functions)}};
}

tl::expected<file_places, std::string> from_json(const nlohmann::json& json) {
  try {
    file_places file;
    for (const auto& p : json.at("places")) {
      const int kind = p.at(2).get<int>();
      if (kind < 0 || kind > static_cast<int>(place_kind::expression))
        return tl::unexpected(fmt::format("a place of unknown kind {}", kind));
      place made{p.at(0), p.at(1), static_cast<place_kind>(kind), p.at(3), {}, p.at(5)};
      for (const auto& a : p.at(4)) made.alternatives.push_back({a.at(0), a.at(1), a.at(2)});
      file.places.push_back(std::move(made));
    }
    for (const auto& f : json.at("functions"))
      file.functions.push_back({f.at(0), f.at(1), f.at(2), f.at(3), f.at(4), f.at(5), f.at(6)});
    return file;
  } catch (const nlohmann::json::exception& error) {
    return tl::unexpected(std::string(error.what()));
  }
}

}  // namespace morph::mutation
