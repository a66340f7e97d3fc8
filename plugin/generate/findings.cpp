// Shortening findings, and asking again where time decides.
#include "plugin/generate/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "plugin/generate/minimize.hpp"
#include "plugin/generate/misuse.hpp"

namespace morph::generate {
namespace {

result<bool> ends_at_last(const sequence& calls, const finding_ground& with) {
  auto outcomes = with.served.run(std::span(&calls, 1), with.literals, morph_run_alone | morph_run_is_patient);
  return outcomes.map([](const std::vector<outcome>& did) { return did.front().how != morph_outcome_hung; });
}

/// One that an earlier call gave, as nobody expects.
result<bool> passes_null(const finding& of, const finding_ground& with) {
  const sequence before(of.calls.begin(), of.calls.begin() + of.did.call);
  if (before.empty()) return false;
  auto outcomes = with.served.run(std::span(&before, 1), with.literals, morph_run_alone | morph_run_observes);
  return outcomes.map([&](const std::vector<outcome>& did) {
    return std::ranges::any_of(did.front().observed, [&](const observation& each) {
      const argument given{morph_argument_value, each.call};
      return each.place == 0 && each.text == "n" && std::ranges::any_of(of.calls, [&](const call& one) {
               return std::ranges::find(one.arguments, given) != one.arguments.end();
             });
    });
  });
}

}  // namespace

std::string described(const outcome& of) {
  if (of.how == morph_outcome_hung) return "it did not end within 200 ms of CPU time";
  if (of.how == morph_outcome_ended) return fmt::format("it ended the program with exit status {}", of.code);
  return fmt::format("it was killed by signal {} ({})", of.code, ::strsignal(of.code));
}

result<std::vector<explained_finding>> shortest_findings(const std::vector<finding>& all, const finding_ground& with,
                                                         system::observer& told) {
  std::vector<explained_finding> made;
  told.begin(all.size(), "findings");
  for (const finding& each : all) {
    told.step("making findings shorter");
    auto shortest = minimized_finding(each, with.alone);
    if (!shortest) return tl::unexpected(shortest.error());
    if (shortest->did.call >= shortest->calls.size()) continue;
    std::string misuse = misuse_in(*shortest, with.in, with.calls, with.literals);
    if (misuse.empty() && !with.calls.callables[shortest->calls[shortest->did.call].callable].is_of_unit)
      misuse = "the call is not one of the unit's";
    if (misuse.empty() && shortest->did.how == morph_outcome_hung) {
      const auto ends = ends_at_last(shortest->calls, with);
      if (!ends) return tl::unexpected(ends.error());
      if (*ends) misuse = "it only takes long";
    }
    if (misuse.empty()) {
      const auto passes = passes_null(*shortest, with);
      if (!passes) return tl::unexpected(passes.error());
      if (*passes) misuse = "a call gave a null pointer, which is passed";
    }
    made.push_back({std::move(*shortest), std::move(misuse)});
  }
  told.end();
  std::ranges::stable_partition(made, [](const explained_finding& each) { return each.misuse.empty(); });
  return made;
}

}  // namespace morph::generate
