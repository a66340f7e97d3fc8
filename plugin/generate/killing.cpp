// Functions by the lines of mutants, and a greedy cover.
#include "plugin/generate/killing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <regex>
#include <set>

#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

void add_constants(const std::string& text, std::set<std::int64_t>& numbers) {
  static const std::regex constant("\\b(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,18})\\b|'([^'\\\\])'");
  for (std::sregex_iterator at(text.begin(), text.end(), constant), end; at != end; ++at) {
    std::int64_t number = 0;
    if ((*at)[2].matched) {
      number = static_cast<unsigned char>((*at)[2].str().front());
    } else {
      const std::string digits = (*at)[1];
      const bool is_hex = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
      std::from_chars(digits.data() + (is_hex ? 2 : 0), digits.data() + digits.size(), number, is_hex ? 16 : 10);
    }
    for (const std::int64_t each : {number - 1, number, number + 1}) numbers.insert(each);
  }
}

}  // namespace

std::vector<literal> constants_of(const std::vector<mutant_text>& mutants, const std::filesystem::path& root) {
  std::set<std::int64_t> numbers;
  for (const mutant_text& each : mutants) {
    const auto text = system::read_file(root / each.file);
    if (!text || each.end > text->size() || each.begin > each.end) continue;
    const auto before = each.begin == 0 ? std::string::npos : text->rfind('\n', each.begin - 1);
    const std::size_t from = before == std::string::npos ? 0 : before + 1;
    add_constants(text->substr(from, text->find('\n', each.begin) - from), numbers);
    add_constants(each.replacement, numbers);
  }
  std::vector<literal> made;
  for (const std::int64_t each : numbers) made.push_back({.kind = 'i', .number = each});
  return made;
}

result<void> narrow(subject& to, const std::vector<mutant_text>& mutants, const std::filesystem::path& root) {
  if (mutants.empty()) return {};
  std::map<std::string, std::set<std::uint32_t>> lines;
  for (const mutant_text& each : mutants) {
    const auto text = system::read_file(root / each.file);
    if (!text) return tl::unexpected(text.error());
    const auto end = text->begin() + std::min<std::ptrdiff_t>(each.begin, std::ssize(*text));
    lines[each.file].insert(static_cast<std::uint32_t>(1 + std::count(text->begin(), end, '\n')));
  }
  bool has_one = false;
  for (tested_function& each : to.goals.functions) {
    const auto& of_file = lines[each.file];
    const auto first = of_file.lower_bound(each.line);
    each.is_wanted = each.is_wanted && first != of_file.end() && *first <= each.end_line;
    has_one = has_one || each.is_wanted;
    for (const std::uint32_t goal : each.goals)
      to.goals.goals[goal].is_wanted = to.goals.objectives[goal].is_wanted = each.is_wanted;
  }
  if (has_one) return {};
  return tl::unexpected(fmt::format("no function of '{}' that can report its branches has them", to.unit));
}

std::vector<std::string> keep_killers(std::vector<test_case>& tests, const std::vector<unit_mutant>& mutants,
                                      std::size_t wanted) {
  std::set<std::uint32_t> open;
  for (const test_case& each : tests) open.insert(each.kills.begin(), each.kills.end());
  std::vector<std::string> made(wanted);
  std::vector<bool> is_kept(tests.size(), false);
  while (!open.empty()) {
    const auto worth = [&](const test_case& of) {
      return std::ranges::count_if(of.kills, [&](std::uint32_t mutant) { return open.contains(mutant); });
    };
    const auto best = std::ranges::max_element(tests, {}, worth);
    is_kept[static_cast<std::size_t>(best - tests.begin())] = true;
    for (const std::uint32_t mutant : best->kills)
      if (open.erase(mutant) > 0 && mutants[mutant].wanted) made[*mutants[mutant].wanted] = best->name;
  }
  std::size_t at = 0;
  std::erase_if(tests, [&](const test_case&) { return !is_kept[at++]; });
  return made;
}

}  // namespace morph::generate
