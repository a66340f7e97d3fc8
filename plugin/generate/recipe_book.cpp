// Weights of recipes: down by failures, up by what is new.
#include "plugin/generate/recipe_book.hpp"

#include <algorithm>

#include "plugin/generate/fitting.hpp"

namespace morph::generate {
namespace {

constexpr double least_weight = 0.05, lost_by_failure = 0.7, won_by_success = 1.1;
constexpr std::size_t most_calls_of_object = 15, most_of_type = 300;

/// The last call that may change the object or what it is a part of.
std::uint32_t last_change(std::uint32_t object, const sequence& of, const std::vector<std::uint32_t>& roots,
                          const api& in) {
  std::uint32_t last = object;
  for (std::uint32_t i = object + 1; i < of.size(); ++i) {
    const auto& slots = in.callables[of[i].callable].slots;
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (of[i].arguments[s].kind == morph_argument_value && slots[s].changes &&
          roots[of[i].arguments[s].number] == roots[object])
        last = i;
  }
  return last;
}

bool is_taken(std::uint32_t object, const sequence& of, const api& in) {
  for (const call& each : of)
    for (std::size_t s = 0; s < each.arguments.size(); ++s)
      if (each.arguments[s] == argument{morph_argument_value, object} && in.callables[each.callable].slots[s].takes)
        return true;
  return false;
}

}  // namespace

void recipe_book::add(const sequence& of, const api& in) {
  constant_.resize(in.bases.size());
  changing_.resize(in.bases.size());
  const auto roots = roots_of(of, in);
  for (std::uint32_t object = 0; object < of.size(); ++object) {
    const auto& gives = in.callables[of[object].callable].gives;
    if (!gives || is_taken(object, of, in)) continue;
    std::vector<bool> kept = needed_by(last_change(object, of, roots, in), of, in, most_calls_of_object);
    if (!kept[object]) kept = needed_by(object, of, in, most_calls_of_object);
    sequence calls = only(of, kept);
    const auto at = static_cast<std::uint32_t>(std::count(kept.begin(), kept.begin() + object, true));
    if (calls.size() > most_calls_of_object || !known_.emplace(calls, at).second) continue;
    for (const std::uint32_t base : in.bases[gives->type]) {
      auto& list = (gives->is_constant ? constant_ : changing_)[base];
      if (list.size() < most_of_type) list.push_back(all_.size());
    }
    all_.push_back({std::move(calls), at});
  }
}

std::optional<std::size_t> recipe_book::any_for(const slot& of, optimizer::random_source& random) const {
  if (of.type >= changing_.size()) return std::nullopt;
  std::vector<std::size_t> fitting = changing_[of.type];
  if (!of.changes) fitting.insert(fitting.end(), constant_[of.type].begin(), constant_[of.type].end());
  double all = 0;
  for (const std::size_t each : fitting) all += all_[each].weight;
  constexpr std::uint32_t steps = 1U << 24U;
  double left = all * random.below(steps) / steps;
  for (const std::size_t each : fitting)
    if ((left -= all_[each].weight) < 0) return each;
  return fitting.empty() ? std::nullopt : std::optional(fitting.back());
}

void recipe_book::learn(std::span<const std::size_t> used, bool is_valid, bool is_new) {
  for (const std::size_t each : used) {
    double& weight = all_[each].weight;
    weight = is_new ? 1 : std::clamp(weight * (is_valid ? won_by_success : lost_by_failure), least_weight, 1.0);
  }
}

}  // namespace morph::generate
