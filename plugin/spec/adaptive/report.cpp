// Reports on adaptive execution.
#include "plugin/spec/adaptive/report.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "morph/text.hpp"
#include "plugin/spec/adaptive/options.hpp"
#include "plugin/writing/drawing.hpp"

namespace morph::engine {
namespace {

constexpr std::size_t most_rows = 40;
/// So many steps of a partition in a row to which nothing applied are told.
constexpr std::uint64_t many_idle_steps = 100;
constexpr const char* why_nothing_applies =
    "a guard or the relation itself says that it is not applicable, or runs gave no output";

template <typename... Values>
std::string printed(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string measure_text(const std::optional<std::uint64_t>& measure) {
  return measure ? std::to_string(*measure) : std::string("-");
}

double microseconds_a_step(double seconds, const adaptive_summary& found) {
  const std::uint64_t steps = found.steps - found.resumed;
  return steps == 0 ? 0 : seconds * 1e6 / static_cast<double>(steps);
}

std::string rule_name(const spec_base& spec, std::size_t rule) {
  const declared_rule& of = spec.rules()[rule];
  return spec.relations()[of.relation].name + " [" + spec.datamorphisms()[of.datamorphism].name + "]";
}

std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

const probabilities& last_profile(const adaptive_summary& found) {
  static const probabilities none;
  return found.over_time.empty() ? none : found.over_time.back().profile;
}

void add_tally(std::string& to, const tally& of) {
  to += ",\"tests\":" + std::to_string(of.checked() + of.not_applicable) +
        ",\"violations\":" + std::to_string(of.failed) + ",\"not_applicable\":" + std::to_string(of.not_applicable);
}

void add_measure(std::string& to, const char* name, const std::optional<std::uint64_t>& measure) {
  to += std::string(",\"") + name + "\":" + (measure ? std::to_string(*measure) : "null");
}

void add_real(std::string& to, const char* name, double number) {
  to += std::string(",\"") + name + "\":";
  text::write_number(to, number);
}

}  // namespace

std::vector<std::string> adaptive_warnings(session& of, const adaptive_summary& found) {
  std::vector<std::string> made;
  for (std::size_t k = 0; k < of.spec().relations().size(); ++k) {
    tally all;
    for (const tally& each : of.report().tallies[k]) all.add(each);
    if (all.checked() == 0 && all.not_applicable > 0)
      made.push_back("\"" + of.spec().relations()[k].name + "\" never applied to any of " +
                     std::to_string(all.not_applicable) + (all.not_applicable == 1 ? " case: " : " cases: ") +
                     why_nothing_applies);
  }
  std::size_t left = 0;
  for (std::size_t p = 0; p < found.idle.size(); ++p) {
    if (found.idle[p] < many_idle_steps) continue;
    if (made.size() >= most_rows && ++left > 0) continue;
    const tally& of_it = found.by_partition[p];
    const std::string tests = std::to_string(of_it.checked() + of_it.not_applicable) + " tests";
    made.push_back("in the partition '" + found.partitions[p] + "' " +
                   (of_it.checked() == 0 ? "no relation applied to any of " + tests
                                         : "relations applied to " + std::to_string(of_it.checked()) + " of " + tests +
                                               ", and to none of " + std::to_string(found.idle[p]) + " in a row") +
                   ": " + why_nothing_applies +
                   "; declare a relation that applies there, or leave such inputs out of the seeds");
  }
  if (left > 0) made.push_back("so it is in " + std::to_string(left) + " more partitions");
  return made;
}

std::string adaptive_text(session& of, const options& how, const adaptive_options& by, const adaptive_summary& found,
                          const report_style& style) {
  const spec_base& spec = of.spec();
  const report& r = of.report();
  std::string text;
  if (!style.quiet) {
    text += spec.name() + ": " + std::to_string(found.steps) + (found.steps == 1 ? " step" : " steps");
    if (found.resumed > 0) text += " (" + std::to_string(found.resumed) + " of the log)";
    if (spec.executers().size() > 1) text += " of the executer " + spec.executers()[by.executer].name;
    text += ", " + std::to_string(found.violations) + (found.violations == 1 ? " violation" : " violations") +
            "; sources " + name_of(by.sources) + ", relations " + name_of(by.relations) + ", seed " +
            std::to_string(how.seed) + printed(", %.2f s\n", r.seconds);
    if (!found.stopped.empty()) text += "  stopped by " + found.stopped + "\n";
    text += "  F-measure " + measure_text(found.f) + ", F2-measure " + measure_text(found.f2) + ", T-measure " +
            measure_text(found.t) + "\n";
    text += printed("  microseconds a step: selection %.2f, sources and follow-ups %.2f, runs and checks %.2f\n",
                    microseconds_a_step(found.selecting, found), microseconds_a_step(found.making, found),
                    microseconds_a_step(found.running, found));
    if (spec.categories().empty() && by.relations == relation_choice::pbmr)
      text += "  it declares no partitions and no categories, so that each relation is as likely\n";
    std::vector<std::size_t> order(found.partitions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const probabilities& last = last_profile(found);
    if (order.size() > most_rows)
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return last[a] > last[b]; });
    std::size_t width = 9;
    for (const std::string& each : found.partitions) width = std::max(width, std::min<std::size_t>(each.size(), 60));
    for (std::size_t r2 = 0; r2 < found.by_rule.size(); ++r2)
      if (spec.rules()[r2].about == scope::datamorphism)
        width = std::max(width, std::min<std::size_t>(rule_name(spec, r2).size(), 60));
    const int columns = static_cast<int>(width);
    text += printed("  %-*s %10s %10s %8s %9s\n", columns, "partition", "tests", "violations", "n/a", "profile");
    for (std::size_t i = 0; i < order.size() && i < most_rows; ++i) {
      const tally& t = found.by_partition[order[i]];
      const std::string name = cut(found.partitions[order[i]], 60);
      if (!found.has_seeds[order[i]])
        text += printed("  %-*s no seed lies in it\n", columns, name.c_str());
      else
        text += printed("  %-*s %10llu %10llu %8llu %9.4f\n", columns, name.c_str(),
                        static_cast<unsigned long long>(t.checked() + t.not_applicable),
                        static_cast<unsigned long long>(t.failed), static_cast<unsigned long long>(t.not_applicable),
                        last[order[i]]);
    }
    if (order.size() > most_rows) text += "  and " + std::to_string(order.size() - most_rows) + " more\n";
    text += printed("  %-*s %10s %10s %8s\n", columns, "relation", "tests", "violations", "n/a");
    for (std::size_t r2 = 0; r2 < found.by_rule.size(); ++r2) {
      const tally& t = found.by_rule[r2];
      if (spec.rules()[r2].about != scope::datamorphism || !of.is_wanted(spec.rules()[r2].datamorphism)) continue;
      text += printed("  %-*s %10llu %10llu %8llu\n", columns, cut(rule_name(spec, r2), 60).c_str(),
                      static_cast<unsigned long long>(t.checked() + t.not_applicable),
                      static_cast<unsigned long long>(t.failed), static_cast<unsigned long long>(t.not_applicable));
    }
  }
  const std::string warning = style.colours ? "\x1b[33mwarning\x1b[0m: " : "warning: ";
  for (const std::string& each : adaptive_warnings(of, found)) text += warning + spec.name() + ": " + each + "\n";
  for (const std::string& each : r.broken) text += "broken: " + spec.name() + ": " + each + "\n";
  for (const violation& each : r.violations) text += "\n" + violation_text(of, each, style);
  return text;
}

std::string adaptive_json(session& of, const options& how, const adaptive_options& by, const adaptive_summary& found) {
  const spec_base& spec = of.spec();
  std::string to = ",\"adaptive\":{\"sources\":\"" + std::string(name_of(by.sources)) + "\",\"relations\":\"" +
                   name_of(by.relations) + "\",\"executer\":";
  text::write_string(to, spec.executers()[by.executer].name);
  add_real(to, "epsilon", by.with.epsilon);
  add_real(to, "delta", by.with.delta);
  add_real(to, "gamma", by.with.gamma);
  add_real(to, "tau", by.with.tau);
  add_real(to, "floor", by.with.floor);
  to += ",\"steps\":" + std::to_string(found.steps) + ",\"resumed\":" + std::to_string(found.resumed) +
        ",\"violations\":" + std::to_string(found.violations);
  add_measure(to, "f_measure", found.f);
  add_measure(to, "f2_measure", found.f2);
  add_measure(to, "t_measure", found.t);
  add_real(to, "selection_us_per_step", microseconds_a_step(found.selecting, found));
  add_real(to, "making_us_per_step", microseconds_a_step(found.making, found));
  add_real(to, "running_us_per_step", microseconds_a_step(found.running, found));
  to += ",\"stopped_by\":";
  text::write_string(to, found.stopped);
  to += ",\"partitions\":[";
  for (std::size_t p = 0; p < found.partitions.size(); ++p) {
    to += p == 0 ? "{\"name\":" : ",{\"name\":";
    text::write_string(to, found.partitions[p]);
    to += std::string(",\"has_seeds\":") + (found.has_seeds[p] ? "true" : "false");
    add_tally(to, found.by_partition[p]);
    if (!last_profile(found).empty()) add_real(to, "probability", last_profile(found)[p]);
    to += '}';
  }
  to += "],\"relations_chosen\":[";
  bool first = true;
  for (std::size_t rule = 0; rule < found.by_rule.size(); ++rule) {
    if (spec.rules()[rule].about != scope::datamorphism) continue;
    to += first ? "{\"name\":" : ",{\"name\":";
    first = false;
    text::write_string(to, spec.relations()[spec.rules()[rule].relation].name);
    to += ",\"by\":";
    text::write_string(to, spec.datamorphisms()[spec.rules()[rule].datamorphism].name);
    add_tally(to, found.by_rule[rule]);
    to += '}';
  }
  to += "],\"violated_at\":[";
  first = true;
  for (const std::uint64_t step : found.violated_at) {
    to += (first ? "" : ",") + std::to_string(step);
    first = false;
  }
  to += "],\"profile_over_time\":[";
  first = true;
  for (const profile_at& at : found.over_time) {
    to += (first ? "{\"step\":" : ",{\"step\":") + std::to_string(at.step) + ",\"profile\":[";
    first = false;
    for (std::size_t p = 0; p < at.profile.size(); ++p) to += printed(p == 0 ? "%.9g" : ",%.9g", at.profile[p]);
    to += "]}";
  }
  to += "],\"warnings\":[";
  first = true;
  for (const std::string& each : adaptive_warnings(of, found)) {
    if (!first) to += ',';
    first = false;
    text::write_string(to, each);
  }
  std::string all = report_json(
      of, how, std::string("adaptive, sources ") + name_of(by.sources) + ", relations " + name_of(by.relations));
  all.pop_back();
  return all + to + "]}}";
}

std::string profile_svg(const spec_base& spec, const adaptive_summary& found) {
  constexpr double left = 50, top = 40, width = 700, height = 320;
  constexpr std::size_t most_named = 12;
  static const char* const colours[most_named + 1] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                                                      "#aa3377", "#997700", "#004488", "#ee7733", "#009988",
                                                      "#cc3311", "#666633", "#bbbbbb"};
  // The largest at some time get a colour, the others share one.
  std::vector<double> largest(found.partitions.size(), 0);
  for (const profile_at& at : found.over_time)
    for (std::size_t p = 0; p < largest.size(); ++p) largest[p] = std::max(largest[p], at.profile[p]);
  std::vector<std::size_t> order(found.partitions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  const std::size_t named = order.size() <= most_named ? order.size() : most_named - 1;
  const double last = static_cast<double>(std::max<std::uint64_t>(1, found.steps));
  const writing::scale across{0, last, left, left + width}, up{0, 1, top + height, top};
  const auto x = [&](std::uint64_t step) { return across.at(static_cast<double>(step)); };

  writing::drawing picture(left + width + 20, top + height + 60 + 18 * static_cast<double>((named + 2) / 2),
                           "font-family=\"sans-serif\" font-size=\"12\"");
  picture.text({left, 20}, "font-size=\"14\"", spec.name() + ": profile over time");
  std::vector<double> below(found.over_time.size(), 0);
  for (std::size_t i = 0; i < std::min(named + 1, order.size()); ++i) {
    std::vector<double> above = below;
    for (std::size_t t = 0; t < above.size(); ++t)
      for (std::size_t j = i; j < (i < named ? i + 1 : order.size()); ++j)
        above[t] += found.over_time[t].profile[order[j]];
    std::vector<writing::point> corners;
    for (std::size_t t = 0; t < above.size(); ++t) corners.push_back({x(found.over_time[t].step), up.at(above[t])});
    for (std::size_t t = below.size(); t-- > 0;) corners.push_back({x(found.over_time[t].step), up.at(below[t])});
    const std::string colour = std::string("fill=\"") + colours[i < named ? i : most_named] + '"';
    const std::string name = i < named ? cut(found.partitions[order[i]], 48) : "all others";
    picture.polygon(corners, colour, name);
    const double at_x = left + (i % 2 == 0 ? 0 : width / 2), at_y = top + height + 52 + 18 * static_cast<double>(i / 2);
    picture.rectangle({at_x, at_y - 10}, 12, 12, colour);
    picture.text({at_x + 18, at_y}, "", name);
    below = above;
  }
  for (const std::uint64_t step : found.violated_at)
    picture.line({x(step), top + height + 1}, {x(step), top + height + 7}, "stroke=\"black\"");
  constexpr const char* at_end = "text-anchor=\"end\"";
  for (const double share : {0.0, 0.5, 1.0}) picture.text({left - 6, up.at(share) + 4}, at_end, printed("%g", share));
  picture.text({left, top + height + 22}, "", "step 0; marks: violations");
  picture.text({left + width, top + height + 22}, at_end, "step " + std::to_string(found.steps));
  return picture.document();
}

}  // namespace morph::engine
