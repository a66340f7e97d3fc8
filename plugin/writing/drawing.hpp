// Charts as SVG documents without scripts: scales, lines, marks, texts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace morph::writing {

struct point {
  double x = 0, y = 0;
};

/// From values to places: `least` is at `from`, `most` at `to`. If both are equal, all values that are least are at
/// `from`.
struct scale {
  double least = 0, most = 1;
  double from = 0, to = 1;
  double at(double value) const { return from + (to - from) * (value - least) / (most > least ? most - least : 1); }
};

/// 1, 2 or 5 times a power of ten, so that there are four to ten steps from 0 to `most`, which is above 0.
double round_step(double most);

/// As a coordinate: two digits behind the point at most.
std::string coordinate(double value);

/// An SVG document in the making. `attributes` are those of the element beside its places, as they are written there.
class drawing {
 public:
  /// `attributes` of the document; it has the size as its `viewBox` and is white.
  drawing(double width, double height, std::string_view attributes);

  void line(point from, point to, std::string_view attributes);
  void rectangle(point corner, double width, double height, std::string_view attributes);
  void circle(point centre, double radius, std::string_view attributes);
  /// By commands of SVG: "M0 0H1".
  void path(std::string_view commands, std::string_view attributes);
  /// `title`: what a browser shows where the pointer is.
  void polygon(std::span<const point> corners, std::string_view attributes, std::string_view title);
  /// Escaped here.
  void text(point at, std::string_view attributes, std::string_view words);
  /// From below to above, around its middle.
  void upward_text(point middle, std::string_view words);

  std::string document() const { return svg_ + "</svg>\n"; }

 private:
  void add(std::string_view element, std::string_view places, std::string_view attributes);

  std::string svg_;
};

}  // namespace morph::writing
