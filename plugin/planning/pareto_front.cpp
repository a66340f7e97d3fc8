#include "plugin/planning/pareto_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/planning/plan_print.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;
using selection::front_row;
using selection::plan_front;

const char* title_of(const plan_front& front) {
  return front.kills == 0 ? "Time against coverage of the change"
                          : "Time against coverage of the change, and known kills";
}
const char* what_counts(const plan_front& front) {
  return front.of_change ? "changed lines" : "all lines";
}
double value_of(const plan_front& front, const front_row& row) {
  return front.of_change ? row.changed : row.lines;
}

struct place {
  double x, y;
};

/// Where seconds and parts are in the picture.
struct axes {
  static constexpr double left = 64, right = 700, top = 56, bottom = 380;
  double most_seconds;
  place at(double seconds, double part) const {
    return {left + (right - left) * seconds / most_seconds, bottom - (bottom - top) * part};
  }
};

/// 1, 2 or 5 times a power of ten, so that there are four to ten steps.
double step_for(double most) {
  const double unit = std::pow(10, std::floor(std::log10(most / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (most / (unit * factor) <= 8) return unit * factor;
  return unit * 10;
}

/// What is reached at each time: it stays until the next set is affordable.
template <typename Value>
std::string stairs(const plan_front& front, const axes& to, Value value) {
  std::string path = fmt::format("M{:.1f} {:.1f}", to.at(0, 0).x, to.at(0, 0).y);
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const place p = to.at(front.rows[i].seconds, value(i));
    path += fmt::format("H{:.1f}V{:.1f}", p.x, p.y);
  }
  return path + fmt::format("H{:.1f}", axes::right);
}

std::string row_text(const plan_front& front, std::size_t i) {
  const front_row& row = front.rows[i];
  const std::string kills = front.kills == 0 ? "" : fmt::format("  {:>10.2f}", 100 * row.kills);
  return fmt::format("{:>10.4f}  {:>6}  {:>10.2f}  {:>10.2f}{}  {:>10.2f}\n", row.seconds, row.tests, 100 * row.changed,
                     100 * front.at_most[i], kills, 100 * row.lines);
}

json as_json(const plan_front& front, const front_row& row) {
  json made{{"seconds", row.seconds}, {"tests", row.tests}, {"changed", row.changed}, {"lines", row.lines}};
  if (front.kills != 0) made["kills"] = row.kills;
  return made;
}

}  // namespace

std::string front_as_text(const full_plan& p) {
  const plan_front front = front_of(p.request, p.plan);
  std::string text;
  for (const std::string& note : p.notes) text += fmt::format("note: {}\n", note);
  if (front.rows.empty()) return text + "no test that has a reason to run covers anything: there is nothing to weigh\n";
  text += fmt::format("{:>10}  {:>6}  {:>10}  {:>10}{}  {:>10}\n", "seconds", "tests", "% of change",
                      front.of_change ? "at most" : "", front.kills == 0 ? "" : fmt::format("  {:>10}", "% of kills"),
                      "% of lines");
  for (std::size_t i = 0; i < front.rows.size(); ++i) text += row_text(front, i);
  return text +
         fmt::format(
             "\nthe plan: {} tests, {:.4f} s, {:.2f} % of the changed lines that affected tests execute, {}{:.2f} "
             "% of all lines; {}\n"
             "at most: no set of tests in that time covers more of {}\n",
             front.chosen.tests, front.chosen.seconds, 100 * front.chosen.changed,
             front.kills == 0 ? ""
                              : fmt::format("{:.2f} % of the {} mutants that they are known to kill, ",
                                            100 * front.chosen.kills, front.kills),
             100 * front.chosen.lines, base_text(p), what_counts(front));
}

std::string front_as_json(const full_plan& p) {
  const plan_front front = front_of(p.request, p.plan);
  json rows = json::array();
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    rows.push_back(as_json(front, front.rows[i]));
    rows.back()["at_most"] = front.at_most[i];
  }
  return json{{"schema", contract::front_schema},
              {"of", front.of_change ? "changed" : "lines"},
              {"plan", as_json(front, front.chosen)},
              {"kills", front.kills},
              {"rows", rows},
              {"notes", p.notes}}
             .dump(1, ' ', false, json::error_handler_t::replace) +
         "\n";
}

