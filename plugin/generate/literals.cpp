// Drawing and varying literals.
#include "plugin/generate/literals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace morph::generate {
namespace {

constexpr std::size_t most_in_pool = 400;
constexpr std::size_t most_text = 400;
constexpr std::array<std::int64_t, 14> numbers{0, 1, -1, 2, 3, 5, 7, 10, 16, 100, 127, 255, 1000, 65536};
constexpr std::array reals{0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 1e-9, 1e9, 3.25};
constexpr std::array<std::string_view, 16> texts{"",     "a",    "b",     "ab",  "0",  "1",   "12",  "-1",
                                                 "true", "name", "value", "a b", "\n", "1.5", "key", " x "};
constexpr std::string_view characters = "abcxyzAZ019 \t\n.,:;-+*/=<>()[]{}'\"\\#&%!?_~|@$^`";

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

bool fits(const literal& seen, const role& of) {
  if (of.kind == 'i') return seen.kind == 'i' && of.values.empty() && seen.number >= of.least && seen.number <= of.most;
  if (of.kind == 'd') return seen.kind == 'd' || seen.kind == 'i';
  return of.kind == 's' && seen.kind == 's' && seen.text.size() <= most_text;
}

std::string varied(std::string text, const std::string& other, optimizer::random_source& random) {
  const auto at = random.below(static_cast<std::uint32_t>(text.size() + 1));
  const std::string one(1, any_of(characters, random));
  switch (random.below(text.empty() ? 2 : 7)) {
    case 0:
      return text.insert(at, one);
    case 1:
      return text.insert(at, other);
    case 2:
      return text.replace(std::min<std::size_t>(at, text.size() - 1), 1, one);
    case 3:
      return text.erase(std::min<std::size_t>(at, text.size() - 1), 1);
    case 4: {
      const auto end = at + random.below(static_cast<std::uint32_t>(text.size() - at + 1));
      return text.erase(at, end - at);
    }
    case 5: {
      const auto end = at + random.below(static_cast<std::uint32_t>(text.size() - at + 1));
      return text.insert(end, text.substr(at, end - at));
    }
    default:
      return text.substr(0, at) + other.substr(other.size() / 2);
  }
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

void literal_table::offer(const literal& seen) {
  for (role& each : roles_) {
    if (!fits(seen, each) || each.pool.size() >= most_in_pool) continue;
    literal own = seen;
    if (each.kind == 'd' && seen.kind == 'i') own = {.kind = 'd', .real = static_cast<double>(seen.number)};
    if (each.kind == 'd') own.real = fitting(own.real, each);
    const std::uint32_t number = add(std::move(own));
    if (std::find(each.pool.begin(), each.pool.end(), number) == each.pool.end()) each.pool.push_back(number);
  }
}

std::uint32_t literal_table::draw(std::uint32_t number, optimizer::random_source& random) {
  const role& of = roles_[number];
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
    const std::string a = all_[any_of(of.pool, random)].text, b = all_[any_of(of.pool, random)].text;
    return {.kind = 's', .text = varied(a, b, random).substr(0, most_text)};
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
  if (of.kind == 's') {
    const std::string other = all_[any_of(of.pool, random)].text;
    return add({.kind = 's', .text = varied(now.text, other, random).substr(0, most_text)});
  }
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
