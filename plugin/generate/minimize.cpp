// Delta debugging of sequences (Zeller and Hildebrandt, TSE 2002, one call at a time).
#include "plugin/generate/minimize.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "plugin/generate/text_variation.hpp"

namespace morph::generate {
namespace {

using still = std::function<bool(const sequence&, const outcome&)>;

bool reaches(const outcome& did, const std::vector<std::uint32_t>& goals) {
  std::set<std::uint32_t> left(goals.begin(), goals.end());
  for (const auto& [goal, distance] : did.goals)
    if (distance == 0) left.erase(goal);
  return left.empty();
}

/// All sequences that lack one call and those that need it.
std::vector<sequence> without_each(const sequence& of) {
  std::vector<sequence> made;
  for (std::size_t gone = of.size(); gone-- > 0;) {
    std::vector<bool> kept(of.size(), true);
    kept[gone] = false;
    for (std::size_t i = gone + 1; i < of.size(); ++i)
      for (const argument& each : of[i].arguments)
        if (each.kind == morph_argument_value && !kept[each.number]) kept[i] = false;
    made.push_back(only(of, kept));
  }
  return made;
}

/// Evaluates until nothing shorter does; true if `one` has become shorter.
result<bool> shorten(individual& one, const still& holds, const evaluator& evaluate) {
  bool has_changed = false;
  while (one.calls.size() > 1) {
    const std::vector<sequence> all = without_each(one.calls);
    auto outcomes = evaluate(all);
    if (!outcomes) return tl::unexpected(outcomes.error());
    std::size_t best = all.size();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].empty() && holds(all[i], (*outcomes)[i]) && (best == all.size() || all[i].size() < all[best].size()))
        best = i;
    if (best == all.size()) break;
    one = {all[best], std::move((*outcomes)[best])};
    has_changed = true;
  }
  return has_changed;
}

constexpr std::size_t most_by_bytes = 24;

/// The longest pieces first.
std::vector<std::string> without_each_piece(const std::string& text) {
  constexpr std::size_t most = 32;
  std::vector<text_piece> all = pieces_of(text);
  std::ranges::stable_sort(all, std::greater<>(), [](const text_piece& each) { return each.end - each.begin; });
  std::vector<std::string> made;
  for (const text_piece& each : all)
    if (made.size() < most) made.push_back(std::string(text).erase(each.begin, each.end - each.begin));
  return made;
}

/// What a person would rather read: no text for a text, a half or a piece less, nothing or one for a number.
std::vector<literal> plainer(const literal& of) {
  std::vector<literal> made;
  if (of.kind == 's' && !of.text.empty()) {
    made.push_back({.kind = 's'});
    const std::size_t half = of.text.size() / 2;
    if (half > 0) made.push_back({.kind = 's', .text = of.text.substr(0, half)});
    if (half > 0) made.push_back({.kind = 's', .text = of.text.substr(half)});
    if (of.text.size() > most_by_bytes)
      for (std::string& each : without_each_piece(of.text)) made.push_back({.kind = 's', .text = std::move(each)});
    if (of.text.size() <= most_by_bytes)
      for (std::size_t i = 0; i < of.text.size(); ++i) {
        std::string less = of.text;
        made.push_back({.kind = 's', .text = less.erase(i, 1)});
      }
  }
  if (of.kind == 'i')
    for (const std::int64_t each : {0, 1, -1, 2}) {
      if (each == of.number) break;
      made.push_back({.kind = 'i', .number = each});
    }
  if (of.kind == 'd')
    for (const double each : {0.0, 1.0, -1.0}) {
      if (each == of.real) break;
      made.push_back({.kind = 'd', .real = each});
    }
  if (of.kind == 'l' && !of.elements.empty()) made.push_back({.kind = 'l'});
  for (std::size_t i = 0; of.kind == 'l' && of.elements.size() > 1 && i < of.elements.size(); ++i) {
    literal fewer = of;
    fewer.elements.erase(fewer.elements.begin() + static_cast<std::ptrdiff_t>(i));
    made.push_back(std::move(fewer));
  }
  return made;
}

bool is_allowed(const literal& of, const role& as) {
  if (of.kind == 'l') return !as.is_tuple;
  if (of.kind != 'i') return true;
  if (!as.values.empty()) return std::find(as.values.begin(), as.values.end(), of.number) != as.values.end();
  return of.number >= as.least && of.number <= as.most;
}

