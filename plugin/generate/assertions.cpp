// Observing tests.
#include "plugin/generate/assertions.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace morph::generate {
namespace {

constexpr int runs = 5;
constexpr std::size_t most_inspectors = 12;

bool is_observed(const returned& of) {
  return of.how == returned::kind::number || of.how == returned::kind::enumeration || of.how == returned::kind::text ||
         of.how == returned::kind::c_text;
}

/// Constant methods without parameters whose results can be compared.
std::vector<std::uint32_t> inspectors(std::uint32_t type, const model& in, const api& as) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t i = 0; i < in.callables.size(); ++i) {
    const modelled_callable& each = in.callables[i];
    if (each.has_receiver && each.is_constant && each.parameters.empty() && is_observed(each.result) &&
        as.callables[i].slots.size() == 1 && as.is_a(type, each.class_number))
      made.push_back(i);
  }
  return made;
}

/// The last object that the test worked with: the receiver of its last call, or what that gave.
std::optional<std::uint32_t> object_of_interest(const sequence& calls, const model& in, const api& as) {
  for (std::size_t i = calls.size(); i-- > 0;) {
    const modelled_callable& of = in.callables[calls[i].callable];
    if (i + 1 == calls.size() && as.callables[calls[i].callable].gives) return static_cast<std::uint32_t>(i);
    if (of.has_receiver && calls[i].arguments[0].kind == morph_argument_value) return calls[i].arguments[0].number;
  }
  return std::nullopt;
}

}  // namespace

observed_test asking(const sequence& calls, const outcome& did, const model& in, const api& as) {
  observed_test made{.asking = calls, .own = calls.size(), .did = did};
  if (did.how != morph_outcome_passed) return made;
  const auto object = object_of_interest(calls, in, as);
  if (!object) return made;
  for (const std::uint32_t each : inspectors(as.callables[calls[*object].callable].gives->type, in, as))
    if (const call asked{each, {{morph_argument_value, *object}}};
        made.asking.size() < made.own + most_inspectors && asked != calls.back())
      made.asking.push_back(asked);
  return made;
}

result<std::optional<observed_test>> observed(const kept_test& of, const model& in, const api& as,
                                              const literal_table& literals, served_program& served,
                                              std::uint64_t& unstable) {
  observed_test made = asking(of.one.calls, of.one.did, in, as);
  const auto run = [&](int times, std::uint32_t flags) {
    return served.run(std::vector<sequence>(static_cast<std::size_t>(times), made.asking), literals, flags);
  };
  auto outcomes = run(runs, morph_run_alone | morph_run_observes);
  if (!outcomes) return tl::unexpected(outcomes.error());
  const auto ends_as_before = [&](const outcome& each) { return each.how == made.did.how; };
  if (!std::ranges::all_of(*outcomes, ends_as_before)) {
    // An inspector ended it: the test as it is.
    made.asking.resize(made.own);
    outcomes = run(runs, morph_run_alone | morph_run_observes);
    if (!outcomes) return tl::unexpected(outcomes.error());
  }
  // In one process with itself: what a static variable counts differs.
  auto together = run(2, morph_run_observes);
  if (!together) return tl::unexpected(together.error());
  for (outcome& each : *together) outcomes->push_back(std::move(each));
  if (!std::ranges::all_of(*outcomes, ends_as_before)) {
    ++unstable;
    return std::optional<observed_test>();
  }
  for (const observation& each : (*outcomes)[0].observed) {
    if (each.text[0] == 'k') {
      if (each.call < made.own) made.known[each.call] = static_cast<std::uint32_t>(std::stoul(each.text.substr(1)));
      continue;
    }
    const bool is_stable = std::ranges::all_of(*outcomes, [&](const outcome& other) {
      return std::find(other.observed.begin(), other.observed.end(), each) != other.observed.end();
    });
    if (is_stable)
      made.stable.push_back(each);
    else
      ++unstable;
  }
  const auto rank = [&](const observation& each) {
    if (each.call + 1 == made.own) return each.text[0] == 'p' ? 2 : 0;
    if (each.call >= made.own) return 1;
    return each.text[0] == 'p' ? 4 : 3;
  };
  // Of an object that has a name already nothing is asserted.
  std::erase_if(made.stable,
                [&](const observation& each) { return each.text[0] == 'p' && made.known.contains(each.call); });
  std::ranges::stable_sort(made.stable, {}, rank);
  made.of_last_call = static_cast<std::size_t>(std::ranges::count(made.stable, 0, rank));
  return made;
}

std::vector<std::uint32_t> first_assertions(const observed_test& of) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t i = 0; i < std::min(of.stable.size(), most_assertions); ++i) made.push_back(i);
  return made;
}

test_case with_assertions(const observed_test& of, const std::vector<std::uint32_t>& chosen) {
  test_case made{.name = {}, .purpose = {}, .calls = {}, .did = of.did, .asserted = {}, .known = of.known};
  std::vector<bool> wanted(of.asking.size(), false);
  for (std::size_t i = 0; i < of.own; ++i) wanted[i] = true;
  for (const std::uint32_t each : chosen) wanted[of.stable[each].call] = true;
  made.calls = only(of.asking, wanted);
  std::vector<std::uint32_t> now(of.asking.size());
  for (std::uint32_t i = 0, next = 0; i < of.asking.size(); ++i) {
    now[i] = next;
    if (wanted[i]) ++next;
  }
  for (const std::uint32_t number : chosen) {
    observation each = of.stable[number];
    each.call = now[each.call];
    made.asserted.push_back(std::move(each));
  }
  std::ranges::stable_sort(made.asserted, {}, &observation::call);
  return made;
}

}  // namespace morph::generate
