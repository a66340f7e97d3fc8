// Unites what units say, puts it in order and settles overlaps.
#include "coverage/mutation/merge.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace morph::mutation {
namespace {

auto outer_first(const place& p) {
  return std::tuple(p.begin, ~p.end, p.kind, std::string_view(p.type));
}

auto by_extent(const function_extent& f) {
  return std::pair(f.begin, ~f.end);
}

void add_alternatives(std::vector<alternative>& to, const std::vector<alternative>& from) {
  for (const alternative& a : from) {
    const auto known = std::ranges::find(to, a.text, &alternative::text);
    if (known == to.end())
      to.push_back(a);
    else
      known->pure = known->pure && a.pure;
  }
}

void unite(place& into, const place& p) {
  add_alternatives(into.alternatives, p.alternatives);
  if (into.original.empty()) into.original = p.original;
}

template <typename Item>
void sort_and_unite(std::vector<Item>& items, auto key, auto unite) {
  std::ranges::stable_sort(items, [&](const Item& a, const Item& b) { return key(a) < key(b); });
  std::vector<Item> united;
  united.reserve(items.size());
  for (Item& item : items) {
    if (!united.empty() && key(united.back()) == key(item))
      unite(united.back(), item);
    else
      united.push_back(std::move(item));
  }
  items = std::move(united);
}

}  // namespace

void put_in_order(file_places& file) {
  std::ranges::sort(file.initial_values);
  const auto equal = std::ranges::unique(file.initial_values);
  file.initial_values.erase(equal.begin(), equal.end());
  for (auto* const places : {&file.places, &file.compile_time}) {
    for (place& p : *places) {
      std::vector<alternative> distinct;
      add_alternatives(distinct, p.alternatives);
      p.alternatives = std::move(distinct);
    }
    sort_and_unite(*places, outer_first, unite);
  }
  sort_and_unite(file.functions, by_extent, [](function_extent& into, const function_extent& f) {
    if (f.untouched.empty()) into.untouched.clear();  // what one instance of a template allows
    if (f.body != into.body) into.body = 0;
    into.is_constexpr = into.is_constexpr || f.is_constexpr;
  });
}

std::size_t settle_places(file_places& file) {
  const std::size_t before = file.places.size();
  // Of the same bytes, the place without a type, which fits any, comes first.
  std::vector<place> merged;
  for (place& p : file.places) {
    place* const last = merged.empty() ? nullptr : &merged.back();
    if (last != nullptr && last->kind == p.kind && last->begin == p.begin && last->end == p.end && last->type.empty()) {
      last->type = std::move(p.type);
      unite(*last, p);
    } else {
      merged.push_back(std::move(p));
    }
  }
  const std::size_t united = before - merged.size();

  std::vector<place> settled;
  std::vector<std::uint32_t> ends;  // of the places around
  for (place& p : merged) {
    while (!ends.empty() && ends.back() <= p.begin) ends.pop_back();
    if (!ends.empty() && p.end > ends.back()) continue;
    ends.push_back(p.end);
    std::ranges::sort(p.alternatives, [](const alternative& a, const alternative& b) {
      return std::tie(a.op, a.text) < std::tie(b.op, b.text);
    });
    settled.push_back(std::move(p));
  }
  file.places = std::move(settled);
  return before - united - file.places.size();
}

std::uint32_t mutants_at_compile_time(const file_places& file) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string_view>> run;
  for (const place& p : file.places)
    for (const alternative& a : p.alternatives) run.emplace(p.begin, p.end, a.text);
  std::uint32_t count = 0;
  for (const place& p : file.compile_time)
    for (const alternative& a : p.alternatives) count += run.contains({p.begin, p.end, a.text}) ? 0 : 1;
  return count;
}

}  // namespace morph::mutation
