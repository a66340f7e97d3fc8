// Writing them.
#include "plugin/explain/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plugin/explain/properties.hpp"
#include "plugin/system/counted.hpp"

namespace morph::explain {

bool is_of_spec(const observation::difference& of) {
  return of.where == observation::level::test && of.place.file.empty();
}

const char* meaning_of(observation::symptom means) {
  switch (means) {
    case observation::symptom::weak_oracle:
      return "a test sees another state, and no assertion checks it";
    case observation::symptom::no_propagation:
      return "the function leaves another state behind, and no test sees it";
    case observation::symptom::no_infection:
      break;
  }
  return "no call in any test has another result or leaves another state behind";
}

std::string tests_of(const observation::observed_mutant& seen) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < seen.tests.size() && i < most; ++i)
    text += fmt::format("{}{} ({}, depth {})", i == 0 ? "" : ", ", report::on_one_line(seen.tests[i].name),
                        system::counted(seen.tests[i].calls, "call"), seen.tests[i].depth);
  if (seen.tests.size() > most) text += fmt::format(" and {} more", seen.tests.size() - most);
  return text;
}

std::string place_of(const observation::source_place& at) {
  return fmt::format("{}:{}", report::on_one_line(at.file), at.line);
}

std::string text_of(const observation::difference& of) {
  std::string what = report::on_one_line(of.expression);
  if (is_of_spec(of))
    what += ' ' + report::on_one_line(of.property);
  else if (!of.property.empty())
    what = of.where == observation::level::test && !is_event(of)
               ? what + report::on_one_line(of.property)
               : fmt::format("{} of {}", report::on_one_line(of.property), what);
  if (of.is_private) what += " (private)";
  if (of.invocation > 0) what += fmt::format(", evaluation {}", of.invocation + 1);
  if (!is_of_spec(of)) what += ", at " + place_of(of.place);
  return fmt::format("{}: {} -> {}", what, of.original.empty() ? "nothing" : report::on_one_line(of.original),
                     of.mutated.empty() ? "nothing" : report::on_one_line(of.mutated));
}

std::string path_of(const observation::difference& of) {
  constexpr std::size_t most = 6;
  std::vector<std::string> shown;
  for (const std::string& each : of.call_path) shown.push_back(report::on_one_line(each));
  // Nobody looks for the mutant in what runs specs.
  if (std::ranges::find(shown, "morph::spec_main(int, char**)") != shown.end())
    std::erase_if(shown, [](const std::string& each) { return each.starts_with("morph::"); });
  if (!shown.empty() && shown.front().ends_with("::TestBody()")) shown.front() = report::on_one_line(of.test);
  if (shown.size() > most) {
    const std::size_t gone = shown.size() - most + 1;
    const auto from = shown.begin() + most / 2;
    *from = fmt::format("... {} more ...", gone);
    shown.erase(from + 1, from + static_cast<std::ptrdiff_t>(gone));
  }
  return fmt::format("{}", fmt::join(shown, " > "));
}

std::string not_read_of(const observation::observed_mutant& seen) {
  const std::size_t others = seen.not_read.size() - 1;
  return report::on_one_line(seen.not_read.front()) + (others > 0 ? fmt::format(" and {} more", others) : "");
}

const observation::difference* shown_difference(const explanation& of) {
  const auto& all = of.seen.differences;
  if (all.empty()) return nullptr;
  // What the suggestion is about, if it is about one.
  if (!of.advice.assertions.empty()) {
    const proposed_assertion& first = of.advice.assertions.front();
    const auto at = std::ranges::find_if(all, [&](const observation::difference& each) {
      return each.where == observation::level::test && each.test == first.test && each.place.file == first.place.file &&
             each.place.line == first.place.line && each.original == first.expected;
    });
    if (at != all.end()) return &*at;
  }
  return &all.front();
}

const observation::difference* leading_difference(const explanation& of) {
  const auto* const shown = shown_difference(of);
  const observation::difference* other = nullptr;
  for (const observation::difference& each : of.seen.differences) {
    if (each.where != observation::level::call) continue;
    if (shown == nullptr || each.test == shown->test) return &each;
    if (other == nullptr) other = &each;
  }
  return other != nullptr ? other : shown;
}

}  // namespace morph::explain
