// Literals are read as numbers, texts and lists; what cannot be read has no step.
#include "plugin/scout/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "plugin/include/morph/follow_up.hpp"

namespace morph::scout {
namespace {

bool is_floating(const std::string& type) {
  return type == "double" || type == "float";
}

/// Decimal, and not octal.
template <typename Number>
std::optional<Number> number_in(const std::string& code) {
  static const std::regex decimal(std::is_integral_v<Number>
                                      ? R"(([-+]?)\s*(0|[1-9][0-9]*)[uUlL]*)"
                                      : R"(([-+]?)\s*([0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)[fF]?)");
  std::smatch found;
  if (!std::regex_match(code, found, decimal)) return std::nullopt;
  const std::string digits = (found[1] == "-" ? "-" : "") + found[2].str();
  Number made{};
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), made);
  if (end.ec != std::errc() || end.ptr != digits.data() + digits.size()) return std::nullopt;
  return made;
}

/// `"..."` or `std::string("...")`, without escapes, which would have to be read.
std::optional<std::string> text_in(const std::string& code) {
  static const std::regex literal(R"re(\s*(std::string\s*[({]\s*)?"([^"\\\n]*)"\s*[)}]?\s*)re");
  std::smatch found;
  return std::regex_match(code, found, literal) ? std::optional(found[2].str()) : std::nullopt;
}

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  const auto begin = std::ranges::find_if(text, [](unsigned char each) { return std::isspace(each) == 0; });
  return {begin, text.end()};
}

/// "{1, 2, 3}"
std::optional<std::vector<std::string>> elements_in(const std::string& code) {
  const auto begin = code.find('{'), end = code.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  std::vector<std::string> made{""};
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = begin + 1; i < end; ++i) {
    const char each = code[i];
    if (each == '"') in_text = !in_text;
    if (each == '\\') return std::nullopt;
    if (!in_text && (each == '{' || each == '(')) ++depth;
    if (!in_text && (each == '}' || each == ')')) --depth;
    if (!in_text && depth == 0 && each == ',')
      made.emplace_back();
    else
      made.back() += each;
  }
  for (std::string& each : made) each = trimmed(each);
  if (made.back().empty()) made.pop_back();
  return made;
}

using steps = std::vector<literal_step>;

bool is_number(const std::string& type) {
  return !type.starts_with("std::") && type != "bool" && type != "char";
}

/// In front of the input and behind it, which has its type also where a constant takes its place.
literal_step step_of(const std::string& function, const std::string& type, const std::string& more, std::string words) {
  const std::string typed = is_number(type) ? fmt::format("static_cast<{}>(", type) : type + '(';
  return {fmt::format("morph::{}({}", function, typed), fmt::format("){}{})", more.empty() ? "" : ", ", more), true,
          std::move(words)};
}

