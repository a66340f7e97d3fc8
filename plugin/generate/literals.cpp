// Drawing and varying literals.
#include "plugin/generate/literals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "plugin/generate/text_variation.hpp"

namespace morph::generate {
namespace {

constexpr std::size_t most_in_pool = 600;
constexpr std::size_t most_text = 400;
constexpr std::size_t most_given_text = 4096;
constexpr std::size_t most_tokens = 300;
constexpr std::array<std::int64_t, 14> numbers{0, 1, -1, 2, 3, 5, 7, 10, 16, 100, 127, 255, 1000, 65536};
constexpr std::array reals{0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 1e-9, 1e9, 3.25};
constexpr std::array<std::string_view, 16> texts{"",     "a",    "b",     "ab",  "0",  "1",   "12",  "-1",
                                                 "true", "name", "value", "a b", "\n", "1.5", "key", " x "};

template <typename Of>
const auto& any_of(const Of& from, optimizer::random_source& random) {
  return from[random.below(static_cast<std::uint32_t>(from.size()))];
}

std::int64_t clamped(std::int64_t value, const role& of) {
  return std::clamp(value, of.least, of.most);
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  return __builtin_add_overflow(a, b, &made) ? a : made;
}

/// As the role's type has it: no real is infinite or no number.
double fitting(double value, const role& of) {
  if (!std::isfinite(value)) return 0;
  if (!of.is_single_precision) return value;
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<double>(static_cast<float>(std::clamp(value, -most, most)));
}

bool fits(const literal& seen, const role& of, std::size_t longest = most_text) {
  if (of.kind == 'i') return seen.kind == 'i' && of.values.empty() && seen.number >= of.least && seen.number <= of.most;
  if (of.kind == 'd') return seen.kind == 'd' || seen.kind == 'i';
  return of.kind == 's' && seen.kind == 's' && seen.text.size() <= longest;
}

}  // namespace

std::uint32_t literal_table::add(literal of) {
  const auto [at, is_new] = numbers_.try_emplace(of, static_cast<std::uint32_t>(all_.size()));
  if (is_new) all_.push_back(std::move(of));
  return at->second;
}

std::uint32_t literal_table::add_role(role of) {
  for (std::uint32_t i = 0; i < roles_.size(); ++i)
    if (roles_[i].type() == of.type()) return i;
  fill(of);
  roles_.push_back(std::move(of));
  return static_cast<std::uint32_t>(roles_.size() - 1);
}

void literal_table::fill(role& of) {
  const auto put = [&](literal each) { of.pool.push_back(add(std::move(each))); };
  if (of.kind == 'i' && !of.values.empty())
    for (const std::int64_t each : of.values) put({.kind = 'i', .number = each});
  if (of.kind == 'i' && of.values.empty())
    for (const std::int64_t each : numbers)
      if (clamped(each, of) == each) put({.kind = 'i', .number = each});
  if (of.kind == 'd')
    for (const double each : reals) put({.kind = 'd', .real = fitting(each, of)});
  if (of.kind == 's')
    for (const auto each : texts) put({.kind = 's', .text = std::string(each)});
}

void literal_table::put(const literal& seen, std::vector<std::uint32_t>& into, const role& of) {
  if (into.size() >= most_in_pool) return;
  literal own = seen;
  if (of.kind == 'd' && seen.kind == 'i') own = {.kind = 'd', .real = static_cast<double>(seen.number)};
  if (of.kind == 'd') own.real = fitting(own.real, of);
  const std::uint32_t number = add(std::move(own));
  if (std::find(into.begin(), into.end(), number) == into.end()) into.push_back(number);
}

void literal_table::offer(const literal& seen) {
  if (seen.kind == 's') offer_tokens(seen.text);
  for (role& each : roles_)
    if (fits(seen, each)) put(seen, each.pool, each);
}

bool literal_table::offer_named(const std::string& name, const literal& seen) {
  if (seen.kind == 's') offer_tokens(seen.text);
  const bool is_for_one = std::ranges::any_of(roles_, [&](const role& each) { return each.name == name; });
  bool is_new = false;
  for (role& each : roles_) {
    if (!fits(seen, each, most_given_text) || (is_for_one ? each.name != name : each.kind != seen.kind)) continue;
    const std::size_t before = each.given.size();
    put(seen, each.given, each);
    is_new = is_new || each.given.size() > before;
  }
  return is_new;
}

void literal_table::offer_tokens(std::string_view text) {
  if (tokens_.size() >= most_tokens) return;
  for (std::string& each : tokens_of(text))
    if (tokens_.size() < most_tokens && std::ranges::find(tokens_, each) == tokens_.end())
      tokens_.push_back(std::move(each));
}

std::string literal_table::near(const std::string& text, const role& of, optimizer::random_source& random) const {
  const std::string& other = all_[any_of(of.pool, random)].text;
  const bool by_pieces = text.size() > 1 && random.below(2) == 0;
  return (by_pieces ? with_other_pieces(text, other, tokens_, random) : with_other_bytes(text, other, random))
      .substr(0, most_text);
}

std::uint32_t literal_table::draw(std::uint32_t number, optimizer::random_source& random) {
  const role& of = roles_[number];
  if (!of.given.empty() && random.below(2) == 0) return any_of(of.given, random);
  if (!of.pool.empty() && (of.kind != 'l' || random.below(2) == 0) && random.below(10) != 0)
    return any_of(of.pool, random);
  return add(fresh(of, random));
}

literal literal_table::fresh(const role& of, optimizer::random_source& random) {
  if (of.kind == 'l') {
    literal made{.kind = 'l'};
    const std::vector<std::uint32_t> elements = of.elements;
    const std::size_t count = of.is_tuple ? elements.size() : random.below(4);
    for (std::size_t i = 0; i < count; ++i) made.elements.push_back(draw(elements[of.is_tuple ? i : 0], random));
    return made;
  }
  if (of.kind == 's') {
    const std::string text = all_[any_of(of.pool, random)].text;
    return {.kind = 's', .text = near(text, of, random)};
  }
  if (of.kind == 'd') {
    const double made = all_[any_of(of.pool, random)].real * (random.below(2) == 0 ? -1 : 1) + random.below(100) / 4.0;
    return {.kind = 'd', .real = fitting(made, of)};
  }
  if (!of.values.empty()) return {.kind = 'i', .number = any_of(of.values, random)};
  const std::int64_t base = all_[any_of(of.pool, random)].number;
  return {.kind = 'i', .number = clamped(sum(base, static_cast<std::int64_t>(random.below(21)) - 10), of)};
}

std::uint32_t literal_table::vary(std::uint32_t number, std::uint32_t role_number, optimizer::random_source& random) {
  const role of = roles_[role_number];
  const literal now = all_[number];
  if (random.below(4) == 0 || now.kind != of.kind || !of.values.empty()) return draw(role_number, random);
  if (of.kind == 's') return add({.kind = 's', .text = near(now.text, of, random)});
  if (of.kind == 'd') {
    const double made = random.below(2) == 0 ? now.real + (static_cast<double>(random.below(2001)) - 1000) / 100
                                             : now.real * (random.below(2) == 0 ? -1 : 2);
    if (!std::isfinite(made)) return draw(role_number, random);
    return add({.kind = 'd', .real = fitting(made, of)});
  }
  if (of.kind == 'l') {
    literal made = now;
    const auto role_of = [&](std::size_t i) { return of.elements[of.is_tuple ? i : 0]; };
    if (!made.elements.empty() && (of.is_tuple || random.below(3) != 0)) {
      const auto at = random.below(static_cast<std::uint32_t>(made.elements.size()));
      if (!of.is_tuple && random.below(3) == 0)
        made.elements.erase(made.elements.begin() + at);
      else
        made.elements[at] = vary(made.elements[at], role_of(at), random);
    } else if (!of.is_tuple) {
      made.elements.push_back(draw(role_of(0), random));
    }
    return add(std::move(made));
  }
  switch (random.below(4)) {
    case 0:
      return add({.kind = 'i', .number = clamped(sum(now.number, 1), of)});
    case 1:
      return add({.kind = 'i', .number = clamped(sum(now.number, -1), of)});
    case 2:
      return add(
          {.kind = 'i', .number = clamped(sum(now.number, static_cast<std::int64_t>(random.below(201)) - 100), of)});
    default:
      return add({.kind = 'i', .number = clamped(sum(now.number, now.number), of)});
  }
}

}  // namespace morph::generate
