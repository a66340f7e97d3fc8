// Puts the text of points into a source, and moves places of mutants with it.
#include "coverage/observation/points.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace morph::observation {
namespace {

enum class side : std::uint8_t { closing, between, opening };

struct insertion {
  std::uint32_t at = 0;
  side is = side::between;
  std::size_t point = 0;
  std::string text{};
};

std::string numbered(const std::string& text, std::uint32_t number) {
  std::string made;
  for (const char c : text) {
    if (c == '@')
      made += std::to_string(number);
    else
      made += c;
  }
  return made;
}

class shifter {
 public:
  shifter(std::span<const insertion> insertions, std::span<const point> points)
      : insertions_(insertions), points_(points) {
    std::uint32_t sum = 0;
    for (const insertion& each : insertions) {
      sums_.push_back(sum);
      sum += static_cast<std::uint32_t>(each.text.size());
    }
    sums_.push_back(sum);
  }

  /// Where what stands at [begin, end) begins now.
  std::uint32_t begin_of(std::uint32_t begin, std::uint32_t end) const {
    return shifted(begin,
                   [&](const insertion& each) { return each.is != side::opening || points_[each.point].end >= end; });
  }

  std::uint32_t end_of(std::uint32_t begin, std::uint32_t end) const {
    return shifted(
        end, [&](const insertion& each) { return each.is == side::closing && points_[each.point].begin > begin; });
  }

 private:
  std::uint32_t shifted(std::uint32_t offset, const auto& is_in_front) const {
    const auto first = std::ranges::lower_bound(insertions_, offset, {}, &insertion::at);
    std::uint32_t made = offset + sums_[static_cast<std::size_t>(first - insertions_.begin())];
    for (auto each = first; each != insertions_.end() && each->at == offset; ++each)
      if (is_in_front(*each)) made += static_cast<std::uint32_t>(each->text.size());
    return made;
  }

  std::span<const insertion> insertions_;
  std::span<const point> points_;
  std::vector<std::uint32_t> sums_;
};

bool is_in_front(const insertion& a, const insertion& b, std::span<const point> points) {
  if (a.at != b.at) return a.at < b.at;
  if (a.is != b.is) return a.is < b.is;
  const point &first = points[a.point], &second = points[b.point];
  if (a.is == side::closing && first.begin != second.begin) return first.begin > second.begin;
  if (a.is == side::opening && first.end != second.end) return first.end > second.end;
  return a.is == side::closing ? a.point > b.point : a.point < b.point;
}

std::vector<insertion> insertions_of(std::span<const point> points, std::span<const std::uint32_t> numbers) {
  std::vector<insertion> made;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const point& p = points[i];
    if (p.begin == p.end) {
      made.push_back({p.begin, side::between, i, numbered(p.before, numbers[i])});
      continue;
    }
    made.push_back({p.begin, side::opening, i, numbered(p.before, numbers[i])});
    made.push_back({p.end, side::closing, i, numbered(p.after, numbers[i])});
  }
  std::ranges::sort(made, [&](const insertion& a, const insertion& b) { return is_in_front(a, b, points); });
  return made;
}

}  // namespace

nlohmann::json to_json(const point& of) {
  return {of.begin, of.end, static_cast<int>(of.kind), of.before, of.after, of.text, of.type, of.line, of.column};
}

point point_of(const nlohmann::json& from) {
  return {from.at(0), from.at(1), static_cast<point_kind>(from.at(2).get<int>()),
          from.at(3), from.at(4), from.at(5),
          from.at(6), from.at(7), from.at(8)};
}

void put_in_order(std::vector<point>& points) {
  std::ranges::sort(points, [](const point& a, const point& b) {
    return std::tuple(a.begin, ~a.end, a.kind, a) < std::tuple(b.begin, ~b.end, b.kind, b);
  });
  std::vector<point> kept;
  std::vector<std::uint32_t> ends;  // of those around the next one
  for (point& each : points) {
    if (!kept.empty() && kept.back().begin == each.begin && kept.back().end == each.end &&
        kept.back().kind == each.kind)
      continue;
    while (!ends.empty() && ends.back() <= each.begin) ends.pop_back();
    if (!ends.empty() && ends.back() < each.end) continue;
    if (each.begin != each.end) ends.push_back(each.end);
    kept.push_back(std::move(each));
  }
  points = std::move(kept);
}

woven_source weave(std::string_view source, const mutation::file_places& places, std::span<const point> points,
                   std::span<const std::uint32_t> numbers) {
  const std::vector<insertion> insertions = insertions_of(points, numbers);
  woven_source made;
  made.spans.resize(points.size());
  std::uint32_t from = 0;
  for (const insertion& each : insertions) {
    made.text.append(source.substr(from, each.at - from));
    from = each.at;
    woven_span& span = made.spans[each.point];
    if (each.is != side::closing) span.begin = static_cast<std::uint32_t>(made.text.size());
    made.text.append(each.text);
    if (each.is != side::opening) span.end = static_cast<std::uint32_t>(made.text.size());
  }
  made.text.append(source.substr(from));

  const shifter shift(insertions, points);
  made.places = places;
  for (mutation::place& each : made.places.places) {
    const auto [begin, end] = std::pair(each.begin, each.end);
    each.begin = shift.begin_of(begin, end);
    each.end = shift.end_of(begin, end);
  }
  for (mutation::function_extent& each : made.places.functions) {
    const auto [begin, end, body] = std::tuple(each.begin, each.end, each.body);
    each.begin = shift.begin_of(begin, end);
    each.end = shift.end_of(body == 0 ? begin : body, end);
    if (body != 0) each.body = shift.begin_of(body, end);
  }
  return made;
}

std::optional<std::size_t> point_at(const woven_source& woven, std::uint32_t offset) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < woven.spans.size(); ++i) {
    const woven_span& span = woven.spans[i];
    if (span.begin > offset || offset >= span.end) continue;
    if (!found || span.end - span.begin <= woven.spans[*found].end - woven.spans[*found].begin) found = i;
  }
  return found;
}

}  // namespace morph::observation