template <typename Number>
void add_numbers(const literal_pair& pair, steps& to) {
  const auto from = number_in<Number>(pair.source), into = number_in<Number>(pair.follow_up);
  // Of the lowest number there is no opposite.
  if (!from || !into || *from == *into || *from == std::numeric_limits<Number>::lowest()) return;
  if (*into == -*from && !pair.type.starts_with("unsigned")) to.push_back(step_of("negated", pair.type, "", "negated"));
  for (const int factor : {2, 3, 4, 5, 8, 10, 16, 100, 1000})
    if (*from != 0 && std::abs(*from) < Number{1'000'000'000} && *into == factor * *from)
      to.push_back(step_of("scaled", pair.type, std::to_string(factor), fmt::format("times {}", factor)));
  if constexpr (std::is_integral_v<Number>) {
    std::int64_t by = 0;
    if (__builtin_sub_overflow(*into, *from, &by) || by == std::numeric_limits<std::int64_t>::min()) return;
    to.push_back(step_of("shifted", pair.type, std::to_string(by),
                         fmt::format("{} {}", by > 0 ? "plus" : "minus", std::abs(by))));
  } else if (const Number by = *into - *from; std::abs(by) < Number{1'000'000} && by == std::floor(by)) {
    const int whole = static_cast<int>(by);
    to.push_back(step_of("shifted", pair.type, std::to_string(whole),
                         fmt::format("{} {}", whole > 0 ? "plus" : "minus", std::abs(whole))));
  }
}

/// Orders of texts and lists.
template <typename List>
void add_orders(const std::string& type, const List& from, const List& into, steps& to) {
  if (into == morph::reversed(from)) to.push_back(step_of("reversed", type, "", "backwards"));
  if (into == morph::rotated(from)) to.push_back(step_of("rotated", type, "", "with its first element last"));
}

void add_texts(const std::string& type, const std::string& from, const std::string& into, steps& to) {
  if (from == into) return;
  if (into == morph::upper(from)) to.push_back(step_of("upper", type, "", "in upper case"));
  if (into == morph::lower(from)) to.push_back(step_of("lower", type, "", "in lower case"));
  add_orders(type, from, into, to);
  if (into == morph::sorted(from)) to.push_back(step_of("sorted", type, "", "sorted"));
  if (into == morph::without_blanks(from)) to.push_back(step_of("without_blanks", type, "", "without blanks"));
  const auto at = from.empty() ? std::string::npos : into.find(from);
  if (at == std::string::npos) return;
  const std::string before = into.substr(0, at), behind = into.substr(at + from.size());
  std::string words;
  if (!before.empty()) words += fmt::format("behind \"{}\"", before);
  if (!behind.empty()) words += fmt::format("{}in front of \"{}\"", words.empty() ? "" : " and ", behind);
  to.push_back({(before.empty() ? "" : fmt::format("\"{}\" + ", before)) + "std::string(",
                ")" + (behind.empty() ? "" : fmt::format(" + \"{}\"", behind)), true, words});
}

void add_lists(const std::string& type, const std::vector<std::string>& from, const std::vector<std::string>& into,
               steps& to) {
  if (from == into) return;
  add_orders(type, from, into, to);
  const auto is_before = [](const std::string& a, const std::string& b) {
    const auto one = number_in<double>(a), other = number_in<double>(b);
    return one && other ? *one < *other : a < b;
  };
  if (std::ranges::is_sorted(into, is_before) && std::ranges::is_permutation(from, into))
    to.push_back(step_of("sorted", type, "", "sorted"));
  if (into.size() > from.size() && std::equal(from.begin(), from.end(), into.begin())) {
    const std::string all =
        fmt::format("{}", fmt::join(into.begin() + static_cast<std::ptrdiff_t>(from.size()), into.end(), ", "));
    to.push_back(step_of("joined", type, fmt::format("{}{{{}}}", type, all), fmt::format("with {} at its end", all)));
  }
}

/// Pairs that one step has to explain.
using kind = std::tuple<std::string, std::string, std::string, std::size_t>;

kind kind_of(const relation& of, std::size_t place) {
  return {of.first.callee, of.second.callee, of.by, place};
}

struct evidence {
  std::set<std::pair<std::string, std::string>> pairs{};
  steps common{};
};

bool declare(relation& in, const std::map<kind, evidence>& known) {
  relation_function& function = *in.function;
  std::vector<std::string> declared;
  for (std::size_t i = 0; i < function.pairs.size(); ++i) {
    const literal_pair& pair = function.pairs[i];
    const std::string input = function.given + '.' + pair.input;
    std::string code = input;
    if (pair.source != pair.follow_up) {
      const evidence& all = known.at(kind_of(in, i));
      if (all.common.empty()) return false;
      const literal_step& step = all.common.front();
      code = step.before + (step.takes_input ? input : "") + step.behind;
      function.inferred.push_back(fmt::format("the second call's {} is the first call's, {} (explains {} of {} pair{})",
                                              pair.input, step.words, all.pairs.size(), all.pairs.size(),
                                              all.pairs.size() == 1 ? "" : "s"));
    }
    declared.push_back(fmt::format("const {} {} = {};", pair.type, pair.name, code));
  }
  function.lines.insert(function.lines.begin(), declared.begin(), declared.end());
  function.pairs.clear();
  return !function.inferred.empty();
}

}  // namespace

std::vector<literal_step> steps_of(const literal_pair& pair, const relation_function& with) {
  steps made;
  if (is_floating(pair.type))
    add_numbers<double>(pair, made);
  else if (is_number(pair.type))
    add_numbers<std::int64_t>(pair, made);
  for (const literal_pair& other : with.pairs)
    if (&other != &pair && other.type == pair.type && other.source == pair.follow_up && other.source != pair.source) {
      made.insert(made.begin(),
                  {fmt::format("{}.{}", with.given, other.input), "", false, "exchanged with another input"});
      break;
    }
  const auto from = text_in(pair.source), into = text_in(pair.follow_up);
  if (pair.type == "std::string" && from && into) add_texts(pair.type, *from, *into, made);
  if (pair.type.starts_with("std::vector")) {
    const auto before = elements_in(pair.source), after = elements_in(pair.follow_up);
    if (before && after) add_lists(pair.type, *before, *after, made);
  }
  return made;
}

void infer_follow_ups(std::vector<test>& tests) {
  std::map<kind, evidence> known;
  for (const test& one : tests)
    for (const relation& each : one.relations) {
      if (!each.function) continue;
      const relation_function& function = *each.function;
      for (std::size_t i = 0; i < function.pairs.size(); ++i) {
        const literal_pair& pair = function.pairs[i];
        if (pair.source == pair.follow_up) continue;
        evidence& all = known[kind_of(each, i)];
        steps own = steps_of(pair, function);
        if (all.pairs.empty())
          all.common = std::move(own);
        else
          std::erase_if(all.common,
                        [&](const literal_step& step) { return std::ranges::find(own, step) == own.end(); });
        all.pairs.insert({pair.source, pair.follow_up});
      }
    }
  for (test& one : tests)
    for (relation& each : one.relations) {
      if (!each.function || each.function->pairs.empty() || declare(each, known)) continue;
      each.function.reset();
      each.no_function = "the second call's input is written beside the first call's, and no step explains all pairs";
    }
}

}  // namespace morph::scout
