// Built-in analysers and metrics of pools.
#include "plugin/spec/report/analysers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "morph/text.hpp"
#include "plugin/spec/engine/number_text.hpp"

namespace morph::engine {

namespace {

/// That are looked at for the diversity of a pool: a second or so.
constexpr std::size_t most_distances = 25'000'000;

/// Nothing for what is no number.
std::string cell_text(double value) {
  return std::isnan(value) ? std::string() : number_text(value, "%.6g");
}

std::vector<std::string> row_of(const std::string& name, std::uint64_t cases, const tally& t) {
  return {name, std::to_string(cases), std::to_string(t.passed), std::to_string(t.failed),
          std::to_string(t.not_applicable)};
}

/// The numbers in JSON, each with its place: `[2]`, `.x`; words are counted as `= word`.
void collect_numbers(const std::string& shown, std::vector<std::pair<std::string, double>>& to) {
  std::vector<std::string> path;
  std::vector<std::size_t> counts;
  std::string name;
  bool expects_value = true;
  const auto place = [&] {
    std::string made;
    for (std::size_t i = 0; i < path.size(); ++i)
      made += path[i].empty() ? "[" + std::to_string(counts[i]) + "]" : "." + path[i];
    return made;
  };
  for (std::size_t i = 0; i < shown.size();) {
    const char c = shown[i];
    if (c == '[' || c == '{') {
      path.emplace_back();
      counts.push_back(0);
      expects_value = c == '[';
      ++i;
    } else if (c == ']' || c == '}') {
      if (!path.empty()) path.pop_back(), counts.pop_back();
      ++i;
    } else if (c == ',') {
      if (!counts.empty()) ++counts.back();
      expects_value = path.empty() || path.back().empty();
      ++i;
    } else if (c == ':') {
      if (!path.empty()) path.back() = name;
      expects_value = true;
      ++i;
    } else if (c == '"') {
      std::size_t end = i + 1;
      while (end < shown.size() && shown[end] != '"') end += shown[end] == '\\' ? 2 : 1;
      name = shown.substr(i + 1, std::min(end, shown.size()) - i - 1);
      i = end + 1;
    } else {
      const std::size_t end = std::min(shown.find_first_of(",:]}", i), shown.size());
      const std::string word = shown.substr(i, end - i);
      double value = 0;
      const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
      if (expects_value && read.ec == std::errc() && read.ptr == word.data() + word.size())
        to.emplace_back(place(), value);
      else if (!word.empty() && word.find_first_not_of(" \n\t") != std::string::npos)
        to.emplace_back(place() + " = " + word, std::numeric_limits<double>::quiet_NaN());
      i = end;
    }
  }
}

/// As JSON writes numbers: names of cases may be 007 or inf.
bool is_number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::size_t first = text.find_first_not_of('-');
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value) &&
         text.back() != '.' && text.find(".e") == text.npos && text.find(".E") == text.npos && text[first] != '.' &&
         (text[first] != '0' || first + 1 == text.size() || text.find_first_of("0123456789", first + 1) != first + 1);
}

}  // namespace

std::vector<analysis> count_verdicts(session& of, const verdict_table& verdicts, std::uint16_t executer) {
  const pool& cases = of.cases();
  const std::size_t types = of.spec().makers().size() + of.spec().datamorphisms().size();
  std::vector<tally> by_type(types), by_check(of.checks().size());
  std::vector<std::uint64_t> number(types, 0);
  for (case_index c = 0; c < cases.size(); ++c) {
    ++number[cases.type(c)];
    for (const auto& [check, found] : verdicts.of(c, executer)) {
      by_type[cases.type(c)].add(found);
      by_check[check].add(found);
    }
  }
  analysis types_table{"cases and verdicts by what made them", {"made by", "cases", "pass", "fail", "n/a"}, {}, ""};
  std::uint64_t all = 0;
  tally sum;
  for (std::size_t t = 0; t < types; ++t) {
    if (number[t] == 0) continue;
    types_table.rows.push_back(row_of(of.spec().type_name(static_cast<type_index>(t)), number[t], by_type[t]));
    all += number[t];
    sum.add(by_type[t]);
  }
  types_table.rows.push_back(row_of("all", all, sum));
  analysis checks_table{"verdicts by relation", {"relation", "pass", "fail", "n/a"}, {}, ""};
  for (std::size_t k = 0; k < by_check.size(); ++k)
    if (by_check[k].checked() + by_check[k].not_applicable > 0)
      checks_table.rows.push_back({of.checks()[k].name, std::to_string(by_check[k].passed),
                                   std::to_string(by_check[k].failed), std::to_string(by_check[k].not_applicable)});
  return {types_table, checks_table};
}

