// Elements of SVG.
#include "plugin/writing/drawing.hpp"

#include <cmath>
#include <cstdio>

#include "plugin/writing/markup.hpp"

namespace morph::writing {
namespace {

std::string place(std::string_view name, double value) {
  return std::string(name) + "=\"" + coordinate(value) + '"';
}

std::string places(point at, std::string_view x, std::string_view y) {
  return place(x, at.x) + ' ' + place(y, at.y);
}

}  // namespace

double round_step(double most) {
  const double unit = std::pow(10, std::floor(std::log10(most / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (most / (unit * factor) <= 8) return unit * factor;
  return unit * 10;
}

std::string coordinate(double value) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%.2f", value);
  std::string made(text, static_cast<std::size_t>(size));
  made.erase(made.find_last_not_of('0') + 1);
  if (made.back() == '.') made.pop_back();
  return made == "-0" ? "0" : made;
}

drawing::drawing(double width, double height, std::string_view attributes) {
  svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(width) + ' ' + coordinate(height) +
         "\" " + std::string(attributes) + ">\n";
  rectangle({0, 0}, width, height, "fill=\"#ffffff\"");
}

void drawing::add(std::string_view element, std::string_view where, std::string_view attributes) {
  svg_.append("<").append(element).append(" ").append(where);
  if (!attributes.empty()) svg_.append(" ").append(attributes);
}

void drawing::line(point from, point to, std::string_view attributes) {
  add("line", places(from, "x1", "y1") + ' ' + places(to, "x2", "y2"), attributes);
  svg_ += "/>\n";
}

void drawing::rectangle(point corner, double width, double height, std::string_view attributes) {
  add("rect", places(corner, "x", "y") + ' ' + place("width", width) + ' ' + place("height", height), attributes);
  svg_ += "/>\n";
}

void drawing::circle(point centre, double radius, std::string_view attributes) {
  add("circle", places(centre, "cx", "cy") + ' ' + place("r", radius), attributes);
  svg_ += "/>\n";
}

void drawing::path(std::string_view commands, std::string_view attributes) {
  add("path", "d=\"" + std::string(commands) + '"', attributes);
  svg_ += "/>\n";
}

void drawing::polygon(std::span<const point> corners, std::string_view attributes, std::string_view title) {
  std::string all;
  for (const point& each : corners) all += (all.empty() ? "" : " ") + coordinate(each.x) + ',' + coordinate(each.y);
  add("polygon", "points=\"" + all + '"', attributes);
  svg_ += "><title>" + escaped(title) + "</title></polygon>\n";
}

void drawing::text(point at, std::string_view attributes, std::string_view words) {
  add("text", places(at, "x", "y"), attributes);
  svg_ += ">" + escaped(words) + "</text>\n";
}

void drawing::upward_text(point middle, std::string_view words) {
  svg_ += "<text transform=\"translate(" + coordinate(middle.x) + ' ' + coordinate(middle.y) +
          ") rotate(-90)\" text-anchor=\"middle\">" + escaped(words) + "</text>\n";
}

}  // namespace morph::writing
