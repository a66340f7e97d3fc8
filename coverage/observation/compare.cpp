// Stable sets are ordered maps: two of them are compared in one walk.
#include "coverage/observation/compare.hpp"

#include <algorithm>

namespace morph::observation {

void stable_state::add(const test_record& run) {
  const bool is_first = runs_++ == 0;
  std::set<observed_key> now;
  const auto note = [&](const observed_key& key, value seen) {
    now.insert(key);
    const auto [known, is_new] = values_.try_emplace(key, seen);
    if (is_new)
      known->second.is_stable = is_first;
    else if (known->second.digest != seen.digest)
      known->second.is_stable = false;
  };
  for (const seen_event& event : run.events) {
    const std::vector<std::string>* const path =
        event.path < run.paths.size() ? &*known_paths_.insert(run.paths[event.path]).first : nullptr;
    const auto [known, is_new] = paths_.try_emplace({event.point, event.number}, path);
    if (!is_new && known->second != path) known->second = nullptr;
    for (const seen_value& each : event.values)
      note({event.point, event.number, each.name}, {each.digest, each.text, event.instruction, path});
  }
  for (const auto& [point, count] : run.counts) note({point, 0, 0}, {count, std::to_string(count)});
  for (const auto& [which, digest] : run.others)
    note({which.first, observed_key::others, which.second}, {digest, "(in later calls)"});
  if (is_first) return;
  for (auto& [key, seen] : values_)
    if (!now.contains(key)) seen.is_stable = false;
}

std::uint64_t stable_state::count_of(std::uint32_t point) const {
  const auto known = values_.find({point, 0, 0});
  return known == values_.end() ? 0 : known->second.digest;
}

std::set<std::uint32_t> stable_state::unstable_names(std::uint32_t point) const {
  std::set<std::uint32_t> found;
  for (auto at = values_.lower_bound({point, 1, 0}); at != values_.end() && at->first.point == point; ++at)
    if (!at->second.is_stable) found.insert(at->first.name);
  return found;
}

const std::vector<std::string>* stable_state::path_of(std::uint32_t point, std::uint64_t number) const {
  const auto known = paths_.find({point, number});
  return known == paths_.end() ? nullptr : known->second;
}

namespace {

/// The first event of a point that stands at another place in the calls; none: infinite.
std::uint64_t divergence(const stable_state& a, const stable_state& b, std::uint32_t point) {
  for (std::uint64_t number = 1;; ++number) {
    const auto *first = a.path_of(point, number), *second = b.path_of(point, number);
    if (first == nullptr || second == nullptr) return UINT64_MAX;
    if (*first != *second) return number;
  }
}

}  // namespace

std::vector<state_difference> differences(const stable_state& original, const stable_state& mutated,
                                          const std::function<bool(std::uint32_t)>& considers) {
  std::vector<state_difference> found;
  std::map<std::uint32_t, std::uint64_t> diverges;  // by point
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  const auto is_aligned = [&](const observed_key& key) {
    if (key.number == 0) return true;
    const auto [at, is_new] = diverges.try_emplace(key.point);
    if (is_new) at->second = divergence(original, mutated, key.point);
    return at->second == UINT64_MAX || key.number < at->second;
  };
  const auto has_event = [](const stable_state& of, const observed_key& key) {
    return key.number == 0 || (key.number <= of.count_of(key.point));
  };
  const auto report = [&](const observed_key& key, const stable_state::value* before,
                          const stable_state::value* after) {
    if ((before != nullptr && !before->is_stable) || (after != nullptr && !after->is_stable)) return;
    if (before != nullptr && after != nullptr && before->digest == after->digest) return;
    if (!considers(key.point) || !is_aligned(key)) return;
    // What the number of events says is not said again of each that is missing.
    if (key.number != observed_key::others && before == nullptr && !has_event(original, key)) return;
    if (key.number != observed_key::others && after == nullptr && !has_event(mutated, key)) return;
    if (key.number == observed_key::others && (before == nullptr || after == nullptr)) return;
    if (!known.insert({key.point, key.number == 0 ? UINT32_MAX : key.name}).second) return;
    const stable_state::value& shown = before != nullptr ? *before : *after;
    const std::string none = key.number == 0 ? "0" : "";
    found.push_back({key, before != nullptr ? before->text : none, after != nullptr ? after->text : none,
                     shown.instruction, shown.path != nullptr ? *shown.path : std::vector<std::string>()});
  };
  auto a = original.values().begin(), b = mutated.values().begin();
  while (a != original.values().end() || b != mutated.values().end()) {
    const bool takes_a = b == mutated.values().end() || (a != original.values().end() && a->first <= b->first);
    const bool takes_b = a == original.values().end() || (b != mutated.values().end() && b->first <= a->first);
    report(takes_a ? a->first : b->first, takes_a ? &a->second : nullptr, takes_b ? &b->second : nullptr);
    if (takes_a) ++a;
    if (takes_b) ++b;
  }
  return found;
}

symptom symptom_of(const std::vector<difference>& seen) {
  const auto is_at = [&](level where) {
    return std::ranges::any_of(seen, [&](const difference& each) { return each.where == where; });
  };
  return is_at(level::test)   ? symptom::weak_oracle
         : is_at(level::call) ? symptom::no_propagation
                              : symptom::no_infection;
}

}  // namespace morph::observation