std::string front_as_svg(const full_plan& p) {
  const plan_front front = front_of(p.request, p.plan);
  double most = front.chosen.seconds;
  for (const front_row& row : front.rows) most = std::max(most, row.seconds);
  const axes to{most > 0 ? 1.06 * most : 1};
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 440\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"760\" height=\"440\" fill=\"#ffffff\"/>\n";
  svg += fmt::format(
      "<text x=\"{}\" y=\"24\" font-size=\"15\" fill=\"#1a1a1a\">{}</text>\n"
      "<text x=\"{}\" y=\"42\" fill=\"#666666\">{}</text>\n",
      axes::left, title_of(front), axes::left, base_text(p));
  for (int part = 0; part <= 100; part += 20) {
    const place at = to.at(0, part / 100.0);
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#e3e3e3\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\" fill=\"#666666\">{5} %</text>\n",
        axes::left, axes::right, at.y, axes::left - 8, at.y + 4, part);
  }
  const double step = step_for(to.most_seconds);
  for (int i = 0; i * step <= to.most_seconds; ++i) {
    const place at = to.at(i * step, 0);
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#999999\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#666666\">{4:g}</text>\n",
        at.x, axes::bottom, axes::bottom + 5, axes::bottom + 20, i * step);
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#666666\">seconds of tests</text>\n",
                     axes::right, axes::bottom + 38);
  if (front.of_change)
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#9a9a9a\" stroke-width=\"1.5\"/>\n",
                       stairs(front, to, [&](std::size_t i) { return front.rows[i].lines; }));
  if (front.kills != 0)
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#15803d\" stroke-width=\"1.5\"/>\n",
                       stairs(front, to, [&](std::size_t i) { return front.rows[i].kills; }));
  svg += fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"#c2410c\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>\n"
      "<path d=\"{}\" fill=\"none\" stroke=\"#1d4ed8\" stroke-width=\"2\"/>\n",
      stairs(front, to, [&](std::size_t i) { return front.at_most[i]; }),
      stairs(front, to, [&](std::size_t i) { return value_of(front, front.rows[i]); }));
  const place chosen = to.at(front.chosen.seconds, value_of(front, front.chosen));
  const bool is_right = chosen.x > (axes::left + axes::right) / 2;
  svg += fmt::format(
      "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"6\" fill=\"#ffffff\" stroke=\"#1d4ed8\" stroke-width=\"2.5\"/>"
      "<text x=\"{2:.1f}\" y=\"{3:.1f}\" text-anchor=\"{4}\" fill=\"#1a1a1a\" stroke=\"#ffffff\" stroke-width=\"4\" "
      "paint-order=\"stroke\">the plan: {5} tests, {6:.3g} s</text>\n",
      chosen.x, chosen.y, chosen.x + (is_right ? -4 : 4), chosen.y + 24, is_right ? "end" : "start", front.chosen.tests,
      front.chosen.seconds);
  const auto legend = [&](double x, const char* colour, const char* dashes, const std::string& text) {
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{3}\" stroke-width=\"2\" stroke-dasharray=\"{4}\"/>"
        "<text x=\"{5}\" y=\"{6}\" fill=\"#1a1a1a\">{7}</text>\n",
        x, x + 24, axes::bottom + 48, colour, dashes, x + 30, axes::bottom + 52, text);
  };
  legend(axes::left, "#1d4ed8", "none", what_counts(front));
  legend(axes::left + 150, "#c2410c", "5 4", "no set covers more");
  if (front.kills != 0) legend(axes::left + 320, "#15803d", "none", fmt::format("{} known kills", front.kills));
  if (front.of_change) legend(axes::left + 490, "#9a9a9a", "none", "all lines");
  return svg + "</svg>\n";
}

std::string front_as_html(const full_plan& p) {
  const plan_front front = front_of(p.request, p.plan);
  std::string page = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{}</title>\n",
                                 title_of(front));
  page +=
      "<style>body{font-family:sans-serif;max-width:860px;margin:2em auto;color:#1a1a1a;background:#fff}"
      "table{border-collapse:collapse}td,th{padding:.2em 1em;text-align:right;border-bottom:1px solid "
      "#e3e3e3}</style>\n";
  page += front_as_svg(p);
  const bool has_kills = front.kills != 0;
  page += fmt::format("<table>\n<tr><th>seconds<th>tests<th>% of change<th>at most{}<th>% of all lines</tr>\n",
                      has_kills ? "<th>% of known kills" : "");
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const front_row& row = front.rows[i];
    page += fmt::format("<tr><td>{:.4f}<td>{}<td>{:.2f}<td>{:.2f}{}<td>{:.2f}</tr>\n", row.seconds, row.tests,
                        100 * row.changed, 100 * front.at_most[i],
                        has_kills ? fmt::format("<td>{:.2f}", 100 * row.kills) : "", 100 * row.lines);
  }
  return page + "</table>\n</html>\n";
}

}  // namespace morph::planning
