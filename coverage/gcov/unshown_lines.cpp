// Lines that gcov calls not executed though a block that mentions them was (gcov_lines.cpp has the rule): a line of an
// expression over several lines, of which another block decides.
//
// A mention is weak if gcov gives the line to other blocks than the one that mentions it. Where that one is not reached
// but through one of those, both are executed or none. What is left is rare, and so are the functions that have it.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "coverage/gcov/program_model.hpp"

namespace morph::gcov {
namespace {

constexpr std::uint32_t no_block = ~std::uint32_t{0};

using pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Which blocks are executed without any of `others`.
std::vector<bool> reached_without(const std::vector<bool>& others, std::uint32_t blocks, std::span<const arc> arcs,
                                  const std::vector<std::vector<std::uint32_t>>& leaving) {
  std::vector<bool> reached(blocks, false);
  std::vector<std::uint32_t> todo{entry_block};
  reached[entry_block] = true;
  while (!todo.empty()) {
    const auto block = todo.back();
    todo.pop_back();
    for (const auto i : leaving[block]) {
      const auto next = arcs[i].destination;
      if (reached[next] || others[next]) continue;
      reached[next] = true;
      todo.push_back(next);
    }
  }
  return reached;
}

}  // namespace

program_model::given_lines program_model::lines_given_by_gcov(const note_function& from, const instance& made) {
  given_lines given;
  std::uint32_t block = no_block, highest = no_block;
  bool has_lines = false;
  auto mention = made.lines.begin();
  for (const auto& place : from.locations) {
    if (place.block != block) {
      highest = no_block;
      has_lines = false;
    }
    block = place.block;
    const auto here = std::span(from.lines).subspan(place.first, place.count);
    if (!here.empty()) {
      highest = mention[std::distance(here.begin(), std::max_element(here.begin(), here.end()))].line;
      mention += static_cast<std::ptrdiff_t>(here.size());
      has_lines = true;
    } else if (has_lines) {
      ++mention;  // of the line before
    }
    if (highest != no_block && block != entry_block && block + 1 != from.blocks) given.emplace_back(highest, block);
  }
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  return given;
}

void program_model::find_weak_mentions(const note& notes, std::span<const note_function* const> functions) {
  if (notes.clang) return;  // llvm-cov gives a block to all its lines
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> starting_at;
  for (const auto& function : notes.functions)
    if (!function.artificial) ++starting_at[{function.file, function.start_line}];
  const auto first = static_cast<std::uint32_t>(instances_.size() - functions.size());
  const auto is_shown = [&](std::size_t i) {
    return !functions[i]->artificial && instances_[first + i].role == initialization_role::none;
  };
  // Functions that start on one line have lines of their own.
  const auto is_apart = [&](std::size_t i, std::uint32_t line) {
    const auto& function = *functions[i];
    return starting_at[{function.file, function.start_line}] > 1 &&
           lines_[line].file == functions_[instances_[first + i].function].file &&
           function.start_line <= lines_[line].line && lines_[line].line <= function.end_line;
  };
  std::vector<given_lines> given(functions.size());
  given_of_unit_.resize(lines_.size());
  const std::uint32_t unit = ++units_with_lines_;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (!is_shown(i)) continue;
    given[i] = lines_given_by_gcov(*functions[i], instances_[first + i]);
    for (const auto& [line, block] : given[i])
      if (!is_apart(i, line)) given_of_unit_[line] = unit;
  }

  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (!is_shown(i)) continue;
    const instance& here = instances_[first + i];
    pairs weak;  // line and block
    for (const auto& [block, line] : here.lines) {
      const auto own = std::ranges::equal_range(given[i], line, {}, [](const auto& pair) { return pair.first; });
      if (own.empty() && (is_apart(i, line) || given_of_unit_[line] != unit)) continue;
      if (!std::binary_search(own.begin(), own.end(), std::pair(line, block))) weak.emplace_back(line, block);
    }
    if (weak.empty()) continue;
    std::sort(weak.begin(), weak.end());
    weak.erase(std::unique(weak.begin(), weak.end()), weak.end());
    std::vector<std::vector<std::uint32_t>> leaving(here.blocks);
    for (std::uint32_t a = 0; a < here.arcs.size(); ++a) leaving[here.arcs[a].source].push_back(a);
    for (auto at = weak.begin(); at != weak.end();) {
      const std::uint32_t line = at->first;
      std::vector<bool> deciding(here.blocks, false);
      for (const auto& [of, block] :
           std::ranges::equal_range(given[i], line, {}, [](const auto& pair) { return pair.first; }))
        deciding[block] = true;
      const auto reached = reached_without(deciding, here.blocks, here.arcs, leaving);
      for (; at != weak.end() && at->first == line; ++at)
        if (reached[at->second]) weak_.push_back({static_cast<std::uint32_t>(first + i), {at->second, line}});
    }
  }
}

