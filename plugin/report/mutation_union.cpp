#include "plugin/report/mutation_union.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::report {
namespace {

int weight(mutant_state state) {
  switch (state) {
    case mutant_state::not_judged:
      return 0;
    case mutant_state::not_covered:
      return 1;
    case mutant_state::survived:
      return 2;
    case mutant_state::equivalent:
      return 3;
    case mutant_state::killed:
    case mutant_state::crashed:
    case mutant_state::timed_out:
      return 4;
  }
  return 0;
}

bool is_same(const mutant_result& a, const mutant_result& b) {
  return a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.op == b.op && a.replacement == b.replacement;
}

void unite(mutant_result& one, const mutant_result& other) {
  if (weight(other.state) > weight(one.state)) {
    one.state = other.state;
    one.reason = other.reason;
    one.is_recalled = other.is_recalled;
  }
  for (const std::string& test : other.killers)
    if (std::ranges::find(one.killers, test) == one.killers.end()) one.killers.push_back(test);
  one.covering = std::max(one.covering, other.covering);
  one.infected = std::max(one.infected, other.infected);
  one.unobserved = std::max(one.unobserved, other.unobserved);
  one.ran += other.ran;
  one.cpu_us += other.cpu_us;
}

std::optional<tested> unite(std::optional<tested> one, std::optional<tested> other) {
  if (!one || !other) return one ? one : other;
  if (one == other || other == tested::not_covered) return one;
  return one == tested::not_covered ? other : tested::partly_tested;
}

/// By line and name; each knows the transformations that it has judged.
void unite(std::vector<function_result>& into, const std::vector<function_result>& others) {
  for (const function_result& other : others) {
    const auto known = std::ranges::find_if(
        into, [&](const function_result& f) { return f.line == other.line && f.name == other.name; });
    if (known == into.end())
      into.push_back(other);
    else
      known->how = unite(known->how, other.how);
  }
  std::ranges::stable_sort(into, {}, &function_result::begin);
}

}  // namespace

tl::expected<mutation_result, std::string> unite(mutation_result one, const mutation_result& other) {
  if (!std::ranges::equal(one.files, other.files, {}, &mutated_source::path, &mutated_source::path))
    return tl::unexpected(std::string("they have mutants in other files"));
  for (std::size_t f = 0; f < one.files.size(); ++f) {
    mutated_source& file = one.files[f];
    const mutated_source& more = other.files[f];
    if (file.text != more.text) return tl::unexpected(fmt::format("'{}' was not the same", file.path));
    if (!std::ranges::equal(file.mutants, more.mutants, is_same))
      return tl::unexpected(fmt::format("'{}' has other mutants", file.path));
    for (std::size_t i = 0; i < file.mutants.size(); ++i) unite(file.mutants[i], more.mutants[i]);
    unite(file.functions, more.functions);
  }
  for (const judging_test& test : other.tests)
    if (std::ranges::find(one.tests, test.name, &judging_test::name) == one.tests.end()) one.tests.push_back(test);
  for (const std::string& why : other.not_run)
    if (std::ranges::find(one.not_run, why) == one.not_run.end()) one.not_run.push_back(why);
  one.is_whole = one.is_whole && other.is_whole;
  one.has_all_killers = one.has_all_killers && other.has_all_killers;
  one.rejected_by_compiler = std::max(one.rejected_by_compiler, other.rejected_by_compiler);
  for (const auto& [path, count] : other.compile_time_only)
    one.compile_time_only[path] = std::max(one.compile_time_only[path], count);
  one.units_read += other.units_read;
  one.seconds = std::max(one.seconds, other.seconds);
  for (const auto& [step, seconds] : other.cpu_seconds) one.cpu_seconds[step] += seconds;
  one.at = std::max(one.at, other.at);
  return one;
}

}  // namespace morph::report
