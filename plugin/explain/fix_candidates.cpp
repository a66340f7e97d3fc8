// From differences to assertions, and the choice among them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "plugin/explain/assertion.hpp"
#include "plugin/explain/fix.hpp"
#include "plugin/explain/properties.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/oracles/fewest_assertions.hpp"

namespace morph::explain {
namespace {

asked_place asked_of(const observation::difference& of) {
  return {of.place.file, of.expression, of.place.line, of.place.column};
}

bool is_candidate(const observation::difference& of) {
  return !is_of_spec(of) && of.where == observation::level::test && !is_event(of);
}

/// The plainest first: what is named already, short, and not behind others of its kind.
auto order_of(const fix_candidate& of) {
  return std::tuple(of.where.how == placed_expression::placing::hoist, of.assertion.size(), of.file, of.line,
                    of.assertion);
}

struct attempt {
  std::string assertion{}, why_not{};
};

attempt attempt_of(const observation::difference& of, const placed_expression& where,
                   const project_functions& functions, const std::string& framework) {
  if (where.how == placed_expression::placing::none) return {{}, where.why_not};
  if (of.invocation > 0) return {{}, "its value is that of one of several evaluations"};
  const readable_property property = property_of(of, where.expression, functions);
  if (property.text.empty() && property.field.empty()) return {{}, "its elements are not compared one by one"};
  if (property.text.empty())
    return {{}, fmt::format("nothing shows the private field '{}' of {}", property.field, property.of_class)};
  if (!property.shows_value)
    return {{}, fmt::format("'{}' only depends on the private field '{}'", property.accessor, property.field)};
  const std::string type = of.property.empty() && !where.type.empty() ? where.type : property.type;
  attempt made{assertion_of({property.text, type, of.original, framework}), {}};
  if (made.assertion.empty()) made.why_not = fmt::format("its value, {}, cannot be written as a literal", of.original);
  return made;
}

}  // namespace

std::vector<asked_place> places_asked(const std::vector<explanation>& of) {
  std::set<asked_place> made;
  for (const explanation& each : of)
    for (const observation::difference& one : each.seen.differences)
      if (is_candidate(one)) made.insert(asked_of(one));
  return {made.begin(), made.end()};
}

fix_candidates candidates_for(const std::vector<explanation>& of, const project_functions& functions,
                              const std::vector<asked_place>& asked, const std::vector<placed_expression>& placed,
                              const std::vector<std::string>& frameworks) {
  std::map<std::tuple<std::string, std::uint32_t, std::string>, fix_candidate> found;
  fix_candidates made;
  for (const explanation& each : of) {
    std::string first_reason;
    bool has_one = false;
    for (const observation::difference& one : each.seen.differences) {
      if (!is_candidate(one)) continue;
      const auto at = static_cast<std::size_t>(std::ranges::lower_bound(asked, asked_of(one)) - asked.begin());
      if (at >= placed.size() || asked[at] != asked_of(one)) continue;
      const attempt attempted = attempt_of(one, placed[at], functions, frameworks[at]);
      if (attempted.assertion.empty()) {
        if (first_reason.empty())
          first_reason = fmt::format("{}: no assertion on `{}{}` at {}:{}: {}", each.change.id, one.expression,
                                     one.property, one.place.file, one.place.line, attempted.why_not);
        continue;
      }
      has_one = true;
      fix_candidate& candidate = found[{one.place.file, placed[at].begin, attempted.assertion}];
      if (candidate.assertion.empty())
        candidate = {one.test, one.place.file, one.place.line, placed[at], attempted.assertion, {}};
      if (std::ranges::find(candidate.mutants, each.change.id) == candidate.mutants.end())
        candidate.mutants.push_back(each.change.id);
    }
    if (!has_one && !first_reason.empty()) made.refused.push_back(first_reason);
  }
  for (auto& [key, candidate] : found) made.candidates.push_back(std::move(candidate));
  std::ranges::sort(made.candidates, {}, [](const fix_candidate& each) { return order_of(each); });
  return made;
}

std::vector<fix_candidate> fewest(const std::vector<fix_candidate>& all) {
  std::map<std::string, std::uint32_t> numbers;
  for (const fix_candidate& each : all)
    for (const std::string& mutant : each.mutants) numbers.emplace(mutant, static_cast<std::uint32_t>(numbers.size()));
  // As if one test could assert all of it: what one asserts no other one has to.
  oracles::judged_test whole;
  for (const fix_candidate& each : all) {
    std::vector<std::uint32_t> kills;
    for (const std::string& mutant : each.mutants) kills.push_back(numbers.at(mutant));
    std::ranges::sort(kills);
    whole.values.push_back(std::move(kills));
  }
  std::vector<fix_candidate> made;
  if (all.empty()) return made;
  const auto chosen = oracles::fewest_assertions({whole}, all.size());
  for (const std::uint32_t each : chosen.front()) made.push_back(all[each]);
  return made;
}

}  // namespace morph::explain
