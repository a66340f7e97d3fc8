// Listings and filters of Boost.Test.
#include <algorithm>
#include <charconv>
#include <map>

#include "plugin/frameworks/boost.hpp"
#include "plugin/frameworks/rows.hpp"

namespace morph::frameworks {
namespace {

using unit_id = std::uint64_t;
constexpr unit_id first_case = 0x10000;  // suites have the numbers below

struct unit {
  std::string name, file;
  int line = 0;
  bool enabled = false;
};

/// Takes the number that begins the text.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

/// `file(line)`, with nothing or another field behind it.
bool read_place(std::string_view text, unit& into) {
  for (auto open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    std::string_view rest = text.substr(open + 1);
    int line = 0;
    if (!take_number(rest, line) || !take(rest, ")") || (!rest.empty() && rest.front() != '|')) continue;
    into.file = std::string(text.substr(0, open));
    into.line = line;
    return true;
  }
  return false;
}

/// `name|file(line)|...`: a name may have bars, too.
unit read_label(std::string_view label) {
  unit read;
  for (auto bar = label.rfind('|'); bar != std::string_view::npos && bar > 0; bar = label.rfind('|', bar - 1)) {
    if (!read_place(label.substr(bar + 1), read)) continue;
    read.name = std::string(label.substr(0, bar));
    return read;
  }
  read.name = std::string(label);
  return read;
}

class dot_reader {
 public:
  explicit dot_reader(std::string_view text) : text_(text) {}

  std::vector<listed_case> cases() {
    for (auto at = text_.find("\ntu"); at != std::string_view::npos; at = text_.find("\ntu", at + 1)) {
      std::string_view rest = text_.substr(at + 3);
      unit_id number = 0, child = 0;
      if (!take_number(rest, number)) continue;
      if (rest.starts_with("[shape="))
        at += 3 + read_unit(number, rest);
      else if (take(rest, " -> tu") && take_number(rest, child) && rest.starts_with(";"))
        add(number, child);
    }
    return std::move(cases_);
  }

 private:
  /// The bytes of it.
  std::size_t read_unit(unit_id number, std::string_view text) {
    constexpr std::string_view label = ",label=\"", end = "\"];\n";
    const auto begin = text.find(label), close = text.find(end);
    if (begin == std::string_view::npos || close == std::string_view::npos || close < begin + label.size()) return 0;
    unit read = read_label(text.substr(begin + label.size(), close - begin - label.size()));
    read.enabled = text.substr(0, begin).find("color=green") != std::string_view::npos;
    if (units_.empty()) root_ = number;
    units_[number] = std::move(read);
    return close;
  }

  void add(unit_id parent, unit_id child) {
    const auto at = units_.find(child);
    if (at == units_.end()) return;
    const std::string above = parent == root_ ? std::string() : units_[parent].name + '/';
    at->second.name.insert(0, above);
    const unit& made = at->second;
    if (child >= first_case && made.enabled) cases_.push_back({made.name, made.name, made.file, made.line, false, {}});
  }

  std::string_view text_;
  std::map<unit_id, unit> units_;
  unit_id root_ = 0;
  std::vector<listed_case> cases_;
};

/// One level of a name.
std::string level_pattern(std::string_view name, bool is_first) {
  constexpr std::string_view special = ":,*", marks = "!+@";
  std::size_t from = 0;
  if (is_first && !name.empty() && marks.find(name.front()) != std::string_view::npos) from = 1;
  const auto first = name.find_first_of(special, from);
  if (from == 0 && first == std::string_view::npos) return std::string(name);
  const std::string_view before = from == 0 ? name.substr(0, first) : std::string_view();
  if (!before.empty()) return std::string(before) + '*';
  const auto last = name.find_last_of(special);
  const std::string_view behind = name.substr(last == std::string_view::npos ? from : std::max(from, last + 1));
  return '*' + std::string(behind);
}

}  // namespace

result<std::vector<listed_case>> parse_boost_dot(std::string_view text) {
  const auto begin = text.find("digraph G {");
  if (begin == std::string_view::npos) return tl::unexpected(std::string("printed no list of tests"));
  return dot_reader(text.substr(begin)).cases();
}

result<std::vector<listed_case>> list_boost(const listing_program& program) {
  // A main() of its own may leave its arguments alone: then the program runs its tests.
  const std::vector<std::string> list{"--list_content=DOT", "--report_sink=" + program.report.string()};
  const listing_end end = list_with(program, list);
  if (!end.succeeded()) return bad_listing(list, end.described);
  auto cases = parse_boost_dot(report_of(program));
  if (!cases) cases = parse_boost_dot(end.err);  // before the sink was an argument
  if (!cases) return bad_listing(list, cases.error());
  return cases;
}

std::string boost_pattern(std::string_view name) {
  std::string pattern;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = name.find('/', begin);
    pattern += (begin == 0 ? "" : "/") + level_pattern(name.substr(begin, end - begin), begin == 0);
  }
  return pattern;
}

std::vector<std::string> choose_boost(std::span<const std::string> names) {
  std::string filter = "--run_test=";
  for (const std::string& name : names) filter += (filter.ends_with('=') ? "" : ":") + boost_pattern(name);
  return {filter};
}

std::string boost_name_in_junit(std::string_view case_name) {
  std::string name(case_name);
  for (char& c : name) c = c == '/' ? '.' : c == ' ' ? '_' : c;
  return name;
}

}  // namespace morph::frameworks
