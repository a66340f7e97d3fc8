// From the model to what a search calls.
#include "plugin/generate/offered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plugin/generate/source_texts.hpp"
#include "plugin/generate/user_values.hpp"
#include "plugin/source_reader/constants.hpp"
#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

constexpr std::size_t most_texts_of_sources = 100;

/// A template without an instance is none yet.
std::size_t refused_functions(const model& of) {
  return static_cast<std::size_t>(std::ranges::count_if(
      of.refused, [](const refusal& each) { return each.reason != "template without an instance"; }));
}

bool is_leading(const modelled_callable& of, const subject& in) {
  if (of.class_name.empty()) return in.leading.contains(of.name);
  const bool makes = of.how == modelled_callable::kind::constructor;
  const auto at = of.class_name.rfind(':');
  const std::string name = makes ? of.class_name.substr(at == std::string::npos ? 0 : at + 1) : of.method;
  return in.leading.contains(of.class_name + "::" + name);
}

/// Half of the calls are of what leads to the callee, or to mutants.
void prefer_leading(const subject& in, api& calls) {
  std::vector<std::uint32_t> leading;
  for (const std::uint32_t each : calls.of_unit)
    if (is_leading(in.offered.callables[each], in)) leading.push_back(each);
  if (leading.empty()) return;
  for (std::size_t i = calls.of_unit.size() - leading.size(); i >= leading.size(); i -= leading.size())
    calls.of_unit.insert(calls.of_unit.end(), leading.begin(), leading.end());
}

/// Of the class under test, or of a class that has functions in the file.
bool is_of_unit(const modelled_callable& of, const subject& in, const std::set<std::uint32_t>& taken_by_unit) {
  if (in.pair) return in.called_classes.contains(of.class_name);
  const std::string& unit = in.unit;
  if (is_leading(of, in) || of.class_name == unit || of.class_name.starts_with(unit + "::") ||
      of.name.starts_with(unit + "::"))
    return true;
  for (const parameter& each : of.parameters)
    if ((each.how == parameter::kind::object || each.how == parameter::kind::pointer) && !each.is_constant &&
        in.offered.classes[each.class_number].name == unit && !of.has_receiver)
      return true;
  if (of.how == modelled_callable::kind::member && !of.parameters.empty() && taken_by_unit.contains(of.class_number))
    return true;
  for (const tested_function& each : in.goals.functions) {
    if (!each.is_wanted) continue;
    if (!each.class_name.empty() && (of.class_name == each.class_name || of.name.starts_with(each.class_name + "::")))
      return true;
    if (each.class_name.empty() && each.name.starts_with(of.name + "(")) return true;
  }
  return false;
}

/// Numbers and texts that stand in conditions.
std::vector<literal> literals_of_conditions(const subject& in) {
  std::vector<literal> made;
  for (const goal& each : in.goals.goals)
    for (const auto& [is, number, text] : source_reader::constants_in(each.condition)) {
      using kind = source_reader::constant::kind;
      if (is != kind::text) made.push_back({.kind = 'i', .number = number});
      if (is != kind::number)
        made.push_back({.kind = 's', .text = is == kind::text ? text : std::string(1, static_cast<char>(number))});
    }
  return made;
}

/// Short texts anywhere in the sources under test: what a parser looks for is often in a constant.
std::vector<literal> texts_of_sources(const subject& in) {
  std::set<std::string> texts;
  for (const auto& unit : in.sources) {
    const auto source = system::read_file(unit.file);
    if (!source) continue;
    for (const std::string& each : short_texts(*source)) texts.insert(each);
  }
  std::vector<literal> made;
  for (const std::string& each : texts)
    if (made.size() < most_texts_of_sources) made.push_back({.kind = 's', .text = each});
  return made;
}

void offer_characters(const subject& in, literal_table& literals) {
  std::set<std::string> files(in.headers.begin(), in.headers.end());
  for (const auto& unit : in.sources) files.insert(unit.file);
  for (const std::string& each : files)
    if (const auto source = system::read_file(each))
      for (const char c : characters_of(*source)) literals.offer_tokens(std::string(1, c));
}

}  // namespace

result<offered_calls> offer_calls(const subject& of, const std::vector<bool>& dropped, literal_table& literals) {
  const model& offered = of.offered;
  offered_calls made{.calls = api_of(offered, literals), .refused = offered.refused};
  api& calls = made.calls;
  std::set<std::uint32_t> taken_by_unit;  // classes whose fields the calls of the unit read
  // What the compiler rejects needs an object that nothing makes.
  const auto nowhere = static_cast<std::uint32_t>(calls.bases.size());
  calls.bases.push_back({nowhere});
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    if (!dropped[i]) continue;
    calls.callables[i].slots = {{.from = slot::source::value, .type = nowhere}};
    calls.callables[i].gives.reset();
    if (offered.callables[i].is_implied) continue;
    made.refused.push_back({offered.callables[i].signature, offered.callables[i].file,
                            "the compiler or the linker rejects a call",
                            "a function of the unit's library that calls it, in a header", offered.callables[i].line});
  }
  for (const modelled_callable& each : offered.callables)
    if (is_of_unit(each, of, taken_by_unit))
      for (const parameter& p : each.parameters)
        if (p.how == parameter::kind::object || p.how == parameter::kind::pointer) taken_by_unit.insert(p.class_number);
  for (std::size_t i = 0; i < calls.callables.size(); ++i)
    calls.callables[i].is_of_unit = is_of_unit(offered.callables[i], of, taken_by_unit);
  prefer_values(offered, calls);
  const std::vector<bool> reached = calls.settle();
  // Signatures, since a callable with default arguments is there several times.
  std::set<std::string> now, all;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (offered.callables[i].is_implied) continue;
    all.insert(offered.callables[i].signature);
    if (reached[i]) now.insert(offered.callables[i].signature);
  }
  made.callables = all.size() + refused_functions(offered);
  made.callable_now = now.size();
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (const modelled_callable& each = offered.callables[i];
        !reached[i] && !dropped[i] && !each.is_implied && !now.contains(each.signature))
      made.refused.push_back(
          {each.signature, each.file, each.why_not.empty() ? "nothing makes its receiver or an argument" : each.why_not,
           each.remedy.empty() ? "a function in a header that returns such an object" : each.remedy, each.line});
  // What others alone can call is reached through them.
  const bool is_offered = std::ranges::any_of(calls.callables, [](const callable& each) { return each.is_of_unit; });
  if (!is_offered)
    for (std::uint32_t i = 0; i < reached.size(); ++i)
      if (reached[i]) calls.of_unit.push_back(i);
  prefer_leading(of, calls);
  if (calls.of_unit.empty())
    return tl::unexpected(
        fmt::format("nothing of '{}' can be called{}", of.unit, first_refusal(made.refused, of.unit)));
  for (const literal& each : literals_of_conditions(of)) literals.offer(each);
  for (const literal& each : texts_of_sources(of)) literals.offer(each);
  offer_characters(of, literals);
  return made;
}

std::string first_refusal(const std::vector<refusal>& all, const std::string& unit) {
  const refusal* shown = nullptr;
  for (const refusal& each : all)
    if (shown == nullptr || (shown->name.find(unit) == std::string::npos && each.name.find(unit) != std::string::npos))
      shown = &each;
  return shown == nullptr ? "" : fmt::format("; {}:{}: {}: {}", shown->file, shown->line, shown->name, shown->reason);
}

}  // namespace morph::generate
