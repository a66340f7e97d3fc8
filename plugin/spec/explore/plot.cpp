// The picture of an exploration of inputs that are two numbers: an SVG without scripts, and as a part of a page.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "morph/text.hpp"
#include "plugin/spec/explore/report.hpp"
#include "plugin/spec/report/saved_page.hpp"
#include "plugin/writing/drawing.hpp"

namespace morph::engine {
namespace {

using writing::point;

// The colours of Okabe and Ito, which people with colour blindness tell apart.
constexpr const char* colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#f0e442", "#999999"};
constexpr std::size_t number_of_colours = std::size(colours);
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double side = 560, margin = 60, legend = 220;

std::string shortly(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// The picture is shown in its own size, also where it is not part of a page.
std::string size_attributes() {
  return "width=\"" + writing::coordinate(side + 2 * margin + legend) + "\" height=\"" +
         writing::coordinate(side + 2 * margin) + "\" font-family=\"sans-serif\" font-size=\"13\"";
}

/// The names of both members, where reports show them.
std::array<std::string, 2> axes_of(const std::string& shown) {
  text::reader from(shown);
  std::array<std::string, 2> names;
  if (from.comes('{') && from.take('{') && from.name(names[0]) && from.take(':') && !from.value().empty() &&
      from.take(',') && from.name(names[1]))
    return names;
  return {};
}

struct exploration_map {
  std::vector<std::pair<point, std::uint32_t>> cases{};  // where searches began, and of which class
  std::vector<point> borders{};
  point least{infinite, infinite}, most{-infinite, -infinite};
};

exploration_map map_of(session& of, const explore_options& how, const explored& found, std::string& error) {
  exploration_map made;
  const auto at = [&](case_index c) {
    point place{0, 0};
    const std::string text = of.spec().text_of_input(of.cases().input(c));
    if (!read_point(text, place.x, place.y) && error.empty())
      error = "a picture needs inputs that are two numbers, [x, y] or {\"x\": 1, \"y\": 2} as text, and there is " +
              text.substr(0, 60);
    made.least = {std::min(made.least.x, place.x), std::min(made.least.y, place.y)};
    made.most = {std::max(made.most.x, place.x), std::max(made.most.y, place.y)};
    return place;
  };
  for (const case_index c : how.starts) {
    const input_index in = of.cases().input(c);
    made.cases.push_back({at(c), in < found.class_of_input.size() ? found.class_of_input[in] : no_class});
  }
  for (const border_pair& each : found.borders) {
    const point a = at(each.a), b = at(each.b);
    made.borders.push_back({a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2});
  }
  return made;
}

void write_place(const point& place, std::string& to) {
  to += to.back() == '[' ? "[" : ",[";
  text::write_floating(to, place.x);
  to += ',';
  text::write_floating(to, place.y);
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
  const auto [cases, borders, least, most] = map_of(of, how, found, error);
  if (!error.empty()) return {};
  const writing::scale across{least.x, most.x, margin, margin + side}, up{least.y, most.y, margin + side, margin};
  writing::drawing picture(side + 2 * margin + legend, side + 2 * margin, size_attributes());
  picture.text({60, 30}, "font-size=\"15\"",
               of.spec().name() + ": " + std::to_string(found.borders.size()) + " border pairs, " +
                   exploration_name(how.method) + ", seed " + std::to_string(how.seed));
  picture.rectangle({margin, margin}, side, side, "fill=\"none\" stroke=\"#888\"");
  constexpr const char* at_end = "text-anchor=\"end\"";
  const double below = margin + side + 20;
  picture.text({margin, below}, "", shortly(least.x));
  picture.text({margin + side, below}, at_end, shortly(most.x));
  picture.text({margin - 6, margin + side}, at_end, shortly(least.y));
  picture.text({margin - 6, margin + 10}, at_end, shortly(most.y));
  const auto names = axes_of(of.spec().show_input(of.cases().input(how.starts.front())));
  picture.text({margin + side / 2, below}, "text-anchor=\"middle\"", names[0]);
  picture.upward_text({margin - 30, margin + side / 2}, names[1]);
  const auto filled_with = [](const char* colour) { return "fill=\"" + std::string(colour) + '"'; };
  for (const auto& [where, which] : cases)
    picture.circle({across.at(where.x), up.at(where.y)}, 4,
                   filled_with(which < found.classes.size() ? colours[which % number_of_colours] : "#dddddd"));
  for (const point& each : borders) picture.circle({across.at(each.x), up.at(each.y)}, 2, filled_with("black"));
  double line = margin + 10;
  const auto explain = [&](const char* colour, double radius, const std::string& what) {
    picture.circle({margin + side + 24, line - 4}, radius, filled_with(colour));
    picture.text({margin + side + 36, line}, "", what);
    line += 20;
  };
  explain("black", 2, "border");
  for (std::size_t k = 0; k < found.classes.size() && k < 20; ++k)
    explain(colours[k % number_of_colours], 4,
            found.classes[k].is_exception
                ? "an exception"
                : of.spec().show_output(how.executer, 0, found.classes[k].example).substr(0, 24));
  return picture.document();
}

std::string explore_page(session& of, const explore_options& how, const explored& found) {
  std::string json = explore_json(of, how, found), error;
  const exploration_map map = map_of(of, how, found, error);
  if (error.empty()) {
    json.resize(json.rfind('}'));
    const auto names = axes_of(of.spec().show_input(of.cases().input(how.starts.front())));
    json += ",\"map\":{\"axes\":[";
    text::write_string(json, names[0]);
    json += ',';
    text::write_string(json, names[1]);
    json += "],\"cases\":[";
    for (const auto& [place, which] : map.cases) {
      write_place(place, json);
      json += "," + (which < found.classes.size() ? std::to_string(which) : "null") + "]";
    }
    json += "],\"borders\":[";
    for (const point& place : map.borders) {
      write_place(place, json);
      json += ']';
    }
    json += "]}}";
  }
  return result_page("exploration", {"spec", "explore", "--spec", of.spec().name(), "--seed", std::to_string(how.seed)},
                     json);
}

}  // namespace morph::engine
