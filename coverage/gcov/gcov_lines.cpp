// gcov's line rule. A block belongs to the highest line of each of its locations, the last block to none. A line that
// blocks belong to was executed as often as control came to them from blocks elsewhere, plus the turns of the cycles
// among them; any other line as often as all blocks that mention it together. The branches of a block stand on the
// lines that it belongs to, and so do the conditions that begin in it.
//
// llvm-cov's rule, for what Clang compiled: a block belongs to all its lines, as often as it mentions each, the last
// block too; artificial functions count, and functions that start on one line share their lines.
#include "coverage/gcov/gcov_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "coverage/gcov/branches.hpp"
#include "coverage/gcov/solver.hpp"

namespace morph::gcov {
namespace {

// Plain sums wrap around in place of overflowing.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct solved_function {
  const note_function* function;
  std::vector<std::int64_t> arc_counts;
  std::vector<std::int64_t> block_counts;
  std::vector<branch> branches;
  std::vector<std::uint64_t> masks;  // two a condition of the function
};

solved_function solve(const note_function& function, const data_function& counters) {
  const flow graph(function.blocks, function.arcs);
  solved_function result{&function, std::vector<std::int64_t>(function.arcs.size()),
                         std::vector<std::int64_t>(function.blocks), branches_of(function), counters.mask_values};
  result.masks.resize(2 * function.conditions.size());
  for (std::size_t i = 0; i < counters.values.size(); ++i) {
    result.arc_counts[graph.counted()[i]] = static_cast<std::int64_t>(counters.values[i]);
  }
  graph.solve(result.arc_counts);
  std::vector<std::uint8_t> leaves(function.blocks, 0);
  for (const auto& a : function.arcs) leaves[a.source] = 1;
  for (std::size_t i = 0; i < function.arcs.size(); ++i) {
    const auto& a = function.arcs[i];
    auto& source = result.block_counts[a.source];
    source = plus(source, result.arc_counts[i]);
    auto& destination = result.block_counts[a.destination];
    if (leaves[a.destination] == 0) destination = plus(destination, result.arc_counts[i]);
  }
  return result;
}

// The turns of the cycles among some blocks of a function: of each elementary cycle found the smallest count, which is
// taken from all its arcs. A different order of the search may give a different sum; this is gcov's: starts as the
// blocks were given, through blocks not below the start, arcs in the order of the notes.
class cycle_counter {
 public:
  cycle_counter(const solved_function& solved, const std::vector<std::uint32_t>& blocks) {
    std::vector<std::uint32_t> members = blocks;
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const auto index = [&](std::uint32_t block) -> std::size_t {
      const auto found = std::lower_bound(members.begin(), members.end(), block);
      return found != members.end() && *found == block ? static_cast<std::size_t>(found - members.begin()) : outside;
    };
    leaving_.resize(members.size());
    std::vector<std::uint8_t> closes(members.size(), 0);
    for (std::size_t i = 0; i < solved.arc_counts.size(); ++i) {
      const auto& a = solved.function->arcs[i];
      if (solved.arc_counts[i] <= 0) continue;
      const auto source = index(a.source), destination = index(a.destination);
      if (source == outside || destination == outside) continue;
      leaving_[source].push_back({destination, solved.arc_counts[i]});
      // The lowest block of a cycle is entered from one that is not lower.
      if (source >= destination) closes[destination] = 1;
    }
    for (const auto block : blocks) {
      if (closes[index(block)] != 0) count_from(index(block));
    }
  }

  std::int64_t turns() const { return turns_; }

 private:
  static constexpr std::size_t outside = ~std::size_t{0};
  struct step {
    std::size_t destination;
    std::int64_t left;
  };
  struct position {
    std::size_t block;
    std::size_t next = 0;  // of leaving_[block]
  };

  void count_from(std::size_t start) {
    std::vector<std::uint8_t> on_path(leaving_.size(), 0);
    std::vector<position> path{{start}};
    on_path[start] = 1;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next == leaving_[block].size()) {
        on_path[block] = 0;
        path.pop_back();
        if (!path.empty()) ++path.back().next;
        continue;
      }
      const auto& arc = leaving_[block][next];
      if (arc.left > 0 && arc.destination == start) take(path);
      const bool onward = arc.left > 0 && arc.destination > start && on_path[arc.destination] == 0 &&
                          !path_is_used_up(path) && reaches(arc.destination, start, on_path);
      if (onward) {
        on_path[arc.destination] = 1;
        path.push_back({arc.destination});
      } else {
        ++next;
      }
    }
  }

  bool path_is_used_up(const std::vector<position>& path) const {
    return std::any_of(path.begin(), path.end(),
                       [&](const position& at) { return leaving_[at.block][at.next].left <= 0; });
  }

  void take(const std::vector<position>& path) {
    std::int64_t smallest = leaving_[path.front().block][path.front().next].left;
    for (const auto& at : path) smallest = std::min(smallest, leaving_[at.block][at.next].left);
    for (const auto& at : path) leaving_[at.block][at.next].left -= smallest;
    turns_ = plus(turns_, smallest);
  }

  // Without this look ahead, the search could walk exponentially many paths that lead nowhere.
  bool reaches(std::size_t from, std::size_t start, const std::vector<std::uint8_t>& on_path) const {
    std::vector<std::uint8_t> seen = on_path;
    std::vector<std::size_t> todo{from};
    seen[from] = 1;
    while (!todo.empty()) {
      const auto block = todo.back();
      todo.pop_back();
      for (const auto& arc : leaving_[block]) {
        if (arc.left <= 0 || arc.destination < start) continue;
        if (arc.destination == start) return true;
        if (seen[arc.destination] != 0) continue;
        seen[arc.destination] = 1;
        todo.push_back(arc.destination);
      }
    }
    return false;
  }

  std::vector<std::vector<step>> leaving_;
  std::int64_t turns_ = 0;
};

