// Conservation of flow as a straight-line program: leaves of the spanning tree first.
#include "coverage/gcov/solver.hpp"

#include <cstddef>

namespace morph::gcov {
namespace {

bool conserves(std::uint32_t block) {
  return block != entry_block && block != exit_block;
}

// The arcs at each block, those that come in before those that go out; loops of one block cancel out and are left out.
struct incidence {
  struct range {
    std::uint32_t first = 0, incoming = 0, outgoing = 0;
  };
  std::vector<range> at;
  std::vector<std::uint32_t> arcs;

  incidence(std::uint32_t blocks, std::span<const arc> all) : at(blocks), arcs(all.size() * 2) {
    for (const auto& a : all) {
      if (a.source == a.destination) continue;
      ++at[a.source].outgoing;
      ++at[a.destination].incoming;
    }
    std::uint32_t next = 0;
    for (auto& block : at) {
      block.first = next;
      next += block.incoming + block.outgoing;
      block.outgoing = block.incoming;
      block.incoming = 0;
    }
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].source == all[i].destination) continue;
      auto& source = at[all[i].source];
      auto& destination = at[all[i].destination];
      arcs[source.first + source.outgoing++] = i;
      arcs[destination.first + destination.incoming++] = i;
    }
  }

  std::span<const std::uint32_t> into(std::uint32_t block) const {
    return std::span(arcs).subspan(at[block].first, at[block].incoming);
  }
  std::span<const std::uint32_t> out_of(std::uint32_t block) const {
    return std::span(arcs).subspan(at[block].first + at[block].incoming, at[block].outgoing - at[block].incoming);
  }
};

// The unknown arcs at a block: their number, and their exclusive or, which is the arc itself once there is only one.
struct unknowns {
  std::uint32_t number = 0;
  std::uint32_t combined = 0;

  void toggle(std::uint32_t arc_index, bool added) {
    number += added ? 1U : ~0U;
    combined ^= arc_index;
  }
};

}  // namespace

flow::flow(std::uint32_t blocks, std::span<const arc> arcs, conservation where)
    : arcs_(static_cast<std::uint32_t>(arcs.size())) {
  for (std::uint32_t i = 0; i < arcs_; ++i) {
    if (!arcs[i].on_tree) counted_.push_back(i);
  }
  if (counted_.size() == arcs_) return;
  if (where == conservation::everywhere) {
    plan_everywhere(blocks, arcs);
  } else {
    plan_before_calls(blocks, arcs);
  }
}

void flow::plan_everywhere(std::uint32_t blocks, std::span<const arc> arcs) {
  const incidence graph(blocks, arcs);
  std::vector<unknowns> unknown(blocks);
  for (std::uint32_t i = 0; i < arcs_; ++i) {
    if (!arcs[i].on_tree) continue;
    unknown[arcs[i].source].toggle(i, true);
    unknown[arcs[i].destination].toggle(i, true);
  }

  std::vector<std::uint32_t> ready;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    if (conserves(block) && unknown[block].number == 1) ready.push_back(block);
  }
  std::vector<std::uint8_t> known(arcs_, 0);
  while (!ready.empty()) {
    const std::uint32_t block = ready.back();
    ready.pop_back();
    if (unknown[block].number != 1) continue;
    const std::uint32_t target = unknown[block].combined;
    const bool incoming = arcs[target].destination == block;
    const auto other_side = incoming ? graph.out_of(block) : graph.into(block);
    const auto own_side = incoming ? graph.into(block) : graph.out_of(block);
    steps_.push_back(target);
    steps_.push_back(static_cast<std::uint32_t>(other_side.size()));
    steps_.push_back(static_cast<std::uint32_t>(own_side.size() - 1));
    steps_.insert(steps_.end(), other_side.begin(), other_side.end());
    for (const auto sibling : own_side) {
      if (sibling != target) steps_.push_back(sibling);
    }
    known[target] = 1;
    for (const auto end : {arcs[target].source, arcs[target].destination}) {
      unknown[end].toggle(target, false);
      if (conserves(end) && unknown[end].number == 1) ready.push_back(end);
    }
  }
  for (std::uint32_t i = 0; i < arcs_; ++i) {
    if (arcs[i].on_tree && known[i] == 0) unsolved_.push_back(i);
  }
}

// What a block leaves over for its arcs without a counter: for each of several the whole rest, so that none is 0 that
// was taken.
void flow::plan_before_calls(std::uint32_t blocks, std::span<const arc> arcs) {
  const incidence graph(blocks, arcs);
  std::vector<std::uint32_t> unknown_into(blocks, 0);
  for (const auto& a : arcs) unknown_into[a.destination] += a.on_tree ? 1 : 0;
  std::vector<std::uint32_t> ready;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    if (conserves(block) && unknown_into[block] == 0 && !graph.into(block).empty()) ready.push_back(block);
  }
  std::vector<std::uint8_t> known(arcs_, 0);
  while (!ready.empty()) {
    const std::uint32_t block = ready.back();
    ready.pop_back();
    const auto into = graph.into(block);
    std::vector<std::uint32_t> counted, targets;
    for (const auto i : graph.out_of(block)) (arcs[i].on_tree ? targets : counted).push_back(i);
    for (const auto target : targets) {
      steps_.push_back(target);
      steps_.push_back(static_cast<std::uint32_t>(into.size()));
      steps_.push_back(static_cast<std::uint32_t>(counted.size()));
      steps_.insert(steps_.end(), into.begin(), into.end());
      steps_.insert(steps_.end(), counted.begin(), counted.end());
      known[target] = 1;
      const std::uint32_t next = arcs[target].destination;
      if (--unknown_into[next] == 0 && conserves(next)) ready.push_back(next);
    }
  }
  for (std::uint32_t i = 0; i < arcs_; ++i) {
    if (arcs[i].on_tree && known[i] == 0) unsolved_.push_back(i);
  }
}

void flow::solve(std::span<std::int64_t> arc_counts) const {
  for (std::size_t i = 0; i < steps_.size();) {
    const std::uint32_t target = steps_[i];
    const std::uint32_t added = steps_[i + 1];
    const std::uint32_t subtracted = steps_[i + 2];
    i += 3;
    std::uint64_t sum = 0;
    for (const auto end = i + added; i < end; ++i) sum += static_cast<std::uint64_t>(arc_counts[steps_[i]]);
    for (const auto end = i + subtracted; i < end; ++i) sum -= static_cast<std::uint64_t>(arc_counts[steps_[i]]);
    arc_counts[target] = static_cast<std::int64_t>(sum);
  }
}

void mark_executed_blocks(const flow& solved, std::span<const arc> arcs, std::span<const std::int64_t> arc_counts,
                          std::span<std::uint8_t> executed) {
  const auto mark = [&](std::uint32_t i) { executed[arcs[i].source] = executed[arcs[i].destination] = 1; };
  for (std::uint32_t i = 0; i < arcs.size(); ++i) {
    if (arc_counts[i] != 0) mark(i);
  }
  for (const auto i : solved.unsolved()) mark(i);
}

}  // namespace morph::gcov
