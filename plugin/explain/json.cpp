// Explanations as JSON.
#include <nlohmann/json.hpp>

#include "coverage/observation/observed_json.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::explain {
namespace {

using nlohmann::json;

const char* name_of(remedy how) {
  switch (how) {
    case remedy::vary_inputs:
      return "vary-inputs";
    case remedy::call_function:
      return "call-function";
    case remedy::assert_value:
      return "assert-value";
    case remedy::add_accessor:
      return "add-accessor";
    case remedy::refactor:
      break;
  }
  return "refactor";
}

json to_json(const suggestion& of) {
  json assertions = json::array();
  for (const proposed_assertion& each : of.assertions)
    assertions.push_back({{"test", each.test},
                          {"file", each.place.file},
                          {"line", each.place.line},
                          {"column", each.place.column},
                          {"assertion", each.text},
                          {"expected", each.expected}});
  return {{"remedy", name_of(of.how)},
          {"lines", of.lines},
          {"tests", of.tests},
          {"targets", of.targets},
          {"assertions", std::move(assertions)}};
}

json to_json(const explained_change& of) {
  return {{"file", of.file},
          {"line", of.from.line},
          {"column", of.from.column},
          {"operator", of.op},
          {"kind", report::name_of(of.kind)},
          {"original", of.original},
          {"replacement", of.replacement},
          {"function", of.function},
          {"before", of.lines.before},
          {"after", of.lines.after}};
}

}  // namespace

std::string as_json(const explain_report& of) {
  json mutants = json::array();
  for (const explanation& each : of.explanations) {
    json one = observation::to_json(each.seen);
    one["change"] = to_json(each.change);
    one["instruction"] = each.instruction;
    one["suggestion"] = to_json(each.advice);
    one["text"] = lines_of(each, false);
    mutants.push_back(std::move(one));
  }
  return json_text({{"schema", contract::explain_schema},
                    {"mutants", std::move(mutants)},
                    {"left_out", of.left_out},
                    {"notes", of.notes},
                    {"at", of.at}}) +
         '\n';
}

}  // namespace morph::explain