struct line_state {
  std::int64_t sum = 0;
  std::map<std::size_t, std::vector<std::uint32_t>> attached;  // blocks, a function at a time; a block may occur twice
};

std::vector<branch_count> branches_of(const line_state& line, const std::vector<solved_function>& solved) {
  std::vector<branch_count> result;
  for (const auto& [index, blocks] : line.attached) {
    const auto& of = solved[index];
    for (const auto block : blocks) {
      const auto [first, last] = std::ranges::equal_range(of.branches, block, {}, &branch::block);
      for (const auto& b : std::ranges::subrange(first, last))
        result.push_back({of.arc_counts[b.arc], of.function->arcs[b.arc].fall_through, b.is_throw});
    }
  }
  return result;
}

std::vector<condition_count> conditions_of(const line_state& line, const std::vector<solved_function>& solved) {
  std::vector<condition_count> result;
  for (const auto& [index, blocks] : line.attached) {
    const auto& of = solved[index];
    const auto& conditions = of.function->conditions;
    for (const auto block : blocks)
      for (std::size_t i = 0; i < conditions.size(); ++i)
        if (conditions[i].block == block && conditions[i].terms > 0)
          result.push_back({conditions[i].terms, of.masks[2 * i], of.masks[2 * i + 1]});
  }
  return result;
}

std::int64_t count_of(const line_state& line, const std::vector<solved_function>& solved) {
  if (line.attached.empty()) return line.sum;
  std::int64_t count = 0;
  for (const auto& [index, blocks] : line.attached) {
    const auto& of = solved[index];
    std::unordered_map<std::uint32_t, int> times;
    for (const auto block : blocks) ++times[block];
    for (std::size_t i = 0; i < of.arc_counts.size(); ++i) {
      const auto& a = of.function->arcs[i];
      const auto entered = times.find(a.destination);
      if (entered == times.end() || times.contains(a.source)) continue;
      for (int n = 0; n < entered->second; ++n) count = plus(count, of.arc_counts[i]);
    }
    count = plus(count, cycle_counter(of, blocks).turns());
  }
  return count;
}

}  // namespace

tl::expected<unit_counts, std::string> gcov_counts(const note& notes, const data& counters) {
  if (notes.gcc != counters.gcc || notes.stamp != counters.stamp) {
    return tl::unexpected(
        fmt::format("the counters have the stamp {} and the notes {}: they are not of one build; rebuild the twin",
                    counters.stamp, notes.stamp));
  }
  // The same file may occur under two spellings.
  std::unordered_map<std::string, std::uint32_t> by_path;
  std::vector<std::uint32_t> file_of(notes.files.size());
  for (std::uint32_t i = 0; i < notes.files.size(); ++i) {
    file_of[i] = by_path.try_emplace(resolved_path(notes.cwd, notes.files[i]), i).first->second;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> starting_at;
  for (const auto& function : notes.functions) {
    if (!function.artificial) ++starting_at[{file_of[function.file], function.start_line}];
  }
  std::unordered_map<std::uint32_t, const data_function*> by_ident;
  for (const auto& function : counters.functions) by_ident[function.ident] = &function;

  unit_counts result;
  std::vector<solved_function> solved;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, line_state> lines;
  for (std::uint32_t i = 0; i < notes.functions.size(); ++i) {
    const auto& function = notes.functions[i];
    const auto found = by_ident.find(function.ident);
    if ((function.artificial && !notes.clang) || found == by_ident.end() || function.blocks < 2) continue;
    const auto instrumented = static_cast<std::size_t>(
        std::count_if(function.arcs.begin(), function.arcs.end(), [](const arc& a) { return !a.on_tree; }));
    if (found->second->lineno_checksum != function.lineno_checksum ||
        found->second->cfg_checksum != function.cfg_checksum || found->second->counters != instrumented ||
        found->second->masks != 2 * function.conditions.size()) {
      return tl::unexpected(
          fmt::format("the checksums or counters of '{}' differ between notes and counters: they are "
                      "not of one build; rebuild the twin",
                      function.symbol));
    }
    solved.push_back(solve(function, *found->second));
    const auto& counts = solved.back();
    result.functions.push_back({i, counts.block_counts[entry_block]});
    const auto own_file = file_of[function.file];
    const bool is_group = starting_at[{own_file, function.start_line}] > 1 && !notes.clang;

    line_state* last = nullptr;
    std::uint32_t block = ~std::uint32_t{0};
    for (const auto& place : function.locations) {
      if (place.block != block) last = nullptr;
      block = place.block;
      const auto file = file_of[place.file];
      std::vector<std::uint32_t> run(function.lines.begin() + place.first,
                                     function.lines.begin() + place.first + place.count);
      std::sort(run.begin(), run.end());
      for (const auto line : run) {
        const bool of_group = is_group && file == own_file && function.start_line <= line && line <= function.end_line;
        last = &lines[{file, line, of_group ? i : no_function}];
        last->sum = plus(last->sum, counts.block_counts[block]);
        if (notes.clang) last->attached[solved.size() - 1].push_back(block);
      }
      // gcov 11 and 12 take the block of the highest number for the exit, which is block 1.
      if (!notes.clang && last != nullptr && block != entry_block && block + 1 != function.blocks) {
        last->attached[solved.size() - 1].push_back(block);
      }
    }
  }
  for (const auto& [key, state] : lines) {
    const auto [file, line, function] = key;
    result.lines.push_back(
        {file, line, function, count_of(state, solved), branches_of(state, solved), conditions_of(state, solved)});
  }
  return result;
}

}  // namespace morph::gcov
