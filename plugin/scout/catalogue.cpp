// Literals are read as numbers, texts and lists; what cannot be read has no step.
#include "plugin/scout/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>

namespace morph::scout {
namespace {

/// Decimal.
std::optional<double> number_in(const std::string& code) {
  static const std::regex decimal(R"(([-+]?)\s*([0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)[uUlLfF]*)");
  std::smatch found;
  if (!std::regex_match(code, found, decimal)) return std::nullopt;
  const double made = std::strtod(found[2].str().c_str(), nullptr);
  return found[1] == "-" ? -made : made;
}

/// Without escapes, which would have to be read.
std::optional<std::string> text_in(const std::string& code) {
  const auto begin = code.find('"'), end = code.rfind('"');
  if (begin == std::string::npos || end == begin) return std::nullopt;
  std::string made = code.substr(begin + 1, end - begin - 1);
  if (made.find_first_of("\\\"\n") != std::string::npos) return std::nullopt;
  return made;
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

void add_numbers(const literal_pair& pair, steps& to) {
  const auto from = number_in(pair.source), into = number_in(pair.follow_up);
  if (!from || !into || *from == *into) return;
  const bool is_unsigned = pair.type.starts_with("unsigned");
  if (*into == -*from && !is_unsigned) to.push_back({"morph::negated({})", "negated"});
  for (const int factor : {2, 3, 4, 5, 8, 10, 16, 100, 1000})
    if (*from != 0 && *into == factor * *from)
      to.push_back({fmt::format("morph::scaled({{}}, {})", factor), fmt::format("times {}", factor)});
  const double by = *into - *from;
  const bool is_whole = by == static_cast<double>(static_cast<std::int64_t>(by));
  if (is_whole)
    to.push_back({fmt::format("morph::shifted({{}}, {})", static_cast<std::int64_t>(by)),
                  fmt::format("{} {}", by > 0 ? "plus" : "minus", std::abs(static_cast<std::int64_t>(by)))});
}

std::string mapped(std::string text, int (*by)(int)) {
  for (char& each : text) each = static_cast<char>(by(static_cast<unsigned char>(each)));
  return text;
}

template <typename List>
List rotated(List of) {
  if (!of.empty()) std::rotate(of.begin(), of.begin() + 1, of.end());
  return of;
}
template <typename List>
List reversed(List of) {
  std::reverse(of.begin(), of.end());
  return of;
}

/// Orders of texts and lists.
template <typename List>
void add_orders(const List& from, const List& into, steps& to) {
  if (into == reversed(from)) to.push_back({"morph::reversed({})", "backwards"});
  if (into == rotated(from)) to.push_back({"morph::rotated({})", "with its first element last"});
}

void add_texts(const std::string& from, const std::string& into, steps& to) {
  if (from == into) return;
  if (into == mapped(from, std::toupper)) to.push_back({"morph::upper({})", "in upper case"});
  if (into == mapped(from, std::tolower)) to.push_back({"morph::lower({})", "in lower case"});
  add_orders(from, into, to);
  std::string sorted = from, packed = from;
  std::ranges::sort(sorted);
  if (into == sorted) to.push_back({"morph::sorted({})", "sorted"});
  std::erase_if(packed, [](unsigned char each) { return std::isspace(each) != 0; });
  if (into == packed) to.push_back({"morph::without_blanks({})", "without blanks"});
  const auto at = from.empty() ? std::string::npos : into.find(from);
  if (at == std::string::npos) return;
  const std::string before = into.substr(0, at), behind = into.substr(at + from.size());
  std::string code = "std::string({})", words;
  if (!before.empty()) {
    code = fmt::format("\"{}\" + {}", before, code);
    words += fmt::format("behind \"{}\"", before);
  }
  if (!behind.empty()) {
    code += fmt::format(" + \"{}\"", behind);
    words += fmt::format("{}in front of \"{}\"", words.empty() ? "" : " and ", behind);
  }
  to.push_back({code, words});
}

void add_lists(const std::string& type, const std::vector<std::string>& from, const std::vector<std::string>& into,
               steps& to) {
  if (from == into) return;
  add_orders(from, into, to);
  const auto is_before = [](const std::string& a, const std::string& b) {
    const auto one = number_in(a), other = number_in(b);
    return one && other ? *one < *other : a < b;
  };
  if (std::ranges::is_sorted(into, is_before) && std::ranges::is_permutation(from, into))
    to.push_back({"morph::sorted({})", "sorted"});
  if (into.size() > from.size() && std::equal(from.begin(), from.end(), into.begin())) {
    const std::vector<std::string> added(into.begin() + static_cast<std::ptrdiff_t>(from.size()), into.end());
    std::string all;
    for (const std::string& each : added) all += (all.empty() ? "" : ", ") + each;
    to.push_back({fmt::format("morph::joined({{}}, {}{{{}}})", type, all), fmt::format("with {} at its end", all)});
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
      code = step.code;
      if (const auto at = code.find("{}"); at != std::string::npos) code.replace(at, 2, input);
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
  if (is_number(pair.type)) add_numbers(pair, made);
  for (const literal_pair& other : with.pairs)
    if (&other != &pair && other.type == pair.type && other.source == pair.follow_up && other.source != pair.source) {
      made.insert(made.begin(), {fmt::format("{}.{}", with.given, other.input), "exchanged with another input"});
      break;
    }
  const auto from = text_in(pair.source), into = text_in(pair.follow_up);
  if (pair.type == "std::string" && from && into) add_texts(*from, *into, made);
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
