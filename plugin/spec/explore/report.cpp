// Text, JSON and log lines of an exploration.
#include "plugin/spec/explore/report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "morph/text.hpp"
#include "plugin/spec/engine/activity.hpp"
#include "plugin/spec/engine/number_text.hpp"
#include "plugin/spec/report/analysers.hpp"

namespace morph::engine {
namespace {

std::string cut(const std::string& text, std::size_t longest = 40) {
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

std::string class_name(session& of, const explore_options& how, const output_class& each) {
  return each.is_exception ? "an exception" : cut(of.spec().show_output(how.executer, 0, each.example));
}

std::string shown(session& of, case_index c) {
  return cut(of.spec().show_input(of.cases().input(c)), 60);
}

/// What is to be said of searches that ended so, behind their number.
std::string about(session& of, const explore_options& how, const explored::unfinished& each) {
  const std::string mid = "'" + of.spec().datamorphisms()[how.mid].name + "'";
  const std::string a = shown(of, each.a);
  const std::string b = each.b == nowhere ? "" : shown(of, each.b);
  switch (each.how) {
    case search_end::no_step:
      return " ended where no step applies, such as " + a;
    case search_end::nothing:
      return " given up: " + mid + " does not apply to pairs such as " + a + " and " + b +
             "; where nothing lies between both, let it give one of them";
    case search_end::threw:
      return " given up: " + mid + " threw";
    case search_end::no_progress:
      return " given up: what " + mid + " makes of pairs such as " + a + " and " + b +
             " is further from one of them than they are from each other, by the distance of the spec";
    case search_end::no_class:
      return " given up where a run gave no output";
    case search_end::unsteady:
      return " given up: an end was of another class when it was run again, such as of " + a + " and " + b +
             "; the program depends on more than its input";
    case search_end::not_transitive:
      return " given up: " + a + " and " + b +
             " are of two classes by their examples and of one by themselves; same_class() (or ==) has to be "
             "transitive";
    default:
      return " given up";
  }
}

void write_end(session& of, case_index c, std::uint32_t which, std::string& to) {
  to += "{\"id\":\"" + id_text(of.cases().id(c)) + "\",\"in\":" + of.spec().text_of_input(of.cases().input(c)) +
        ",\"class\":" + std::to_string(which) + "}";
}

void write_number(std::string& to, const char* name, double value) {
  to += std::string(",\"") + name + "\":";
  text::write_floating(to, value);
}

}  // namespace

std::string explore_text(session& of, const explore_options& how, const explored& found, std::uint64_t rows) {
  spec_base& spec = of.spec();
  const auto ended_so = [&](search_end end) { return found.ends[static_cast<std::size_t>(end)]; };
  const bool walks = how.method != exploration::random_target;
  const char* const kind = walks ? "walk" : "pair";
  std::string text = spec.name() + ": " + exploration_name(how.method) + ", " + counted(found.searches, kind) + " of " +
                     counted(how.starts.size(), "case") + ", halved by '" + spec.datamorphisms()[how.mid].name + "'" +
                     (spec.executers().size() > 1 ? ", " + spec.executers()[how.executer].name : "") + ", seed " +
                     std::to_string(how.seed) + "\n";
  const auto third = std::count_if(found.borders.begin(), found.borders.end(),
                                   [](const border_pair& each) { return each.by_third_class; });
  text += "  " + counted(found.borders.size(), "border pair");
  if (third > 0) text += ", " + std::to_string(third) + " of them behind a third class";
  if (ended_so(search_end::known) > 0) text += "; " + std::to_string(ended_so(search_end::known)) + " came twice";
  text += "\n  runs: " + std::to_string(found.start_runs) + " of cases, " + std::to_string(found.step_runs) +
          " of steps, " + std::to_string(found.midpoint_runs) + " of midpoints, " +
          std::to_string(found.confirming_runs) + " to confirm\n";
  if (!found.borders.empty())
    text += "  a border pair: " + number_text(found.midpoints_a_border(), "%.1f") + " midpoints, " +
            number_text(found.runs_a_border(), "%.1f") + " runs in all\n";
  text += "  tolerance: " + number_text(found.tolerance, "%.3g") +
          (how.is_absolute ? "" : ", " + number_text(how.tolerance, "%.3g") + " of the box") +
          " (greatest distance of two cases: " + number_text(found.box, "%.3g") + ")\n";
  if (ended_so(search_end::same_class) > 0)
    text += "  " + counted(ended_so(search_end::same_class), "walk") + " met no other class within " +
            counted(how.most_steps, "step") + "\n";
  if (found.interrupted)
    text += "  interrupted: what is left out, " + counted(ended_so(search_end::left_out), kind) +
            " that had begun among it, would have come behind\n";
  else if (!found.limit.empty())
    text += "  left out: what is beyond the limit of " + found.limit + ", and " +
            counted(ended_so(search_end::left_out), kind) + " that had begun\n";
  else if (ended_so(search_end::left_out) > 0)
    text += "  left out: " + counted(ended_so(search_end::left_out), "bracket") +
            " of third classes, 64 of a search were followed\n";
  if (found.borders.empty() && found.classes.size() == 1)
    text += "  no border: all outputs are of one class, " + class_name(of, how, found.classes[0]) +
            "; other seeds may give another one" + (walks ? "" : ", or a walk: --strategy random-walk") + "\n";
  for (const explored::unfinished& each : found.examples)
    text += "  warning: " + counted(ended_so(each.how), kind) + about(of, how, each) + "\n";

  analysis by_class{"classes", {"class", "cases", "inputs that were run"}, {}, ""};
  for (const output_class& each : found.classes)
    by_class.rows.push_back({class_name(of, how, each), std::to_string(each.starts), std::to_string(each.inputs)});
  analysis by_pair{"borders between classes", {"classes", "border pairs", "widest"}, {}, ""};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, double>> sums;
  for (const border_pair& each : found.borders) {
    auto& [number, widest] = sums[{each.class_a, each.class_b}];
    ++number;
    widest = std::max(widest, each.width);
  }
  for (const auto& [classes, sum] : sums)
    by_pair.rows.push_back(
        {class_name(of, how, found.classes[classes.first]) + " | " + class_name(of, how, found.classes[classes.second]),
         std::to_string(sum.first), number_text(sum.second, "%.3g")});
  analysis first{"border pairs", {"a", "b", "class of a", "class of b", "width", "ended by"}, {}, ""};
  for (std::size_t i = 0; i < found.borders.size() && i < rows; ++i) {
    const border_pair& each = found.borders[i];
    first.rows.push_back({shown(of, each.a), shown(of, each.b), class_name(of, how, found.classes[each.class_a]),
                          class_name(of, how, found.classes[each.class_b]), number_text(each.width, "%.3g"),
                          search_end_name(each.how)});
  }
  std::vector<analysis> tables{by_class};
  if (!found.borders.empty()) tables.push_back(by_pair);
  if (!found.borders.empty() && rows > 0) tables.push_back(first);
  text += as_text(tables);
  if (rows > 0 && found.borders.size() > rows)
    text += "... and " + std::to_string(found.borders.size() - rows) + " more (--rows N)\n";
  return text;
}

std::string explore_json(session& of, const explore_options& how, const explored& found) {
  spec_base& spec = of.spec();
  std::string to = "{\"spec\":";
  text::write_string(to, spec.name());
  to += std::string(",\"strategy\":\"") + exploration_name(how.method) + "\",\"mid\":";
  text::write_string(to, spec.datamorphisms()[how.mid].name);
  to += ",\"steps\":[";
  for (std::size_t i = 0; i < how.steps.size(); ++i) {
    if (i > 0) to += ',';
    text::write_string(to, spec.datamorphisms()[how.steps[i]].name);
  }
  to += "],\"executer\":";
  text::write_string(to, spec.executers()[how.executer].name);
  to += ",\"seed\":" + std::to_string(how.seed) + ",\"cases\":" + std::to_string(how.starts.size()) +
        ",\"searches\":" + std::to_string(found.searches);
  write_number(to, "box", found.box);
  write_number(to, "tolerance", found.tolerance);
  to += ",\"runs\":{\"cases\":" + std::to_string(found.start_runs) + ",\"steps\":" + std::to_string(found.step_runs) +
        ",\"midpoints\":" + std::to_string(found.midpoint_runs) +
        ",\"to_confirm\":" + std::to_string(found.confirming_runs) + "}";
  write_number(to, "midpoints_a_border", found.midpoints_a_border());
  write_number(to, "runs_a_border", found.runs_a_border());
  to += ",\"classes\":[";
  for (std::size_t k = 0; k < found.classes.size(); ++k) {
    const output_class& each = found.classes[k];
    to += k == 0 ? "{\"class\":" : ",{\"class\":";
    to += std::to_string(k) + ",\"output\":";
    text::write_string(to, each.is_exception ? "an exception" : spec.show_output(how.executer, 0, each.example));
    to += ",\"cases\":" + std::to_string(each.starts) + ",\"inputs\":" + std::to_string(each.inputs) + "}";
  }
  to += "],\"third_classes\":" + std::to_string(found.third_classes) + ",\"ends\":{";
  bool first = true;
  for (std::size_t e = 0; e < number_of_search_ends; ++e) {
    if (found.ends[e] == 0) continue;
    to += std::string(first ? "\"" : ",\"") + search_end_name(static_cast<search_end>(e)) +
          "\":" + std::to_string(found.ends[e]);
    first = false;
  }
  to += "},\"borders\":[";
  for (std::size_t i = 0; i < found.borders.size(); ++i) {
    const border_pair& each = found.borders[i];
    to += i == 0 ? "{\"a\":" : ",{\"a\":";
    write_end(of, each.a, each.class_a, to);
    to += ",\"b\":";
    write_end(of, each.b, each.class_b, to);
    write_number(to, "width", each.width);
    to += ",\"halvings\":" + std::to_string(each.halvings) + ",\"ended_by\":\"" + search_end_name(each.how) +
          "\",\"search\":" + std::to_string(each.search) +
          ",\"by_third_class\":" + (each.by_third_class ? "true" : "false") + "}";
  }
  to += "],\"given_up\":[";
  first = true;
  for (const explored::unfinished& each : found.examples) {
    to += std::string(first ? "{" : ",{") + "\"why\":\"" + search_end_name(each.how) +
          "\",\"search\":" + std::to_string(each.search) + ",\"a\":" + spec.text_of_input(of.cases().input(each.a));
    if (each.b != nowhere) to += ",\"b\":" + spec.text_of_input(of.cases().input(each.b));
    to += '}';
    first = false;
  }
  to += "],\"without_output\":[";
  for (std::size_t i = 0; i < found.without_class.size(); ++i) {
    const input_index in = of.cases().input(found.without_class[i]);
    to += std::string(i == 0 ? "{" : ",{") + "\"id\":\"" + id_text(of.cases().id(found.without_class[i])) +
          "\",\"in\":" + spec.text_of_input(in) + ",\"how\":\"" + ended_name(spec.how(how.executer, 0, in)) +
          "\",\"error\":";
    text::write_string(to, spec.error(how.executer, 0, in));
    to += '}';
  }
  to += ']';
  if (!found.broken.empty()) {
    to += ",\"broken\":";
    text::write_string(to, found.broken);
  }
  if (found.interrupted || !found.limit.empty()) {
    to += ",\"left_out\":{\"by\":";
    text::write_string(to, found.interrupted ? "an interruption" : "the limit of " + found.limit);
    to += "}";
  }
  return to + "}\n";
}

std::string explore_line(session& of, const explore_options& how, const explore_row& row) {
  constexpr const char* names[] = {"start", "step", "halve", "third class", "end"};
  spec_base& spec = of.spec();
  std::string to = "{\"search\":" + std::to_string(row.search) + ",\"event\":\"" + names[row.what] + "\"";
  const auto add = [&](const char* name, case_index c) {
    if (c != nowhere) to += std::string(",\"") + name + "\":\"" + id_text(of.cases().id(c)) + "\"";
  };
  if (row.what == explore_row::end) to += std::string(",\"how\":\"") + search_end_name(row.how) + "\"";
  add("case", row.which);
  add("other", row.other);
  if (row.what != explore_row::end) {
    const input_index in = of.cases().input(row.which);
    to += ",\"in\":" + spec.text_of_input(in);
    if (row.class_of != no_class) to += ",\"class\":" + std::to_string(row.class_of);
    const ended run = spec.how(how.executer, 0, in);
    if (run != ended::output)
      to += std::string(",\"how\":\"") + ended_name(run) + "\"";
    else if (const std::string out = spec.text_of_output(how.executer, 0, in); !out.empty())
      to += ",\"out\":" + out;
  }
  if (row.width >= 0) write_number(to, "width", row.width);
  return to + "}\n";
}

}  // namespace morph::engine
