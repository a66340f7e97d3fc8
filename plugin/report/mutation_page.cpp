// A mutation result as a page: the documents that the screens Mutants and Tests show.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/report/mutation_tests.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/writing/saved_page.hpp"

namespace morph::report {

namespace {

using nlohmann::json;

std::vector<std::string> notes_on(const mutation_result& result) {
  std::vector<std::string> notes;
  if (const std::string why = why_no_score(result); !why.empty()) notes.push_back("no mutation score: " + why);
  for (const unread_unit& unit : result.rejected_units)
    notes.push_back(fmt::format("not read whole: {} ({}, first: {})", unit.unit, system::counted(unit.errors, "error"),
                                unit.first_error));
  for (const rejected_part& part : result.rejected_parts) notes.push_back("not compiled: " + describe(part));
  for (const std::string& line : result.not_run) notes.push_back("not run: " + line);
  for (const judging_test& test : result.tests)
    if (!test.why_left_out.empty()) notes.push_back(fmt::format("test left out: {}: {}", test.name, test.why_left_out));
  for (const judging_test& test : result.tests)
    if (const std::string how = about_difference(test); !how.empty())
      notes.push_back(fmt::format("test differs: {}: {}", test.name, how));
  for (const auto& [path, count] : result.compile_time_only)
    notes.push_back(fmt::format("compile-time only, and counted nowhere else: {} in {}", count, path));
  return notes;
}

/// The document of `morph report mutation`, with what a person should know of it.
std::string document_of(const mutation_result& result) {
  std::string text = mutation_as_json(result);
  text.resize(text.rfind('}'));
  return text + ",\"notes\":" + json_text(notes_on(result)) + "}";
}

/// As that of `morph explain`, as far as it is kept.
json explained_by(const explanations& all) {
  json mutants = json::array();
  for (const auto& [id, known] : all)
    mutants.push_back({{"id", id}, {"text", known.lines}, {"suggestion", {{"lines", known.advice}}}});
  return {{"schema", contract::explain_schema}, {"mutants", mutants}};
}

}  // namespace

std::string mutation_as_page(const mutation_result& result, const std::string& version, const explanations& explained) {
  std::string data = json_text({{"schema", contract::saved_schema},
                                {"version", version},
                                {"repository", ""},
                                {"screens", {"mutants", "tests"}}});
  data.pop_back();
  data += ",\"documents\":[{\"arguments\":[\"report\",\"mutation\"],\"output\":" + document_of(result) + "}";
  if (!explained.empty())
    data += "," + json_text({{"arguments", {"explain", "--stage", "suggestion", "--most", "50"}},
                             {"output", explained_by(explained)}});
  return writing::saved_page(data + "]}");
}

}  // namespace morph::report
