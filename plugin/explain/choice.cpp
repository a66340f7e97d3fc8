// Names, ranks, and what to say where there is nothing to explain.
#include "plugin/explain/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/system/counted.hpp"
#include "plugin/writing/edit_distance.hpp"

namespace morph::explain {
namespace {

using report::mutant_number;
using report::mutant_state;

const report::mutant_result& mutant_of(const report::mutation_result& result, mutant_number number) {
  return result.files[number.file].mutants[number.mutant];
}

std::uint32_t line_of(const std::string& text, std::uint32_t offset) {
  return static_cast<std::uint32_t>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n')) +
         1;
}

int rank_of(const report::mutated_source& file, const report::mutant_result& mutant) {
  const report::function_result* function = report::function_around(file, mutant);
  if (mutant.kind == report::mutant_kind::body && function != nullptr && function->how == report::tested::pseudo_tested)
    return 0;
  switch (report::difference_of(mutant)) {
    case report::difference::seen:
      return 1;
    case report::difference::unknown:
      return 2;
    case report::difference::none:
      break;
  }
  return 3;
}

/// By rank; of equal ones the first of each function, then the second of each.
std::vector<mutant_number> best_first(const report::mutation_result& result, const std::vector<mutant_number>& all) {
  std::map<int, std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<mutant_number>>> by_rank;
  for (const mutant_number each : all) {
    const report::mutated_source& file = result.files[each.file];
    const report::mutant_result& mutant = mutant_of(result, each);
    const report::function_result* function = report::function_around(file, mutant);
    by_rank[rank_of(file, mutant)][{each.file, function == nullptr ? mutant.begin : function->begin}].push_back(each);
  }
  std::vector<mutant_number> made;
  for (const auto& [rank, functions] : by_rank)
    for (std::size_t turn = 0, before = all.size() + 1; made.size() != before; ++turn) {
      before = made.size();
      for (const auto& [function, mutants] : functions)
        if (turn < mutants.size()) made.push_back(mutants[turn]);
    }
  return made;
}

std::string alike(const report::mutation_result& result, const std::string& named) {
  std::set<std::string> names;
  for (const report::mutated_source& file : result.files) {
    names.insert(file.path);
    for (const report::function_result& each : file.functions) {
      const std::string whole = each.name.substr(0, each.name.rfind('('));
      names.insert(whole);
      if (const auto at = whole.rfind("::"); at != std::string::npos) names.insert(whole.substr(at + 2));
    }
  }
  return writing::nearest_name(names, std::max<std::size_t>(2, named.size() / 2),
                               [&](const std::string& each) { return writing::edit_distance(each, named); });
}

std::string not_there(const report::mutation_result& result, const std::string& named) {
  const std::string near = alike(result, named);
  return fmt::format("the last `morph mutate` has no mutant, function or place '{}'{}", named,
                     near.empty() ? "; `morph report mutation -v` lists survivors with their places"
                                  : fmt::format("; did you mean '{}'?", near));
}

/// Mutants are named that no explanation is made of.
std::string nothing_to_explain(const report::mutation_result& result, const std::vector<mutant_number>& named,
                               const std::string& name) {
  std::map<mutant_state, std::size_t> states;
  for (const mutant_number each : named) ++states[mutant_of(result, each).state];
  if (states.size() == 1 && states.contains(mutant_state::not_covered))
    return fmt::format("no test reaches '{}'; it needs a first test, which `morph generate --unit {}` can look for",
                       name, result.files[named.front().file].path);
  if (states.size() == 1 && states.contains(mutant_state::not_judged))
    return fmt::format("no test has judged '{}' yet; run `morph mutate` again", name);
  std::vector<std::string> counts;
  for (const auto& [state, count] : states)
    counts.push_back(named.size() == 1 ? std::string(report::name_of(state))
                                       : fmt::format("{} {}", count, report::name_of(state)));
  std::string text = fmt::format("there is nothing to explain of '{}': {}", name, fmt::join(counts, ", "));
  const report::mutant_result& first = mutant_of(result, named.front());
  if (named.size() == 1 && !first.killers.empty()) text += fmt::format(" by {}", first.killers.front());
  return text;
}

}  // namespace

bool is_changed(const report::mutated_source& file, std::uint32_t begin, std::uint32_t end,
                const mutating::changed_lines& changed) {
  const auto runs = changed.find(file.path);
  if (runs == changed.end()) return false;
  for (const report::function_result& each : file.functions)
    if (each.begin <= begin && end <= each.end) {
      begin = each.begin;
      end = each.end;
      break;  // the outermost one, as `morph mutate --diff` takes it
    }
  const std::uint32_t first = line_of(file.text, begin), last = line_of(file.text, end);
  return std::ranges::any_of(runs->second,
                             [&](const mutating::line_run& run) { return run.first <= last && first <= run.last; });
}

result<chosen_mutants> choose(const report::mutation_result& result, const choice& asked) {
  std::vector<mutant_number> all;
  if (!asked.named.empty()) {
    all = report::mutants_named(result, asked.named);
    if (all.empty()) return tl::unexpected(not_there(result, asked.named));
  } else {
    for (std::uint32_t f = 0; f < result.files.size(); ++f)
      for (std::uint32_t m = 0; m < result.files[f].mutants.size(); ++m) all.push_back({f, m});
  }
  std::vector<mutant_number> meant;
  for (const mutant_number each : all) {
    const report::mutant_result& mutant = mutant_of(result, each);
    if (mutant.state == mutant_state::survived &&
        (!asked.among || is_changed(result.files[each.file], mutant.begin, mutant.end, *asked.among)))
      meant.push_back(each);
  }
  if (meant.empty() && !asked.named.empty() && !asked.among)
    return tl::unexpected(nothing_to_explain(result, all, asked.named));
  chosen_mutants made{best_first(result, meant), 0};
  if (made.mutants.size() > asked.most) {
    made.left_out = made.mutants.size() - asked.most;
    made.mutants.resize(asked.most);
  }
  return made;
}

explained_change change_of(const report::mutation_result& result, mutant_number number) {
  const report::mutated_source& file = result.files[number.file];
  const report::mutant_result& mutant = mutant_of(result, number);
  explained_change made;
  made.id = report::mutant_ids(file)[number.mutant];
  made.file = file.path;
  made.op = mutant.op;
  made.from = mutant.from;
  made.to = mutant.to;
  made.kind = mutant.kind;
  made.original = report::on_one_line(report::original_of(file, mutant));
  made.replacement = report::on_one_line(mutant.replacement);
  made.value = report::difference_of(mutant);
  made.infected = mutant.infected;
  const report::source_lines lines(file.text);
  made.shown_from = report::in_utf16(lines, mutant.from);
  made.shown_to = report::in_utf16(lines, mutant.to);
  made.lines = report::change_of(file, lines, mutant);
  if (const report::function_result* function = report::function_around(file, mutant)) {
    made.function = function->name;
    made.function_line = function->line;
  }
  return made;
}

}  // namespace morph::explain
