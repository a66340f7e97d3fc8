// Choosing what to assert.
#include "plugin/generate/assertions.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace morph::generate {
namespace {

constexpr int runs = 5;

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

result<test_case> with_assertions(const kept_test& of, const model& in, const api& as, const literal_table& literals,
                                  served_program& served, std::uint64_t& unstable) {
  test_case made{.name = {}, .purpose = {}, .calls = of.one.calls, .did = of.one.did};
  sequence asking = of.one.calls;
  const std::size_t own = asking.size();
  if (of.one.did.how == morph_outcome_passed)
    if (const auto object = object_of_interest(of.one.calls, in, as))
      for (const std::uint32_t each : inspectors(as.callables[of.one.calls[*object].callable].gives->type, in, as))
        if (const call asked{each, {{morph_argument_value, *object}}};
            asking.size() < own + 12 && asked != of.one.calls.back())
          asking.push_back(asked);
  auto outcomes = served.run(std::vector<sequence>(runs, asking), literals, morph_run_alone | morph_run_observes);
  if (!outcomes) return tl::unexpected(outcomes.error());
  const auto ends_as_before = [&](const outcome& each) { return each.how == of.one.did.how; };
  if (!std::ranges::all_of(*outcomes, ends_as_before)) {
    // An inspector ended it: the test as it is.
    asking.resize(own);
    outcomes = served.run(std::vector<sequence>(runs, asking), literals, morph_run_alone | morph_run_observes);
    if (!outcomes) return tl::unexpected(outcomes.error());
  }
  // In one process with itself: what a static variable counts differs.
  auto together = served.run(std::vector<sequence>(2, asking), literals, morph_run_observes);
  if (!together) return tl::unexpected(together.error());
  for (outcome& each : *together) outcomes->push_back(std::move(each));
  if (!std::ranges::all_of(*outcomes, ends_as_before)) {
    ++unstable;
    made.calls.clear();
    return made;
  }
  std::vector<observation> stable;
  for (const observation& each : (*outcomes)[0].observed) {
    if (each.text[0] == 'k') {
      if (each.call < own) made.known[each.call] = static_cast<std::uint32_t>(std::stoul(each.text.substr(1)));
      continue;
    }
    const bool is_stable = std::ranges::all_of(*outcomes, [&](const outcome& other) {
      return std::find(other.observed.begin(), other.observed.end(), each) != other.observed.end();
    });
    if (is_stable)
      stable.push_back(each);
    else
      ++unstable;
  }
  // First what the last call gave, then the state, then earlier results.
  const auto rank = [&](const observation& each) {
    if (each.call + 1 == own) return each.text[0] == 'p' ? 2 : 0;
    if (each.call >= own) return 1;
    return each.text[0] == 'p' ? 4 : 3;
  };
  std::stable_sort(stable.begin(), stable.end(),
                   [&](const observation& a, const observation& b) { return rank(a) < rank(b); });
  if (stable.size() > most_assertions) stable.resize(most_assertions);
  std::vector<bool> wanted(asking.size(), false);
  for (std::size_t i = 0; i < own; ++i) wanted[i] = true;
  for (const observation& each : stable) wanted[each.call] = true;
  made.calls = only(asking, wanted);
  std::vector<std::uint32_t> now(asking.size());
  for (std::uint32_t i = 0, next = 0; i < asking.size(); ++i) {
    now[i] = next;
    if (wanted[i]) ++next;
  }
  for (observation each : stable) {
    each.call = now[each.call];
    made.asserted.push_back(std::move(each));
  }
  std::stable_sort(made.asserted.begin(), made.asserted.end(),
                   [](const observation& a, const observation& b) { return a.call < b.call; });
  return made;
}

}  // namespace morph::generate