result<bool> simplify(individual& one, const api& of, literal_table& literals, const still& holds,
                      const evaluator& evaluate) {
  for (std::size_t i = 0; i < one.calls.size(); ++i) {
    const auto& slots = of.callables[one.calls[i].callable].slots;
    for (std::size_t s = 0; s < slots.size(); ++s) {
      for (int round = 0; round < 24; ++round) {
        const argument now = one.calls[i].arguments[s];
        if (now.kind != morph_argument_literal) break;
        const literal value = literals[now.number];
        std::vector<sequence> all;
        for (literal& each : plainer(value)) {
          if (!is_allowed(each, literals.role_at(slots[s].role))) continue;
          sequence changed = one.calls;
          changed[i].arguments[s].number = literals.add(std::move(each));
          all.push_back(std::move(changed));
        }
        if (all.empty()) break;
        auto outcomes = evaluate(all);
        if (!outcomes) return tl::unexpected(outcomes.error());
        std::size_t best = 0;
        while (best < all.size() && !holds(all[best], (*outcomes)[best])) ++best;
        if (best == all.size()) break;
        one = {all[best], std::move((*outcomes)[best])};
        if (value.kind != 's' && value.kind != 'l') break;
      }
    }
  }
  return true;
}

}  // namespace

result<std::vector<kept_test>> minimized(const search_result& found, const api& of, literal_table& literals,
                                         const evaluator& evaluate) {
  // Which sequences: those that reach most of what is not reached yet; of equals the shorter.
  std::vector<const individual*> all;
  std::set<sequence> seen;
  for (const auto& [goal, one] : found.archive)
    if (seen.insert(one.calls).second) all.push_back(&one);
  std::vector<sequence> again;
  for (const individual* each : all) again.push_back(each->calls);
  auto alone = evaluate(again);
  if (!alone) return tl::unexpected(alone.error());
  std::set<std::uint32_t> open;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((*alone)[i].can_be_a_test())
      for (const auto& [goal, distance] : (*alone)[i].goals)
        if (distance == 0) open.insert(goal);
  std::vector<kept_test> made;
  std::vector<bool> used(all.size(), false);
  while (!open.empty()) {
    std::size_t best = all.size();
    double best_worth = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (used[i] || !(*alone)[i].can_be_a_test()) continue;
      double worth = 0;
      for (const auto& [goal, distance] : (*alone)[i].goals) worth += distance == 0 && open.contains(goal) ? 1 : 0;
      worth /= static_cast<double>(all[i]->calls.size() + 2);
      if (worth > best_worth) best = i, best_worth = worth;
    }
    if (best == all.size()) break;
    used[best] = true;
    kept_test one{{all[best]->calls, (*alone)[best]}, {}};
    for (const auto& [goal, distance] : (*alone)[best].goals)
      if (distance == 0 && open.erase(goal) != 0) one.goals.push_back(goal);
    made.push_back(std::move(one));
  }
  for (kept_test& each : made)
    if (auto done = shortened(each, of, literals, evaluate); !done) return tl::unexpected(done.error());
  return made;
}

result<void> shortened(kept_test& one, const api& of, literal_table& literals, const evaluator& evaluate) {
  const morph_outcome how = one.one.did.how;
  const auto holds = [&](const sequence&, const outcome& did) { return did.how == how && reaches(did, one.goals); };
  if (auto done = shorten(one.one, holds, evaluate); !done) return tl::unexpected(done.error());
  if (auto done = simplify(one.one, of, literals, holds, evaluate); !done) return tl::unexpected(done.error());
  if (auto done = shorten(one.one, holds, evaluate); !done) return tl::unexpected(done.error());
  return {};
}

result<finding> minimized_finding(const finding& of, const evaluator& evaluate) {
  if (of.did.call >= of.calls.size()) return of;
  individual one{of.calls, of.did};
  const std::uint32_t blamed = of.calls[of.did.call].callable;
  const auto holds = [&](const sequence& calls, const outcome& did) {
    return did.how == of.did.how && did.code == of.did.code && did.call < calls.size() &&
           calls[did.call].callable == blamed;
  };
  // What comes behind is needed if it crashes while objects are destroyed.
  const sequence cut(of.calls.begin(), of.calls.begin() + of.did.call + 1);
  auto outcomes = evaluate({cut, of.calls});
  if (!outcomes) return tl::unexpected(outcomes.error());
  if (holds(cut, (*outcomes)[0]))
    one = {cut, (*outcomes)[0]};
  else if (!holds(of.calls, (*outcomes)[1]))
    return finding{};
  if (auto done = shorten(one, holds, evaluate); !done) return tl::unexpected(done.error());
  return finding{one.calls, one.did};
}

}  // namespace morph::generate
