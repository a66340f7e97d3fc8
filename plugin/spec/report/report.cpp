// Reports on a spec's run.
#include "plugin/spec/report/report.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "morph/text.hpp"

namespace morph::engine {
namespace {

std::string how_it_ended(const spec_base& spec, std::uint16_t executer, std::uint16_t operation, input_index in) {
  switch (spec.how(executer, operation, in)) {
    case ended::output:
      return spec.show_output(executer, operation, in);
    case ended::exception:
      return "threw: " + spec.error(executer, operation, in);
    case ended::crash:
      return "crashed: " + spec.error(executer, operation, in);
    case ended::timeout:
      return "hung: " + spec.error(executer, operation, in);
    case ended::not_run:
      break;
  }
  return "not run";
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "... (" + std::to_string(text.size()) + " bytes)";
}

constexpr std::size_t longest_value = 2000;

/// Cases of a derivation once each, sources first.
void collect(const pool& cases, case_index which, std::vector<case_index>& to) {
  for (const case_index origin : cases.origins(which)) collect(cases, origin, to);
  if (std::find(to.begin(), to.end(), which) == to.end()) to.push_back(which);
}

void add_number(std::string& to, const char* name, std::uint64_t value, bool last = false) {
  to.append("\"").append(name).append("\":").append(std::to_string(value));
  if (!last) to += ',';
}

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, const char* what) {
  return with_separators(number) + " " + what + (number == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  char text[32];
  const bool short_one = seconds < 0.9995;
  const double number = short_one ? seconds * 1000 : seconds;
  std::snprintf(text, sizeof text, number < 99.95 ? "%.3g %s" : "%.0f %s", number, short_one ? "ms" : "s");
  return text;
}

void write_derivation(const session& of, const derivation& how, std::string& to) {
  const spec_base& spec = const_cast<session&>(of).spec();
  if (how.from.empty()) {
    to += "{\"in\":" + spec.text_of_input(how.input);
    if (how.label != nowhere) to += ",\"expected\":" + spec.text_of_label(how.label);
    to += '}';
    return;
  }
  to += "{\"by\":";
  text::write_string(to, spec.type_name(how.type));
  if (how.which != 0) to += ",\"which\":" + std::to_string(how.which);
  to += ",\"from\":[";
  for (std::size_t i = 0; i < how.from.size(); ++i) {
    if (i > 0) to += ',';
    write_derivation(of, how.from[i], to);
  }
  to += "]}";
}

bool read_derivation(session& of, text::reader& from, derivation& to, std::string& error) {
  if (!from.enter() || !from.take('{')) return false;
  std::string name;
  do {
    if (!from.name(name) || !from.take(':')) return false;
    if (name == "in" || name == "expected") {
      const std::string_view value = from.value();
      if (value.empty()) return false;
      if (name == "in")
        to.input = of.spec().read_input(value, error);
      else
        to.label = of.spec().read_label(value, error);
      if (!error.empty())
        return error = (name == "in" ? "the input " : "the expected output ") + std::string(value) + ": " + error,
               false;
    } else if (name == "by") {
      std::string by;
      if (!from.name(by)) return false;
      const auto& all = of.spec().datamorphisms();
      const auto at = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.name == by; });
      if (at == all.end()) return error = "the spec has no datamorphism '" + by + "'", false;
      to.type = of.spec().type_of(static_cast<std::size_t>(at - all.begin()));
    } else if (name == "which") {
      if (!text::read_number(from, to.which)) return false;
    } else if (name == "from") {
      if (!from.take('[')) return false;
      do {
        if (!read_derivation(of, from, to.from.emplace_back(), error)) return false;
      } while (from.take_if(','));
      if (!from.take(']')) return false;
    } else {
      return error = "'" + name + "' is not known; there are in, expected, by, from, which", false;
    }
  } while (from.take_if(','));
  from.leave();
  if (!from.take('}')) return false;
  if (to.from.empty()) return to.input != nowhere || (error = "a seed needs its input: {\"in\": ...}", false);
  const std::size_t makers = of.spec().makers().size();
  const unsigned arity = to.type < makers ? 0 : of.spec().datamorphisms()[to.type - makers].arity;
  if (arity == 0) return error = "'from' needs 'by': the name of a datamorphism", false;
  if (arity != to.from.size())
    return error = "the datamorphism '" + of.spec().type_name(to.type) + "' takes " + counted(arity, "source") +
                   ", not " + std::to_string(to.from.size()),
           false;
  return true;
}

}  // namespace

