// The front as rows, and its picture.
#include "plugin/planning/pareto_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/writing/drawing.hpp"
#include "plugin/writing/saved_page.hpp"

namespace morph::planning {

namespace {

using nlohmann::json;
using selection::front_row;
using selection::plan_front;
using writing::point;

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

/// Where seconds and parts are in the picture.
constexpr double left = 64, right = 700, top = 56, bottom = 380;
struct axes {
  writing::scale seconds, parts{.least = 0, .most = 1, .from = bottom, .to = top};
  point at(double when, double part) const { return {seconds.at(when), parts.at(part)}; }
};

/// What is reached at each time: it stays until the next set is affordable.
template <typename Value>
std::string stairs(const plan_front& front, const axes& to, Value value) {
  const auto number = [](double value) { return writing::coordinate(value); };
  std::string path = fmt::format("M{} {}", number(to.at(0, 0).x), number(to.at(0, 0).y));
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const point p = to.at(front.rows[i].seconds, value(i));
    path += fmt::format("H{}V{}", number(p.x), number(p.y));
  }
  return path + fmt::format("H{}", number(right));
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
  return text + fmt::format(
                    "\nthe plan: {}, {:.4f} s, {:.2f} % of the changed lines that affected tests execute, {}{:.2f} "
                    "% of all lines; {}\n"
                    "at most: no set of tests in that time covers more of {}\n",
                    system::counted(front.chosen.tests, "test"), front.chosen.seconds, 100 * front.chosen.changed,
                    front.kills == 0 ? ""
                                     : fmt::format("{:.2f} % of the {} that they are known to kill, ",
                                                   100 * front.chosen.kills, system::counted(front.kills, "mutant")),
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
  const axes to{{.least = 0, .most = most > 0 ? 1.06 * most : 1, .from = left, .to = right}};
  writing::drawing picture(760, 440, R"(font-family="sans-serif" font-size="12")");
  picture.text({left, 24}, R"(font-size="15" fill="#1a1a1a")", title_of(front));
  picture.text({left, 42}, R"(fill="#666666")", base_text(p));
  for (int part = 0; part <= 100; part += 20) {
    const point at = to.at(0, part / 100.0);
    picture.line(at, {right, at.y}, R"(stroke="#e3e3e3")");
    picture.text({left - 8, at.y + 4}, R"(text-anchor="end" fill="#666666")", fmt::format("{} %", part));
  }
  const double step = writing::round_step(to.seconds.most);
  for (int i = 0; i * step <= to.seconds.most; ++i) {
    const point at = to.at(i * step, 0);
    picture.line(at, {at.x, bottom + 5}, R"(stroke="#999999")");
    picture.text({at.x, bottom + 20}, R"(text-anchor="middle" fill="#666666")", fmt::format("{:g}", i * step));
  }
  picture.text({right, bottom + 38}, R"(text-anchor="end" fill="#666666")", "seconds of tests");
  const auto draw = [&](auto value, std::string_view look) {
    picture.path(stairs(front, to, value), fmt::format(R"(fill="none" {})", look));
  };
  if (front.of_change)
    draw([&](std::size_t i) { return front.rows[i].lines; }, R"(stroke="#9a9a9a" stroke-width="1.5")");
  if (front.kills != 0)
    draw([&](std::size_t i) { return front.rows[i].kills; }, R"(stroke="#15803d" stroke-width="1.5")");
  draw([&](std::size_t i) { return front.at_most[i]; },
       R"(stroke="#c2410c" stroke-width="1.5" stroke-dasharray="5 4")");
  draw([&](std::size_t i) { return value_of(front, front.rows[i]); }, R"(stroke="#1d4ed8" stroke-width="2")");
  const point chosen = to.at(front.chosen.seconds, value_of(front, front.chosen));
  const bool is_right = chosen.x > (left + right) / 2;
  picture.circle(chosen, 6, R"(fill="#ffffff" stroke="#1d4ed8" stroke-width="2.5")");
  picture.text(
      {chosen.x + (is_right ? -4 : 4), chosen.y + 24},
      fmt::format(R"(text-anchor="{}" fill="#1a1a1a" stroke="#ffffff" stroke-width="4" paint-order="stroke")",
                  is_right ? "end" : "start"),
      fmt::format("the plan: {}, {:.3g} s", system::counted(front.chosen.tests, "test"), front.chosen.seconds));
  const auto explain = [&](double x, std::string_view colour, std::string_view dashes, std::string_view words) {
    picture.line({x, bottom + 48}, {x + 24, bottom + 48},
                 fmt::format(R"(stroke="{}" stroke-width="2" stroke-dasharray="{}")", colour, dashes));
    picture.text({x + 30, bottom + 52}, R"(fill="#1a1a1a")", words);
  };
  explain(left, "#1d4ed8", "none", what_counts(front));
  explain(left + 150, "#c2410c", "5 4", "no set covers more");
  if (front.kills != 0) explain(left + 320, "#15803d", "none", fmt::format("{} known kills", front.kills));
  if (front.of_change) explain(left + 490, "#9a9a9a", "none", "all lines");
  return picture.document();
}

std::string front_as_html(const full_plan& p) {
  return writing::saved_page(R"({"schema":"morph.saved/1","repository":"","screens":["optimizer"],)"
                             R"("documents":[{"arguments":["plan","--pareto"],"output":)" +
                             front_as_json(p) + "}]}");
}

}  // namespace morph::planning
