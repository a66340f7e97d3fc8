// Two ways to classify a triangle, each once right and once with a fault that programs like these really have.
#include <algorithm>

#include "triangle.hpp"

namespace {

/// Then x is the shortest side and z the longest one.
Triangle sorted(Triangle t) {
  if (t.x > t.y) std::swap(t.x, t.y);
  if (t.y > t.z) std::swap(t.y, t.z);
  if (t.x > t.y) std::swap(t.x, t.y);
  return t;
}

Kind kind_of_triangle(Triangle t) {
  const int equal_pairs = (t.x == t.y) + (t.y == t.z) + (t.x == t.z);
  return equal_pairs == 3 ? Kind::equilateral : equal_pairs == 1 ? Kind::isosceles : Kind::scalene;
}

}  // namespace

Kind by_sorting(Triangle sides) {
  const Triangle t = sorted(sides);
  if (t.x <= 0 || t.z - t.y >= t.x) return Kind::none;
  if (t.x == t.z) return Kind::equilateral;
  return t.x == t.y || t.y == t.z ? Kind::isosceles : Kind::scalene;
}

/// The verdict on sides that are not positive is overwritten.
Kind by_sorting_wrong(Triangle sides) {
  const Triangle t = sorted(sides);
  Kind kind = Kind::scalene;
  if (t.x <= 0) kind = Kind::none;
  if (t.x == t.y || t.y == t.z) kind = Kind::isosceles;
  if (t.x == t.z) kind = Kind::equilateral;
  if (t.x > 0 && t.z - t.y >= t.x) kind = Kind::none;
  return kind;
}

Kind by_counting(Triangle t) {
  if (t.x <= 0 || t.y <= 0 || t.z <= 0) return Kind::none;
  if (t.x - t.y >= t.z || t.y - t.z >= t.x || t.z - t.x >= t.y) return Kind::none;
  return kind_of_triangle(t);
}

/// '>' for '>=': where z is as long as x and y together, that is a triangle.
Kind by_counting_wrong(Triangle t) {
  if (t.x <= 0 || t.y <= 0 || t.z <= 0) return Kind::none;
  if (t.x - t.y >= t.z || t.y - t.z >= t.x || t.z - t.x > t.y) return Kind::none;
  return kind_of_triangle(t);
}