std::vector<analysis> average_outputs(session& of, std::uint16_t executer) {
  struct mean {
    double sum = 0;
    std::uint64_t number = 0;
    bool counts = false;
  };
  spec_base& spec = of.spec();
  const pool& cases = of.cases();
  std::vector<std::string> columns;
  std::map<std::string, std::map<type_index, mean>> all;
  std::map<type_index, std::uint64_t> number;
  std::vector<std::pair<std::string, double>> numbers;
  for (case_index c = 0; c < cases.size(); ++c) {
    const type_index type = cases.type(c);
    const std::uint16_t operation = spec.operation_of(type);
    if (spec.how(executer, operation, cases.input(c)) != ended::output) continue;
    ++number[type];
    numbers.clear();
    collect_numbers(spec.show_output(executer, operation, cases.input(c)), numbers);
    for (const auto& [place, value] : numbers) {
      if (all.find(place) == all.end()) {
        if (columns.size() == 20) continue;
        columns.push_back(place);
      }
      mean& to = all[place][type];
      to.counts = std::isnan(value);
      to.sum += to.counts ? 1 : value;
      ++to.number;
    }
  }
  analysis made{"averages of outputs by what made the cases", {"made by", "cases"}, {}, ""};
  for (const std::string& column : columns) {
    const bool counts = all[column].begin()->second.counts;
    made.columns.push_back(counts ? "part" + column : column.empty() ? "mean" : "mean " + column);
  }
  for (const auto& [type, count] : number) {
    std::vector<std::string> row{spec.type_name(type), std::to_string(count)};
    for (const std::string& column : columns) {
      const auto at = all[column].find(type);
      const bool counts = all[column].begin()->second.counts;
      if (at == all[column].end())
        row.emplace_back(counts ? "0" : "");
      else
        row.push_back(cell_text(at->second.sum / static_cast<double>(counts ? count : at->second.number)));
    }
    made.rows.push_back(std::move(row));
  }
  return {made};
}

std::vector<named_number> measure_pool(session& of, const verdict_table& verdicts, std::uint16_t executer) {
  std::vector<named_number> made;
  const pool& cases = of.cases();
  if (cases.size() >= 2) {
    // Each case with its nearest one, or, of a large pool, every n-th case.
    const std::size_t looked_at = std::clamp<std::size_t>(most_distances / cases.size(), 1, cases.size());
    double sum = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
      const auto c = static_cast<case_index>(i * cases.size() / looked_at);
      double least = std::numeric_limits<double>::infinity();
      for (case_index other = 0; other < cases.size(); ++other)
        if (other != c) {
          const double far = of.spec().distance(cases.input(c), cases.input(other));
          if (std::isnan(far) || far < least) least = far;
          if (std::isnan(far)) break;
        }
      sum += least;
    }
    made.push_back({"diversity", sum / static_cast<double>(looked_at)});
  }
  std::vector<bool> applied(of.spec().relations().size(), false);
  for (case_index c = 0; c < cases.size(); ++c)
    for (const auto& [check, found] : verdicts.of(c, executer))
      if (check < applied.size() && found != verdict::not_applicable) applied[check] = true;
  if (!applied.empty())
    made.push_back({"relation coverage", static_cast<double>(std::count(applied.begin(), applied.end(), true)) /
                                             static_cast<double>(applied.size())});
  return made;
}

std::string as_text(const std::vector<analysis>& all) {
  std::string text;
  for (const analysis& each : all) {
    if (!text.empty()) text += '\n';
    text += each.title + "\n";
    if (!each.text.empty()) text += each.text + (each.text.back() == '\n' ? "" : "\n");
    if (each.columns.empty()) continue;
    std::vector<std::size_t> widths;
    for (const std::string& column : each.columns) widths.push_back(column.size());
    for (const auto& row : each.rows)
      for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    const auto add = [&](const std::vector<std::string>& row) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
        const std::string blanks(widths[i] - row[i].size(), ' ');
        line += i == 0 ? " " + row[i] + blanks : "  " + blanks + row[i];
      }
      text += line + "\n";
    };
    add(each.columns);
    for (const auto& row : each.rows) add(row);
  }
  return text;
}

std::string as_json(const std::vector<analysis>& all) {
  std::string to = "{\"analyses\":[";
  const auto list = [&](const std::vector<std::string>& row) {
    to += '[';
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) to += ',';
      if (is_number(row[i]))
        to += row[i];
      else
        text::write_string(to, row[i]);
    }
    to += ']';
  };
  for (std::size_t a = 0; a < all.size(); ++a) {
    to += a == 0 ? "{\"title\":" : ",{\"title\":";
    text::write_string(to, all[a].title);
    to += ",\"text\":";
    text::write_string(to, all[a].text);
    to += ",\"columns\":";
    list(all[a].columns);
    to += ",\"rows\":[";
    for (std::size_t r = 0; r < all[a].rows.size(); ++r) {
      if (r > 0) to += ',';
      list(all[a].rows[r]);
    }
    to += "]}";
  }
  return to + "],\"schema\":\"morph.spec-analyses/1\"}\n";
}

}  // namespace morph::engine
