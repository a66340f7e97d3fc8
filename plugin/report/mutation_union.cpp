// Checks that results are of the same sources, and unites verdicts.
#include "plugin/report/mutation_union.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

#include "plugin/report/mutation_parts.hpp"

namespace morph::report {
namespace {

/// Each state has its own: which of two is taken depends on no order.
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
    case mutant_state::timed_out:
      return 4;
    case mutant_state::crashed:
      return 5;
    case mutant_state::killed:
      return 6;
  }
  return 0;
}

bool is_same(const mutant_result& a, const mutant_result& b) {
  return a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.op == b.op && a.replacement == b.replacement;
}

/// Those of one that says more than the other stay in their order.
template <typename Item, typename Less = std::less<>>
void unite_lists(std::vector<Item>& one, const std::vector<Item>& other, Less less = {}) {
  if (one == other || other.empty()) return;
  if (one.empty()) {
    one = other;
    return;
  }
  one.insert(one.end(), other.begin(), other.end());
  std::ranges::sort(one, less);
  const auto equal = std::ranges::unique(one);
  one.erase(equal.begin(), equal.end());
}

void take_most(auto& one, const auto& other) {
  one = std::max(one, other);
}

template <typename Number>
void take_most(std::map<std::string, Number>& one, const std::map<std::string, Number>& other) {
  for (const auto& [name, number] : other) {
    const auto known = one.try_emplace(name, number).first;
    known->second = std::max(known->second, number);
  }
}

void unite(mutant_result& one, const mutant_result& other) {
  const int difference = weight(other.state) - weight(one.state);
  if (difference > 0) {
    one.state = other.state;
    one.reason = other.reason;
    one.is_recalled = other.is_recalled;
  } else if (difference == 0) {
    take_most(one.reason, other.reason);
    one.is_recalled = one.is_recalled && other.is_recalled;
  }
  unite_lists(one.killers, other.killers);
  one.node = std::min(one.node, other.node);
  one.function_node = std::min(one.function_node, other.function_node);
  take_most(one.covering, other.covering);
  take_most(one.infected, other.infected);
  take_most(one.unobserved, other.unobserved);
  take_most(one.ran, other.ran);
  take_most(one.cpu_us, other.cpu_us);
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
  std::ranges::stable_sort(into, [](const function_result& a, const function_result& b) {
    return std::tuple(a.begin, ~a.end, std::string_view(a.name)) <
           std::tuple(b.begin, ~b.end, std::string_view(b.name));
  });
}

/// A test that a run has left out has judged nothing there.
void unite(std::vector<judging_test>& into, const std::vector<judging_test>& others) {
  bool is_new = false;
  for (const judging_test& other : others) {
    const auto known = std::ranges::find(into, other.name, &judging_test::name);
    if (known == into.end()) {
      into.push_back(other);
      is_new = true;
      continue;
    }
    take_most(known->why_left_out, other.why_left_out);
    take_most(known->in_build, other.in_build);
  }
  if (is_new) std::ranges::sort(into, {}, [](const judging_test& t) { return std::tie(t.program, t.name); });
}

std::optional<std::string> difference_between(const mutation_result& one, const mutation_result& other) {
  for (const mutated_source& file : one.files)
    if (const auto same = std::ranges::find(other.files, file.path, &mutated_source::path);
        same != other.files.end() && same->text != file.text)
      return fmt::format("'{}' was not the same", file.path);
  if (one.run && other.run)
    if (std::string what = difference_of(one.run->facts, other.run->facts); !what.empty()) return what;
  if (!std::ranges::equal(one.files, other.files, {}, &mutated_source::path, &mutated_source::path))
    return "they have mutants in other files";
  for (std::size_t f = 0; f < one.files.size(); ++f)
    if (!std::ranges::equal(one.files[f].mutants, other.files[f].mutants, is_same))
      return fmt::format("'{}' has other mutants", one.files[f].path);
  return std::nullopt;
}

}  // namespace

tl::expected<mutation_result, std::string> unite(mutation_result one, const mutation_result& other) {
  if (auto why = difference_between(one, other)) return tl::unexpected(std::move(*why));
  if (one.run && other.run)
    one.run = unite(*one.run, *other.run);
  else
    one.run.reset();
  for (std::size_t f = 0; f < one.files.size(); ++f) {
    mutated_source& file = one.files[f];
    const mutated_source& more = other.files[f];
    for (std::size_t i = 0; i < file.mutants.size(); ++i) unite(file.mutants[i], more.mutants[i]);
    unite(file.functions, more.functions);
  }
  unite(one.tests, other.tests);
  unite_lists(one.not_run, other.not_run);
  unite_lists(one.rejected_units, other.rejected_units, [](const unread_unit& a, const unread_unit& b) {
    return std::tie(a.unit, a.first_error, a.errors) < std::tie(b.unit, b.first_error, b.errors);
  });
  unite_lists(one.rejected_parts, other.rejected_parts, [](const rejected_part& a, const rejected_part& b) {
    return std::tie(a.path, a.line, a.what, a.mutants, a.why) < std::tie(b.path, b.line, b.what, b.mutants, b.why);
  });
  one.operators.insert(other.operators.begin(), other.operators.end());
  one.is_whole = one.is_whole && other.is_whole;
  one.has_all_killers = one.has_all_killers && other.has_all_killers;
  take_most(one.left_out, other.left_out);
  take_most(one.compile_time_only, other.compile_time_only);
  take_most(one.units, other.units);
  take_most(one.units_read, other.units_read);
  take_most(one.candidates, other.candidates);
  take_most(one.not_compilable, other.not_compilable);
  take_most(one.rejected_by_compiler, other.rejected_by_compiler);
  take_most(one.sample_of, other.sample_of);
  take_most(one.seconds, other.seconds);
  take_most(one.cpu_seconds, other.cpu_seconds);
  take_most(one.at, other.at);
  return one;
}

}  // namespace morph::report
