// A function for each symptom.
#include "plugin/explain/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "plugin/explain/assertion.hpp"
#include "plugin/explain/missing_value.hpp"
#include "plugin/explain/properties.hpp"
#include "plugin/explain/reach.hpp"
#include "plugin/explain/words.hpp"
#include "plugin/generate/expectations.hpp"
#include "plugin/system/counted.hpp"

namespace morph::explain {
namespace {

using observation::difference;
using observation::observed_mutant;

constexpr std::size_t most_tests = 3, most_targets = 3, most_assertions = 3, most_advice = 3;

std::vector<std::string> nearest_tests(const observed_mutant& seen) {
  std::vector<std::string> made;
  for (const auto& each : seen.tests)
    if (made.size() < most_tests) made.push_back(each.name);
  return made;
}

std::string or_more(const std::vector<std::string>& names, std::size_t all) {
  return fmt::format("{}{}", fmt::join(names, ", "),
                     all > names.size() ? fmt::format(" or {} more", all - names.size()) : "");
}

std::uint64_t calls_in(const observed_mutant& seen) {
  std::uint64_t all = 0;
  for (const auto& each : seen.tests) all += each.calls;
  return all;
}

suggestion of_no_infection(const explained_change& change, const observed_mutant& seen) {
  suggestion made{.how = remedy::vary_inputs, .tests = nearest_tests(seen)};
  made.lines.push_back(missing_value(change, seen.operands, calls_in(seen)));
  // Of the state, and not of tests.
  const auto unread =
      std::ranges::find_if(seen.not_read, [](const std::string& each) { return each.starts_with("this->"); });
  if (unread != seen.not_read.end())
    made.lines.push_back(fmt::format("Or it changed what is not read: `{}`.", report::on_one_line(*unread)));
  if (!made.tests.empty())
    made.lines.push_back(fmt::format("Begin with a copy of {}, and change what leads to the call.",
                                     or_more(made.tests, seen.tests.size())));
  return made;
}

std::string or_nothing(const std::string& value) {
  return value.empty() ? "nothing" : value;
}

std::string what_differs(const observed_mutant& seen) {
  if (seen.differences.empty()) return {};
  const difference& first = seen.differences.front();
  return fmt::format("there `{}` was {}, and is {} with the change", first.property, or_nothing(first.original),
                     or_nothing(first.mutated));
}

/// How a test sees the private field of the receiver that differs; empty if that is not what differs.
std::string how_to_see_field(const explained_change& change, const observed_mutant& seen,
                             const project_functions& functions) {
  constexpr std::string_view receiver = "this->";
  if (seen.differences.empty()) return {};
  difference first = seen.differences.front();
  if (!first.is_private || !first.property.starts_with(receiver)) return {};
  first.property = "." + first.property.substr(receiver.size());
  first.type = class_of_function(change.function);
  const readable_property read = property_of(first, "object", functions);
  if (read.field.empty()) return {};
  if (read.accessor.empty()) return fmt::format("No public constant function reads `{}`: add an accessor.", read.field);
  return fmt::format("`{}` {} `{}`.", read.accessor, read.shows_value ? "shows" : "depends on", read.field);
}

std::string header_of(const test_point& of) {
  return of.header.empty() ? std::string() : fmt::format(" ({})", of.header);
}

suggestion of_no_propagation(const explained_change& change, const observed_mutant& seen,
                             const project_functions& functions) {
  suggestion made{.how = remedy::call_function, .tests = nearest_tests(seen)};
  std::vector<std::vector<std::string>> paths;
  for (const difference& each : seen.differences) paths.push_back(each.call_path);
  const test_points found = nearest_test_points(functions, change.function, paths);
  for (const test_point& each : found.points)
    if (made.targets.size() < most_targets) made.targets.push_back(each.function);
  const std::string differs = what_differs(seen);
  const std::string begin =
      made.tests.empty() ? std::string() : fmt::format("Begin with {}.", or_more(made.tests, seen.tests.size()));
  if (found.points.empty()) {
    made.how = remedy::refactor;
    made.lines.push_back(fmt::format("Tests cannot observe it: {}.", found.why_none));
    made.lines.push_back("Consider to refactor: declare the function in a header, or return what it computes.");
    return made;
  }
  const test_point& best = found.points.front();
  if (best.distance == 0) {
    made.lines.push_back(fmt::format("Test `{}`{} by itself: {}.", best.function, header_of(best),
                                     differs.empty() ? "its callers hide what it did" : differs));
  } else {
    made.lines.push_back(
        fmt::format("No test can call `{}`. The nearest function that leads to it is `{}`{}, {} away{}.",
                    change.function, best.function, header_of(best), system::counted(best.distance, "call"),
                    best.is_on_path ? ", which these tests go through" : ""));
    if (found.points.size() > 1) {
      const std::vector<std::string> others(made.targets.begin() + 1, made.targets.end());
      made.lines.push_back(fmt::format("Or test {}.", fmt::join(others, ", ")));
    }
  }
  if (std::string field = how_to_see_field(change, seen, functions); !field.empty() && made.lines.size() < most_advice)
    made.lines.push_back(std::move(field));
  if (!begin.empty() && made.lines.size() < most_advice) made.lines.push_back(begin);
  return made;
}

// ---- weak-oracle

struct candidate {
  const difference* of = nullptr;
  readable_property property{};
  std::string assertion{};
};

auto order_of(const candidate& of) {
  return std::tuple(of.assertion.empty(), of.property.text.empty(), !of.property.shows_value, of.of->is_private,
                    of.of->invocation > 0, of.property.text.size());
}

std::vector<candidate> candidates_of(const observed_mutant& seen, const project_functions& functions,
                                     const test_frameworks& frameworks) {
  std::vector<candidate> made;
  for (const difference& each : seen.differences) {
    if (each.where != observation::level::test) continue;
    candidate one{&each, property_of(each, each.expression, functions), {}};
    const std::string framework = framework_at(frameworks, each.place.file);
    if (each.property == "exception" && !each.original.empty())
      one.assertion =
          generate::expected_exception(each.expression, each.original.substr(0, each.original.find('(')), framework);
    else if (!one.property.text.empty() && one.property.shows_value)
      one.assertion = assertion_of({one.property.text, one.property.type, each.original, framework});
    made.push_back(std::move(one));
  }
  std::ranges::stable_sort(made, {}, [](const candidate& each) { return order_of(each); });
  return made;
}

void describe(const candidate& best, suggestion& to) {
  const difference& of = *best.of;
  const readable_property& property = best.property;
  if (best.assertion.empty() && property.text.empty() && property.field.empty()) {
    const std::string what = of.property == "invocations"          ? "how often it is evaluated"
                             : of.property.ends_with("[elements]") ? "its elements"
                                                                   : "the " + of.property;
    to.lines.push_back(
        fmt::format("In {}, at {}, `{}` differs in {}: {}, and {} with the change. Assert what shows it.", of.test,
                    place_of(of.place), of.expression, what, or_nothing(of.original), or_nothing(of.mutated)));
    return;
  }
  if (best.assertion.empty() && property.text.empty()) {
    to.how = remedy::add_accessor;
    to.lines.push_back(
        fmt::format("The private field `{}` of `{}` differs at {}, and no public constant function of it "
                    "reads that: add an accessor.",
                    property.field, property.of_class, place_of(of.place)));
    return;
  }
  if (!property.field.empty())
    to.lines.push_back(fmt::format("`{}` {} the private `{}`.", property.accessor,
                                   property.shows_value ? "shows" : "depends on", property.field));
  if (!best.assertion.empty()) {
    to.lines.push_back(fmt::format("Assert in {}, at {}: `{}`", of.test, place_of(of.place), best.assertion));
    to.lines.push_back("The value was observed; it is not known to be right.");
  } else if (!property.shows_value) {
    to.lines.push_back(
        fmt::format("Assert in {}, at {}, what `{}` gives.", of.test, place_of(of.place), property.text));
  } else {
    to.lines.push_back(fmt::format("Assert in {}, at {}, that `{}` is as without the change: {}", of.test,
                                   place_of(of.place), property.text, of.original));
  }
}

suggestion of_weak_oracle(const observed_mutant& seen, const project_functions& functions,
                          const test_frameworks& frameworks) {
  suggestion made{.how = remedy::assert_value};
  const auto test_level = [](const difference& each) { return each.where == observation::level::test; };
  if (const auto first = std::ranges::find_if(seen.differences, test_level);
      first != seen.differences.end() && is_of_spec(*first)) {
    made.tests.push_back(first->test);
    made.lines.push_back(fmt::format("No relation of the spec `{}` notices that the {} {} is {} in place of {}.",
                                     first->test.substr(0, first->test.find('.')), first->expression, first->property,
                                     or_nothing(first->mutated), or_nothing(first->original)));
    made.lines.emplace_back("Label a seed with its output, or add a relation that does not hold then.");
    return made;
  }
  const auto candidates = candidates_of(seen, functions, frameworks);
  if (candidates.empty()) {
    made.lines.emplace_back("A test sees another state; what differs there was not read.");
    return made;
  }
  for (const candidate& each : candidates)
    if (!each.assertion.empty() && made.assertions.size() < most_assertions)
      made.assertions.push_back({each.of->test, each.of->place, each.assertion, each.of->original});
  made.tests.push_back(candidates.front().of->test);
  describe(candidates.front(), made);
  return made;
}

}  // namespace

std::string framework_at(const test_frameworks& frameworks, const std::string& file) {
  const auto found = frameworks.find(file);
  return found == frameworks.end() ? "gtest" : found->second;
}

suggestion suggestion_for(const explained_change& change, const observed_mutant& seen,
                          const project_functions& functions, const test_frameworks& frameworks) {
  switch (seen.means) {
    case observation::symptom::no_infection:
      return of_no_infection(change, seen);
    case observation::symptom::no_propagation:
      return of_no_propagation(change, seen, functions);
    case observation::symptom::weak_oracle:
      break;
  }
  return of_weak_oracle(seen, functions, frameworks);
}

}  // namespace morph::explain
