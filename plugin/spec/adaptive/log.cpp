// Writing and reading logs of adaptive execution.
#include "plugin/spec/adaptive/log.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "morph/text.hpp"
#include "plugin/spec/adaptive/options.hpp"
#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/pool_file.hpp"

namespace morph::engine {
namespace {

constexpr int version = 1;

std::string as_json(const std::string& text) {
  std::string made;
  text::write_string(made, text);
  return made;
}
std::string as_json(double number) {
  std::string made;
  text::write_number(made, number);
  return made;
}
std::string as_json(const std::vector<std::string>& texts) {
  std::string made = "[";
  for (const std::string& each : texts) made += (made.size() > 1 ? "," : "") + as_json(each);
  return made + "]";
}

void add_field(std::string& to, const char* name, const std::string& json) {
  to += std::string(",\"") + name + "\":" + json;
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

constexpr struct {
  verdict found;
  char letter;
} letters[] = {{verdict::pass, 'p'}, {verdict::fail, 'f'}, {verdict::not_applicable, 'n'}};

bool read_letters(const std::string& text, std::vector<verdict>& to) {
  for (const char c : text)
    for (const auto& each : letters)
      if (each.letter == c) to.push_back(each.found);
  return to.size() == text.size();
}

bool read_names(text::reader& from, std::vector<std::string>& to) {
  if (!from.take('[')) return false;
  if (from.take_if(']')) return true;
  do {
    if (!from.name(to.emplace_back())) return false;
  } while (from.take_if(','));
  return from.take(']');
}

struct line_reader {
  read_log& log;
  const spec_base* spec;
  const std::vector<std::string>& checks;

  std::string head(const std::string& line) {
    text::reader from(line);
    std::string name, what;
    int written = 0;
    bool good = from.take('{');
    do {
      good = good && from.name(name) && from.take(':');
      if (!good) break;
      if (name == "morph") {
        good = from.name(what);
      } else if (name == "version") {
        good = text::read_number(from, written);
      } else {
        const std::string value(from.value());
        good = !value.empty();
        if (name == "partitions") {
          text::reader names(value);
          good = read_names(names, log.partitions);
        }
        log.head.emplace_back(name, value);
      }
    } while (good && from.take_if(','));
    if (!good || !from.take('}') || what != "adaptive") return "this is no log of adaptive execution";
    if (written != version)
      return "the log is of version " + std::to_string(written) + ", and this Morph knows version " +
             std::to_string(version);
    log.by_partition.resize(log.partitions.size());
    return {};
  }

  std::string row(const std::string& line) {
    text::reader from(line);
    adaptive_row made;
    std::string name, text, found, relation, violated;
    bool good = from.take('{');
    do {
      good = good && from.name(name) && from.take(':');
      if (!good) break;
      if (name == "step") {
        good = text::read_number(from, made.step);
      } else if (name == "rule") {
        good = text::read_number(from, made.rule);
      } else if (name == "partition" || name == "follow_up") {
        good = from.name(text);
        const std::size_t at = place_of(log.partitions, text);
        if (good && at == log.partitions.size()) return "the log has no partition '" + text + "'";
        (name == "partition" ? made.partition : made.follow_up) = at;
      } else if (name == "source" || name == "mutant") {
        good = from.name(text);
        if (good && !read_id(text, name == "source" ? made.source_id : made.mutant_id))
          return "'" + text + "' is not the id of an input";
      } else if (name == "relation") {
        good = from.name(relation);
      } else if (name == "violated") {
        good = from.name(violated);
      } else if (name == "verdict") {
        good = from.name(found);
      } else if (name == "others") {
        good = from.name(text);
        if (good && !read_letters(text, made.others)) return "'" + text + "' are no verdicts; p, f and n are";
      } else {
        good = !from.value().empty();
      }
    } while (good && from.take_if(','));
    if (!good || !from.take('}') || !from.end()) return from.error();
    bool known = false;
    for (const verdict v : {verdict::pass, verdict::fail, verdict::not_applicable})
      if (found == verdict_name(v)) made.found = v, known = true;
    if (!known) return "'" + found + "' is no verdict";
    if (made.step != log.rows.size() + 1)
      return "step " + std::to_string(made.step) + " stands where step " + std::to_string(log.rows.size() + 1) +
             " is wanted";
    if (spec != nullptr) {
      if (made.rule >= spec->rules().size()) return "the spec has no such relation: '" + relation + "'";
      made.check = place_of(checks, violated.empty() ? relation : violated);
      if (made.check == checks.size())
        return "the spec has no relation '" + (violated.empty() ? relation : violated) + "'";
    }
    log.by_partition[made.partition].add(made.found);
    log.rows.push_back(made);
    return {};
  }
};

}  // namespace

log_head head_of(const spec_base& spec, const options& how, const adaptive_options& by) {
  const partitioning parts(spec);
  log_head head{{"spec", as_json(spec.name())},
                {"executer", as_json(spec.executers()[by.executer].name)},
                {"seed", std::to_string(how.seed)},
                {"sources", as_json(std::string(name_of(by.sources)))},
                {"relations", as_json(std::string(name_of(by.relations)))},
                {"epsilon", as_json(by.with.epsilon)},
                {"delta", as_json(by.with.delta)},
                {"gamma", as_json(by.with.gamma)},
                {"tau", as_json(by.with.tau)},
                {"floor", as_json(by.with.floor)},
                {"candidates", std::to_string(by.candidates)},
                {"seeds", as_json(how.makers)},
                {"datamorphisms", as_json(how.datamorphisms)},
                {"partitions", as_json(parts.names())}};
  std::string start = "[";
  for (const double each : by.start) start += (start.size() > 1 ? "," : "") + as_json(each);
  head.emplace_back("start", start + "]");
  return head;
}

std::string head_line(const log_head& head) {
  std::string line = "{\"morph\":\"adaptive\",\"version\":" + std::to_string(version);
  for (const auto& [name, value] : head) add_field(line, name.c_str(), value);
  return line + "}\n";
}

std::string row_line(const spec_base& spec, const std::vector<std::string>& partitions,
                     const std::vector<std::string>& checks, const adaptive_row& row, const probabilities& profile) {
  const declared_rule& rule = spec.rules()[row.rule];
  std::string line = "{\"step\":" + std::to_string(row.step);
  add_field(line, "partition", as_json(partitions[row.partition]));
  add_field(line, "follow_up", as_json(partitions[row.follow_up]));
  add_field(line, "rule", std::to_string(row.rule));
  add_field(line, "relation", as_json(spec.relations()[rule.relation].name));
  add_field(line, "by", as_json(spec.datamorphisms()[rule.datamorphism].name));
  add_field(line, "source", "\"" + id_text(row.source_id) + "\"");
  add_field(line, "mutant", "\"" + id_text(row.mutant_id) + "\"");
  add_field(line, "verdict", as_json(std::string(verdict_name(row.found))));
  if (row.found == verdict::fail && row.check != rule.relation) add_field(line, "violated", as_json(checks[row.check]));
  if (!row.others.empty()) {
    std::string text;
    for (const verdict one : row.others)
      for (const auto& each : letters)
        if (each.found == one) text += each.letter;
    add_field(line, "others", as_json(text));
  }
  std::string numbers = "[";
  for (const double each : profile) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%s%.9g", numbers.size() > 1 ? "," : "", each);
    numbers += digits;
  }
  add_field(line, "profile", numbers + "]");
  return line + "}\n";
}

read_log read_adaptive_log(const std::string& file, const spec_base* spec, const std::vector<std::string>& checks) {
  read_log log;
  std::ifstream in(file, std::ios::binary);
  if (!in) return log.error = "'" + file + "' cannot be read", log;
  std::stringstream whole;
  whole << in.rdbuf();
  const std::string text = whole.str();
  line_reader reader{log, spec, checks};
  std::size_t number = 1;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1, ++number) {
    const std::string line = text.substr(begin, end - begin);
    const std::string error = number == 1 ? reader.head(line) : reader.row(line);
    if (!error.empty()) return log.error = file + ":" + std::to_string(number) + ": " + error, log;
    log.whole_bytes = end + 1;
  }
  if (number == 1) log.error = file + ":1: this is no log of adaptive execution";
  return log;
}

std::string difference_of(const log_head& written, const log_head& wanted) {
  for (const auto& [name, value] : wanted) {
    const auto same = std::find_if(written.begin(), written.end(), [&](const auto& w) { return w.first == name; });
    if (same == written.end()) return "the log does not say what " + name + " was";
    if (same->second != value)
      return "the log was written with " + name + " " + same->second + ", and now it is " + value;
  }
  return {};
}

std::string profile_of_log(const read_log& log, const std::vector<std::string>& partitions, probabilities& to) {
  std::vector<std::uint64_t> violations(partitions.size(), 0);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < log.partitions.size(); ++i) {
    const std::size_t at = place_of(partitions, log.partitions[i]);
    if (at == partitions.size()) {
      const std::string alike = most_alike(log.partitions[i], partitions);
      return "the log is of a partition '" + log.partitions[i] + "', which the spec does not have" +
             (alike.empty() ? "" : "; was it renamed to '" + alike + "'?");
    }
    violations[at] += log.by_partition[i].failed;
    all += log.by_partition[i].failed;
  }
  to.clear();
  for (const std::uint64_t each : violations)
    to.push_back(static_cast<double>(each + 1) / static_cast<double>(all + partitions.size()));
  return {};
}

}  // namespace morph::engine