std::string quoted(const std::string& text) {
  if (!text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-") ==
          std::string::npos)
    return text;
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

std::string derivation_text(const session& of, const derivation& how) {
  std::string made;
  write_derivation(of, how, made);
  return made;
}

std::optional<derivation> read_derivation(session& of, const std::string& text, std::string& error) {
  text::reader from(text);
  derivation made;
  if (read_derivation(of, from, made, error) && from.end()) return made;
  if (error.empty()) error = from.error();
  return std::nullopt;
}

std::string strategy_text(const options& how) {
  switch (how.strategy) {
    case strategy::seeds:
      return "seeds alone";
    case strategy::order:
      return how.order == 1 ? "first order" : "order " + std::to_string(how.order);
    case strategy::combinatorial:
      return "combinatorial complete";
    case strategy::minimal_combinatorial:
      break;
  }
  return "combinatorial complete, minimal";
}

std::string draw_tree(session& of, const derivation& how, std::uint16_t executer) {
  std::string drawn;
  std::set<case_index> seen;
  const std::function<void(const derivation&, const std::string&, const std::string&)> draw =
      [&](const derivation& each, const std::string& first, const std::string& rest) {
        const case_index at = of.rebuild(each, executer);
        drawn += first;
        if (at == nowhere) {
          drawn += of.spec().type_name(each.type) + ": does not apply\n";
        } else {
          const std::uint16_t operation = of.spec().operation_of(of.cases().type(at));
          const input_index in = of.cases().input(at);
          drawn += of.spec().type_name(of.cases().type(at)) + "  " +
                   shortened(of.spec().show_input(in), longest_value) + " -> " +
                   shortened(how_it_ended(of.spec(), executer, operation, in), longest_value) + "  [" +
                   id_text(of.cases().id(at)) + "]";
          // Midpoints share what they were made of.
          const bool is_again = !each.from.empty() && !seen.insert(at).second;
          drawn += is_again ? ", as above\n" : "\n";
          if (is_again) return;
        }
        for (std::size_t i = 0; i < each.from.size(); ++i) {
          const bool last = i + 1 == each.from.size();
          draw(each.from[i], rest + (last ? "`- " : "|- "), rest + (last ? "   " : "|  "));
        }
      };
  draw(how, "", "");
  return drawn;
}

/// What is to be said of a relation besides that it is false. In a host, its assertions would tell of it again.
std::string why_it_fails(session& of, const violation& found, case_index at) {
  if (of.checks()[found.check].what != check_of_spec::kind::relation || host() != nullptr) return found.why;
  (void)of.take_why();
  (void)of.check_one(found.check, found.rule, found.executer, found.other, at);
  const std::string why = of.take_why();
  return why.empty() ? found.why : why;
}

std::string violation_text(session& of, const violation& found, const report_style& style) {
  spec_base& spec = of.spec();
  const check_of_spec& check = of.checks()[found.check];
  const bool by_relation = check.what == check_of_spec::kind::relation;
  std::string text = spec.name() + ": \"" + check.name + "\" is violated";
  const case_index at = of.rebuild(found.how, found.executer);
  if (check.what == check_of_spec::kind::agreement) (void)of.rebuild(found.how, found.other);
  if (at == nowhere)
    return text + ", but its mutant could not be made again: a datamorphism depends on more than its arguments\n";
  if (of.cases().order(at) > 0) text += " by " + spec.type_name(of.cases().type(at));
  if (spec.executers().size() > 1) text += ", executer " + spec.executers()[found.executer].name;
  if (!found.steady) text += " (not when it was run again: the program or the spec depends on more than the input)";
  text += '\n';
  if (by_relation) {
    const declared_relation& relation = spec.relations()[check.relation];
    text += "  declared at " + relation.file + ":" + std::to_string(relation.line) + "\n";
  }
  std::vector<case_index> all;
  collect(of.cases(), at, all);
  std::string expected;
  if (by_relation) expected = spec.rules()[found.rule].message;
  if (check.what == check_of_spec::kind::label) expected = spec.show_label(of.label_of(at));
  if (check.what == check_of_spec::kind::agreement)
    expected = spec.executers()[found.other].name + " gives " +
               how_it_ended(spec, found.other, spec.operation_of(of.cases().type(at)), of.cases().input(at));
  for (const case_index c : all) {
    const type_index type = of.cases().type(c);
    const bool is_seed = of.cases().order(c) == 0;
    const std::uint16_t operation = spec.operation_of(type);
    text += c == at && !is_seed ? "  mutant  " : is_seed ? "  source  " : "  between ";
    text += shortened(spec.show_input(of.cases().input(c)), longest_value);
    if (operation != 0) text += " -" + spec.operations()[operation].name;
    text += " -> " + shortened(how_it_ended(spec, found.executer, operation, of.cases().input(c)), longest_value);
    if (is_seed)
      text += of.is_made_seed(c) ? "   (seed \"" + spec.type_name(type) + "\")" : std::string();
    else
      text += "   (by " + spec.type_name(type) + ")";
    if (c == at && !expected.empty())
      text += (check.what == check_of_spec::kind::agreement ? "   but " : "   expected: ") + expected;
    text += '\n';
  }
  if (found.before_shrinking) {
    const case_index before = of.rebuild(*found.before_shrinking, found.executer);
    text += "  shrunk";
    if (before != nowhere) text += " from " + shortened(spec.show_input(of.cases().input(before)), 200);
    text += " in " + counted(found.shrunk_in, "step");
    text += '\n';
  }
  if (!found.not_shrunk.empty()) text += "  not shrunk: " + found.not_shrunk + "\n";
  if (const std::string why = why_it_fails(of, found, at); !why.empty()) text += "  " + why + "\n";
  const tally& counts = of.report().tallies[found.check][found.executer];
  if (counts.failed > 0)
    text += "  " + with_separators(counts.failed) + " of " + counted(counts.checked(), "applicable check") +
            (counts.failed == 1 ? " fails\n" : " fail\n");
  if (!style.program.empty())
    text += "  replay: " + quoted(style.program) + " --test " + quoted(spec.name() + "." + check.name) + " --replay " +
            quoted(derivation_text(of, found.how)) + "\n";
  return text;
}

std::string report_text(session& of, const options& how, const report_style& style) {
  spec_base& spec = of.spec();
  const report& r = of.report();
  std::string text;
  const auto colour = [&](const char* code, const std::string& what) {
    return style.colours ? std::string("\x1b[") + code + "m" + what + "\x1b[0m" : what;
  };
  if (!r.error.empty()) return spec.name() + ": " + r.error + "\n";
  if (!style.quiet) {
    text += colour("1", spec.name()) + ": " + counted(r.seeds, "seed") + ", " + counted(r.mutants, "mutant");
    if (r.mutants > 0 && r.distinct_is_exact) text += " (" + counted(r.distinct_new_inputs, "distinct new input") + ")";
    text += ", " + counted(r.runs, "run");
    if (spec.executers().size() > 1) text += " of " + counted(spec.executers().size(), "executer");
    text += "; " + strategy_text(how) + ", seed " + std::to_string(how.seed) + ", " + duration_text(r.seconds) + "\n";
    const auto aside = [&](std::uint64_t number, const std::string& what) {
      if (number > 0) text += "  " + with_separators(number) + " " + what + "\n";
    };
    aside(r.equal_seeds, r.equal_seeds == 1 ? "equal seed was dropped" : "equal seeds were dropped");
    aside(r.equal_mutants,
          how.distinct_inputs ? "mutants of an input that was there were dropped" : "equal mutants were dropped");
    aside(r.rejected, "mutants were rejected by filters");
    aside(r.inapplicable,
          r.inapplicable == 1 ? "time a datamorphism did not apply" : "times a datamorphism did not apply");
    std::size_t width = 8;
    for (std::size_t k = 0; k < of.checks().size(); ++k) width = std::max(width, of.checks()[k].name.size());
    width = std::min<std::size_t>(width, 60);
    const bool several = spec.executers().size() > 1;
    char line[256];
    bool headed = false;
    for (std::size_t k = 0; k < of.checks().size(); ++k) {
      if (how.only_check && *how.only_check != k) continue;
      for (std::size_t e = 0; e < spec.executers().size(); ++e) {
        const tally& t = r.tallies[k][e];
        const bool general = of.checks()[k].what != check_of_spec::kind::relation;
        if (general && t.checked() == 0) continue;
        if (!headed)
          std::snprintf(line, sizeof line, "  %-*s %12s %10s %10s%s\n", static_cast<int>(width), "relation", "checked",
                        "fail", "n/a", several ? "  executer" : "");
        if (!headed) text += line;
        headed = true;
        std::snprintf(line, sizeof line, "  %-*s %12s %10s %10s", static_cast<int>(width),
                      shortened(of.checks()[k].name, 80).c_str(), with_separators(t.checked()).c_str(),
                      with_separators(t.failed).c_str(), with_separators(general ? 0 : t.not_applicable).c_str());
        text += t.failed > 0 ? colour("31", line) : line;
        if (!general && t.not_applicable > 0) {
          std::snprintf(line, sizeof line, " %5.1f %%", 100 * t.vacuity());
          text += line;
        }
        if (several) text += "  " + spec.executers()[e].name;
        text += '\n';
      }
    }
    bool disagree = false;
    for (std::size_t e = 0; e < r.disagreements.size(); ++e)
      for (std::size_t o = 0; o < r.disagreements.size(); ++o)
        if (r.disagreements[e][o] > 0) {
          if (!disagree) text += "  different outcomes of executers (cases):\n";
          disagree = true;
          text += "    " + spec.executers()[e].name + " and " + spec.executers()[o].name + ": " +
                  with_separators(r.disagreements[e][o]) + "\n";
        }
  }
  for (std::size_t k = 0; k < of.checks().size(); ++k) {
    if (of.checks()[k].what != check_of_spec::kind::relation || (how.only_check && *how.only_check != k)) continue;
    tally all;
    for (const tally& each : r.tallies[k]) all.add(each);
    if (all.checked() > 0) continue;
    text += colour("33", "warning") + ": " + spec.name() + ": \"" + of.checks()[k].name + "\" never applied" +
            (all.not_applicable > 0 ? " to any of " + counted(all.not_applicable, "case") +
                                          ": its guard or itself says that it is not applicable, or runs gave no output"
                                    : ": no case was made for it") +
            "\n";
  }
  for (const suspicious_label& each : r.suspicious)
    text += colour("33", "suspicious label") + ": " + spec.name() + ": " +
            shortened(spec.show_input(each.input), longest_value) + " is expected to give " +
            spec.show_label(each.label) + ", but " + each.why + "\n";
  if (!r.omitted.why.empty())
    text += colour("33", "left out") + ": " + spec.name() + ": " +
            (r.omitted.cases >= std::uint64_t{1} << 63 ? std::string("uncounted") : with_separators(r.omitted.cases)) +
            " seeds or applications of datamorphisms, by " + r.omitted.why + "\n";
  for (const std::string& each : r.broken) text += colour("31", "broken") + ": " + spec.name() + ": " + each + "\n";
  for (const violation& each : r.violations) text += "\n" + violation_text(of, each, style);
  return text;
}

std::string report_json(session& of, const options& how, const std::string& strategy) {
  spec_base& spec = of.spec();
  const report& r = of.report();
  std::string to = "{\"spec\":";
  text::write_string(to, spec.name());
  to += ",\"strategy\":";
  text::write_string(to, strategy.empty() ? strategy_text(how) : strategy);
  to += ',';
  add_number(to, "seed", how.seed);
  add_number(to, "seeds", r.seeds);
  add_number(to, "equal_seeds", r.equal_seeds);
  add_number(to, "mutants", r.mutants);
  add_number(to, "equal_mutants", r.equal_mutants);
  if (r.distinct_is_exact) add_number(to, "distinct_new_inputs", r.distinct_new_inputs);
  add_number(to, "rejected", r.rejected);
  add_number(to, "inapplicable", r.inapplicable);
  add_number(to, "runs", r.runs);
  to += "\"seconds\":";
  text::write_number(to, r.seconds);
  to += ",\"relations\":[";
  bool first = true;
  for (std::size_t k = 0; k < of.checks().size(); ++k)
    for (std::size_t e = 0; e < spec.executers().size(); ++e) {
      if (how.only_check && *how.only_check != k) continue;
      const tally& t = r.tallies[k][e];
      to += first ? "{\"name\":" : ",{\"name\":";
      first = false;
      text::write_string(to, of.checks()[k].name);
      to += ",\"executer\":";
      text::write_string(to, spec.executers()[e].name);
      to += ',';
      add_number(to, "pass", t.passed);
      add_number(to, "fail", t.failed);
      add_number(to, "not_applicable", t.not_applicable);
      to += "\"vacuity\":";
      text::write_number(to, t.vacuity());
      to += '}';
    }
  to += "],\"types\":[";
  first = true;
  for (std::size_t t = 0; t < r.cases_by_type.size(); ++t)
    for (std::size_t e = 0; e < spec.executers().size(); ++e) {
      to += first ? "{\"name\":" : ",{\"name\":";
      first = false;
      text::write_string(to, spec.type_name(static_cast<type_index>(t)));
      to += ",\"executer\":";
      text::write_string(to, spec.executers()[e].name);
      to += ',';
      add_number(to, "cases", r.cases_by_type[t]);
      add_number(to, "pass", r.by_type[t][e].passed);
      add_number(to, "fail", r.by_type[t][e].failed);
      add_number(to, "not_applicable", r.by_type[t][e].not_applicable, true);
      to += '}';
    }
  to += "],\"disagreements\":[";
  first = true;
  for (std::size_t e = 0; e < r.disagreements.size(); ++e)
    for (std::size_t o = e + 1; o < r.disagreements.size(); ++o) {
      to += first ? "{\"executers\":[" : ",{\"executers\":[";
      first = false;
      text::write_string(to, spec.executers()[e].name);
      to += ',';
      text::write_string(to, spec.executers()[o].name);
      to += "],";
      add_number(to, "cases", r.disagreements[e][o], true);
      to += '}';
    }
  to += "],\"violations\":[";
  first = true;
  for (const violation& each : r.violations) {
    to += first ? "{\"relation\":" : ",{\"relation\":";
    first = false;
    text::write_string(to, of.checks()[each.check].name);
    to += ",\"executer\":";
    text::write_string(to, spec.executers()[each.executer].name);
    if (const case_index at = of.rebuild(each.how, each.executer); at != nowhere)
      if (const std::string why = why_it_fails(of, each, at); !why.empty()) {
        to += ",\"why\":";
        text::write_string(to, why);
      }
    to += ",\"case\":\"" + id_text(each.id) + "\",\"steady\":" + (each.steady ? "true" : "false") +
          ",\"shrunk_in\":" + std::to_string(each.shrunk_in) + ",\"derivation\":" + derivation_text(of, each.how) + "}";
  }
  to += "],\"suspicious_labels\":[";
  first = true;
  for (const suspicious_label& each : r.suspicious) {
    to += first ? "{\"in\":" : ",{\"in\":";
    first = false;
    to += spec.text_of_input(each.input) + ",\"expected\":" + spec.text_of_label(each.label) + ",\"why\":";
    text::write_string(to, each.why);
    to += '}';
  }
  to += "],\"broken\":[";
  first = true;
  for (const std::string& each : r.broken) {
    if (!first) to += ',';
    first = false;
    text::write_string(to, each);
  }
  to += ']';
  if (!r.omitted.why.empty()) {
    to += ",\"left_out\":{\"by\":";
    text::write_string(to, r.omitted.why);
    if (r.omitted.cases < std::uint64_t{1} << 63) to += ",\"applications\":" + std::to_string(r.omitted.cases);
    to += '}';
  }
  if (!r.error.empty()) {
    to += ",\"error\":";
    text::write_string(to, r.error);
  }
  return to + "}";
}

std::string error_json(const spec_base& spec, const std::string& why) {
  std::string text = "{\"spec\":";
  text::write_string(text, spec.name());
  text += ",\"error\":";
  text::write_string(text, why);
  return text + "}";
}

}  // namespace morph::engine
