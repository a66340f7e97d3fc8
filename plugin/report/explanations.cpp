// Reading them.
#include "plugin/report/explanations.hpp"

#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/report/mutant_ids.hpp"
#include "plugin/system/files.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

/// The change of a survivor as explanations have it.
struct shown_change {
  std::string before, replacement;

  bool operator==(const shown_change&) const = default;
};

std::map<std::string, shown_change> survivors_of(const mutation_result& result) {
  std::map<std::string, shown_change> made;
  for (const mutated_source& file : result.files) {
    const source_lines lines(file.text);
    const auto ids = mutant_ids(file);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (file.mutants[i].state == mutant_state::survived)
        made[ids[i]] = {as_utf8(change_of(file, lines, file.mutants[i]).before),
                        as_utf8(on_one_line(file.mutants[i].replacement))};
  }
  return made;
}

}  // namespace

explanations explanations_in(const std::filesystem::path& path, const mutation_result& result) {
  const auto text = system::read_file(path);
  if (!text) return {};
  const auto survivors = survivors_of(result);
  explanations made;
  try {
    const json all = json::parse(*text);
    if (all.at("schema") != contract::explain_schema) return {};
    for (const json& each : all.at("mutants")) {
      const auto known = survivors.find(each.at("id").get<std::string>());
      const json& change = each.at("change");
      if (known != survivors.end() && known->second == shown_change{change.at("before"), change.at("replacement")})
        made[known->first] = {each.at("text"),
                              each.value("suggestion", json::object()).value("lines", std::vector<std::string>())};
    }
  } catch (const json::exception&) {
    return {};
  }
  return made;
}

}  // namespace morph::report
