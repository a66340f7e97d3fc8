// The picture of an exploration of inputs that are two numbers: an SVG without scripts.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "morph/text.hpp"
#include "plugin/spec/explore/report.hpp"

namespace morph::engine {
namespace {

// The colours of Okabe and Ito, which people with colour blindness tell apart.
constexpr const char* colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#f0e442", "#999999"};
constexpr std::size_t number_of_colours = std::size(colours);
constexpr double side = 560, margin = 60, legend = 220;

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '<')
      made += "&lt;";
    else if (c == '&')
      made += "&amp;";
    else if (static_cast<unsigned char>(c) >= ' ')
      made += c;
  }
  return made;
}

template <typename... A>
std::string formatted(const char* format, A... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

struct point {
  double x, y;
};

/// The names of both members, where reports show them.
std::array<std::string, 2> axes_of(const std::string& shown) {
  text::reader from(shown);
  std::array<std::string, 2> names;
  if (from.comes('{') && from.take('{') && from.name(names[0]) && from.take(':') && !from.value().empty() &&
      from.take(',') && from.name(names[1]))
    return names;
  return {};
}

}  // namespace

bool read_point(const std::string& written, double& x, double& y) {
  text::reader from(written);
  const auto number = [&](double& to) { return text::read_number(from, to) && std::isfinite(to); };
  if (from.comes('['))
    return from.take('[') && number(x) && from.take(',') && number(y) && from.take(']') && from.end();
  std::string name;
  return from.take('{') && from.name(name) && from.take(':') && number(x) && from.take(',') && from.name(name) &&
         from.take(':') && number(y) && from.take('}') && from.end();
}

std::string explore_plot(session& of, const explore_options& how, const explored& found, std::string& error) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  point least{infinite, infinite}, most{-infinite, -infinite};
  const auto at = [&](case_index c) {
    point made{0, 0};
    const std::string text = of.spec().text_of_input(of.cases().input(c));
    if (!read_point(text, made.x, made.y) && error.empty())
      error = "a picture needs inputs that are two numbers, [x, y] or {\"x\": 1, \"y\": 2} as text, and there is " +
              text.substr(0, 60);
    least = {std::min(least.x, made.x), std::min(least.y, made.y)};
    most = {std::max(most.x, made.x), std::max(most.y, made.y)};
    return made;
  };
  std::vector<std::pair<point, std::uint32_t>> cases;
  std::vector<point> borders;
  for (const case_index c : how.starts) {
    const input_index in = of.cases().input(c);
    const std::uint32_t which = in < found.class_of_input.size() ? found.class_of_input[in] : no_class;
    cases.push_back({at(c), which});
  }
  for (const border_pair& each : found.borders) {
    const point a = at(each.a), b = at(each.b);
    borders.push_back({a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2});
  }
  if (!error.empty()) return {};
  const auto wide = [](double from, double to) { return to > from ? to - from : 1; };
  const auto place = [&](const point& p) {
    return point{margin + side * (p.x - least.x) / wide(least.x, most.x),
                 margin + side - side * (p.y - least.y) / wide(least.y, most.y)};
  };

  std::string svg = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      side + 2 * margin + legend, side + 2 * margin);
  svg += "<text x=\"60\" y=\"30\" font-size=\"15\">" +
         escaped(of.spec().name() + ": " + std::to_string(found.borders.size()) + " border pairs, " +
                 exploration_name(how.strategy) + ", seed " + std::to_string(how.seed)) +
         "</text>\n";
  svg += formatted("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n", margin,
                   margin, side, side);
  const double below = margin + side + 20;
  svg += formatted("<text x=\"%g\" y=\"%g\">%.4g</text>\n", margin, below, least.x) +
         formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.4g</text>\n", margin + side, below, most.x) +
         formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.4g</text>\n", margin - 6, margin + side, least.y) +
         formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.4g</text>\n", margin - 6, margin + 10, most.y);
  const auto [across, up] = axes_of(of.spec().show_input(of.cases().input(how.starts.front())));
  svg += formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">", margin + side / 2, below) + escaped(across) +
         "</text>\n" +
         formatted("<text transform=\"translate(%g %g) rotate(-90)\" text-anchor=\"middle\">", margin - 30,
                   margin + side / 2) +
         escaped(up) + "</text>\n";
  for (const auto& [where, which] : cases) {
    const point p = place(where);
    svg += formatted("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"%s\"/>\n", p.x, p.y,
                     which < found.classes.size() ? colours[which % number_of_colours] : "#dddddd");
  }
  for (const point& each : borders) {
    const point p = place(each);
    svg += formatted("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\" fill=\"black\"/>\n", p.x, p.y);
  }
  double line = margin + 10;
  const auto explain = [&](const char* colour, double radius, const std::string& what) {
    svg +=
        formatted("<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"%s\"/>", margin + side + 24, line - 4, radius, colour) +
        formatted("<text x=\"%g\" y=\"%g\">", margin + side + 36, line) + escaped(what) + "</text>\n";
    line += 20;
  };
  explain("black", 2, "border");
  for (std::size_t k = 0; k < found.classes.size() && k < 20; ++k)
    explain(colours[k % number_of_colours], 4,
            found.classes[k].is_exception
                ? "an exception"
                : of.spec().show_output(how.executer, 0, found.classes[k].example).substr(0, 24));
  return svg + "</svg>\n";
}

}  // namespace morph::engine