// Once for all modules, since a line of a header may be doubtful in one of them only.
void program_model::find_doubtful() const {
  if (doubtful_among_ == instances_.size()) return;
  doubtful_among_ = instances_.size();
  doubtful_.clear();
  // What the compiler wrote on a line of somebody's function does not count for gcov.
  const auto is_written = [&](const instance& of) {
    return of.conserved == conservation::before_calls || !functions_[of.function].artificial;
  };
  std::vector<bool> written(lines_.size(), false), doubtful(lines_.size(), false);
  for (const instance& each : instances_)
    if (is_written(each))
      for (const auto& mention : each.lines) written[mention.line] = true;
  for (const auto& [number, mention] : weak_) doubtful[mention.line] = true;
  for (const instance& each : instances_)
    if (!is_written(each))
      for (const auto& mention : each.lines)
        if (written[mention.line]) doubtful[mention.line] = true;

  for (const id_range& range : ranges_) {
    if (range.masks) continue;
    const instance& here = instances_[range.instance];
    const auto weak = std::ranges::equal_range(weak_, range.instance, {}, &weak_mention::instance);
    doubtful_function found{range.first, range.count, range.instance, {}, {}, {}};
    for (const auto& mention : here.lines) {
      if (!doubtful[mention.line]) continue;
      const bool is_weak = !is_written(here) || std::ranges::any_of(weak, [&](const weak_mention& w) {
        return w.mention.line == mention.line && w.mention.block == mention.block;
      });
      (is_weak ? found.weak : found.strong).push_back(mention);
    }
    if (!found.weak.empty() || !found.strong.empty()) doubtful_.push_back(std::move(found));
  }
}

std::vector<std::uint32_t> program_model::unshown(std::span<const counter> counters) const {
  find_doubtful();
  std::vector<std::uint32_t> weak, strong;
  std::vector<std::int64_t> arc_counts;
  std::vector<std::uint8_t> blocks;
  auto last = counters.begin();
  for (const doubtful_function& function : doubtful_) {
    auto first = last;
    while (first != counters.end() && first->id < function.first_id) ++first;
    last = first;
    while (last != counters.end() && last->id - function.first_id < function.counters) ++last;
    if (first == last) continue;
    remembered_lines& known = function.last;
    if (!std::equal(first, last, known.counts.begin(), known.counts.end())) {
      known.counts.assign(first, last);
      known.weak.clear();
      known.strong.clear();
      const instance& of = instances_[function.instance];
      const flow& counts = of.counts();
      arc_counts.assign(of.arcs.size(), 0);
      for (auto c = first; c != last; ++c)
        arc_counts[counts.counted()[c->id - function.first_id]] = static_cast<std::int64_t>(c->count);
      counts.solve(arc_counts);
      blocks.assign(of.blocks, 0);
      mark_executed_blocks(counts, of.arcs, arc_counts, blocks);
      for (const auto& [block, line] : function.weak)
        if (blocks[block] != 0) known.weak.push_back(line);
      for (const auto& [block, line] : function.strong)
        if (blocks[block] != 0) known.strong.push_back(line);
    }
    weak.insert(weak.end(), known.weak.begin(), known.weak.end());
    strong.insert(strong.end(), known.strong.begin(), known.strong.end());
  }
  for (auto* lines : {&weak, &strong}) {
    std::sort(lines->begin(), lines->end());
    lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
  }
  std::vector<std::uint32_t> unshown;
  std::set_difference(weak.begin(), weak.end(), strong.begin(), strong.end(), std::back_inserter(unshown));
  return unshown;
}

}  // namespace morph::gcov
