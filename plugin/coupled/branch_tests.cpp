// The join of mapped sites and the tests of their numbers.
#include "plugin/coupled/branch_tests.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "plugin/git/line_map.hpp"

namespace morph::coupled {
namespace {

using nlohmann::json;

void unite(test_bits& all, const test_bits& more) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] |= more[i];
}

bool touches(const git::file_change& change, std::uint32_t first, std::uint32_t last) {
  if (change.how != git::file_change::kind::modified || change.binary) return true;
  return std::ranges::any_of(change.hunks, [&](const git::hunk& each) {
    // A hunk without new lines stands behind new_start.
    if (each.new_count == 0) return first <= each.new_start && each.new_start < last;
    return each.new_start <= last && first < each.new_start + each.new_count;
  });
}

}  // namespace

std::vector<std::uint32_t> common(const test_bits& a, const test_bits& b) {
  std::vector<std::uint32_t> made;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::uint64_t left = a[i] & b[i]; left != 0; left &= left - 1)
      made.push_back(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(left))));
  return made;
}

std::vector<const json*> functions_read(const coupling::branch_graph& graph, const std::vector<json>& units) {
  std::map<std::tuple<std::string, std::uint32_t, std::string, std::uint32_t>, const json*> read;
  for (const json& unit : units)
    for (const json& file : unit.at("files"))
      for (const json& each : file.at("functions"))
        read.try_emplace({file.at("path"), each.at("line"), each.at("name"), each.at("end")}, &each);
  std::vector<const json*> made;
  for (const coupling::function& each : graph.functions) {
    const auto found = read.find({each.file, each.line, each.name, each.end});
    made.push_back(found == read.end() ? nullptr : found->second);
  }
  return made;
}

branch_evidence::branch_evidence(const coupling::branch_graph& graph, const std::vector<const json*>& read,
                                 const report::coverage& covered,
                                 const std::map<std::string, std::vector<store::packed_way>>& ways,
                                 const std::vector<git::file_change>& changes)
    : tests_(covered.tests.size()) {
  for (const auto& tests : covered.test_sets) {
    test_bits& bits = sets_.emplace_back(tests_ / 64 + 1);
    for (const std::uint32_t test : tests) bits[test / 64] |= std::uint64_t{1} << (test % 64);
  }
  std::map<std::string, const git::file_change*> changed;
  for (const git::file_change& each : changes) changed[each.path] = &each;
  std::map<std::string, file_decisions> compiled;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> beginning;  // functions by line
  for (const coupling::function& each : graph.functions) ++beginning[{each.file, each.line}];
  for (std::size_t f = 0; f < graph.functions.size(); ++f) {
    const coupling::function& each = graph.functions[f];
    const auto change = changed.find(each.file);
    const auto* const how = change == changed.end() ? nullptr : change->second;
    function_tests made;
    made.is_changed = how != nullptr && touches(*how, each.line, each.end_line);
    if (!made.is_changed) {
      const file_decisions* found = nullptr;
      if (const auto known = ways.find(each.file); known != ways.end() && (beginning[{each.file, each.line}] == 1))
        found = &compiled
                     .try_emplace(each.file, how == nullptr
                                                 ? known->second
                                                 : report::moved_decisions(known->second, git::line_map(how->hunks)))
                     .first->second;
      made = tests_of(each, read[f], found, covered);
    }
    functions_.push_back(std::move(made));
  }
}

branch_evidence::function_tests branch_evidence::tests_of(const coupling::function& of, const json* read,
                                                          const file_decisions* compiled,
                                                          const report::coverage& covered) const {
  const test_bits none(tests_ / 64 + 1);
  function_tests made{.entered = {none, none}, .of_site = {}};
  const report::reported_file* const file = covered.find(of.file);
  std::map<std::uint32_t, const report::reported_line*> lines;
  if (file != nullptr) {
    for (const report::reported_line& each : file->lines)
      if (of.line <= each.number && each.number <= of.end_line) {
        lines[each.number] = &each;
        unite(made.entered.perhaps, sets_[each.tests]);
      }
    for (const report::reported_function& each : file->functions)
      if (each.line == of.line) unite(made.entered.surely, sets_[each.tests]);
    unite(made.entered.perhaps, made.entered.surely);
  }
  std::vector<site_numbers> numbers;
  if (read != nullptr && compiled != nullptr) numbers = map_sites(*read, *compiled);
  for (std::uint32_t s = 0; s < of.sites.size(); ++s) {
    // What no test can have run is not taken, whatever compilers make of it.
    const std::size_t outcomes = of.sites[s].outcomes.empty() ? 0 : of.sites[s].outcomes.back() + std::size_t{1};
    auto& site = made.of_site.emplace_back(outcomes, branch_tests{none, made.entered.perhaps});
    if (s >= numbers.size()) continue;
    const auto line = lines.find(numbers[s].line);
    if (line == lines.end()) continue;
    for (std::size_t outcome = 0; outcome < std::min(outcomes, numbers[s].of_outcome.size()); ++outcome) {
      const auto number = numbers[s].of_outcome[outcome];
      const auto& known = line->second->branches;
      const auto at = number ? std::ranges::find(known, *number, &report::reported_outcome::number) : known.end();
      if (at != known.end()) site[outcome] = {sets_[at->tests], sets_[at->tests]};
    }
  }
  return made;
}

const branch_tests& branch_evidence::of(coupling::branch_id branch) const {
  const function_tests& function = functions_[branch.function];
  return branch.is_entry() ? function.entered : function.of_site.at(branch.site).at(branch.outcome);
}

}  // namespace morph::coupled
