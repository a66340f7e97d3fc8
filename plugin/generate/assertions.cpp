// Observing tests.
#include "plugin/generate/assertions.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace morph::generate {
namespace {

constexpr int runs = 5;
constexpr std::size_t most_objects = 4;     // of a test that are asked
constexpr std::size_t most_of_object = 12;  // calls
constexpr std::size_t most_of_part = 4;     // of what one of these calls gives
constexpr std::size_t most_asked = 40;      // calls of a test

bool is_observed(const returned& of) {
  return of.how == returned::kind::number || of.how == returned::kind::enumeration || of.how == returned::kind::text ||
         of.how == returned::kind::c_text;
}

bool is_part(const returned& of) {
  return of.how == returned::kind::object || of.how == returned::kind::reference;
}

/// Constant methods without parameters, and fields, whose results are as asked.
template <typename Wanted>
std::vector<std::uint32_t> inspectors(std::uint32_t type, const model& in, const api& as, const Wanted& wanted) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t i = 0; i < in.callables.size(); ++i) {
    const modelled_callable& each = in.callables[i];
    if (each.has_receiver && each.is_constant && each.parameters.empty() && wanted(each.result) &&
        as.callables[i].slots.size() == 1 && as.is_a(type, each.class_number))
      made.push_back(i);
  }
  return made;
}

/// The objects that the test worked with, the last ones first: what its last call gave, receivers, other arguments.
std::vector<std::uint32_t> objects_of_interest(const sequence& calls, const api& as) {
  std::vector<std::uint32_t> made;
  std::set<std::uint32_t> gone;
  const auto add = [&](std::uint32_t object) {
    if (!gone.contains(object) && std::ranges::find(made, object) == made.end()) made.push_back(object);
  };
  for (std::size_t i = calls.size(); i-- > 0;) {
    const callable& of = as.callables[calls[i].callable];
    for (std::size_t s = 0; s < of.slots.size(); ++s)
      if (of.slots[s].takes && calls[i].arguments[s].kind == morph_argument_value)
        gone.insert(calls[i].arguments[s].number);
    if (i + 1 == calls.size() && of.gives) add(static_cast<std::uint32_t>(i));
    for (const argument& each : calls[i].arguments)
      if (each.kind == morph_argument_value) add(each.number);
  }
  if (made.size() > most_objects) made.resize(most_objects);
  return made;
}

class asker {
 public:
  asker(observed_test& to, const model& in, const api& as) : to_(to), in_(in), as_(as) {}

  void ask(std::uint32_t object) { append(object, most_of_object, inspectors(type_of(object), in_, as_, is_observed)); }

  /// What it gives by value or reference: a position has fields, too.
  void ask_parts(std::uint32_t object) {
    for (const std::uint32_t each : inspectors(type_of(object), in_, as_, is_part)) {
      if (to_.asking.size() + 1 >= to_.own + most_asked || !as_.callables[each].gives) return;
      const auto values = inspectors(as_.callables[each].gives->type, in_, as_, is_observed);
      if (values.empty()) continue;
      to_.asking.push_back(asked(each, object));
      append(static_cast<std::uint32_t>(to_.asking.size() - 1), most_of_part, values);
    }
  }

 private:
  static call asked(std::uint32_t callable, std::uint32_t object) {
    return {callable, {{morph_argument_value, object}}};
  }

  std::uint32_t type_of(std::uint32_t object) const { return as_.callables[to_.asking[object].callable].gives->type; }

  void append(std::uint32_t object, std::size_t most, const std::vector<std::uint32_t>& callables) {
    for (const std::uint32_t each : callables) {
      if (most == 0 || to_.asking.size() >= to_.own + most_asked) return;
      if (asked(each, object) == to_.asking[to_.own - 1]) continue;
      to_.asking.push_back(asked(each, object));
      --most;
    }
  }

  observed_test& to_;
  const model& in_;
  const api& as_;
};

}  // namespace

observed_test asking(const sequence& calls, const outcome& did, const model& in, const api& as) {
  observed_test made{.asking = calls, .own = calls.size(), .did = did};
  if (did.how != morph_outcome_passed) return made;
  asker all(made, in, as);
  const auto objects = objects_of_interest(calls, as);
  for (const std::uint32_t each : objects) all.ask(each);
  for (const std::uint32_t each : objects) all.ask_parts(each);
  return made;
}

bool leave_out_ask(observed_test& of, const outcome& ended) {
  if (ended.call < of.own || ended.call >= of.asking.size()) return false;
  std::vector<bool> kept(of.asking.size(), true);
  kept[ended.call] = false;
  for (std::size_t i = ended.call + 1; i < of.asking.size(); ++i)
    for (const argument& each : of.asking[i].arguments)
      if (each.kind == morph_argument_value && !kept[each.number]) kept[i] = false;
  of.asking = only(of.asking, kept);
  return true;
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
  for (int tries = 0; !std::ranges::all_of(*outcomes, ends_as_before); ++tries) {
    if (made.asking.size() == made.own) break;
    const outcome& ended = *std::ranges::find_if_not(*outcomes, ends_as_before);
    if (tries == most_left_out || !leave_out_ask(made, ended)) made.asking.resize(made.own);
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
  for (std::size_t i = of.asking.size(); i-- > of.own;)
    for (const argument& each : of.asking[i].arguments)
      if (wanted[i] && each.kind == morph_argument_value) wanted[each.number] = true;
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
