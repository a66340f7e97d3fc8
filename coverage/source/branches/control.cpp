// Reachability with one block taken out, of which dominance and post-dominance are made.
#include "coverage/source/branches/control.hpp"

#include <algorithm>
#include <utility>

namespace morph::source {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// What is reached from `from` without entering one block; `each_neighbour(block, visit)`.
std::vector<bool> spread(std::size_t blocks, const std::vector<std::size_t>& from, std::size_t without,
                         const auto& each_neighbour) {
  std::vector<bool> seen(blocks);
  std::vector<std::size_t> open;
  const auto visit = [&](std::size_t block) {
    if (block == without || seen[block]) return;
    seen[block] = true;
    open.push_back(block);
  };
  for (const std::size_t each : from) visit(each);
  while (!open.empty()) {
    const std::size_t block = open.back();
    open.pop_back();
    each_neighbour(block, visit);
  }
  return seen;
}

}  // namespace

control::control(flow_graph of) : graph_(std::move(of)) {
  before_.resize(graph_.blocks.size());
  before_quietly_.resize(graph_.blocks.size());
  for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
    const flow_block& block = graph_.blocks[i];
    if (block.catches) handlers_.push_back(i);
    for (const auto& next : block.next) {
      if (!next) continue;
      before_[*next].push_back(i);
      if (!block.ends) before_quietly_[*next].push_back(i);
    }
  }
  from_entry_ = reached({graph_.entry}, none);
  from_handlers_ = reached(handlers_, none);
  connect_endless_loops();
  returns_ = reaching_exit(before_quietly_, none);
}

std::vector<bool> control::reached(const std::vector<std::size_t>& from, std::size_t without) const {
  return spread(graph_.blocks.size(), from, without, [&](std::size_t block, const auto& visit) {
    // That a `throw` leads to a handler does not say that others do not.
    if (graph_.blocks[block].catches && std::ranges::find(from, block) == from.end()) return;
    for (const auto& next : graph_.blocks[block].next)
      if (next) visit(*next);
  });
}

std::vector<bool> control::reaching_exit(const std::vector<std::vector<std::size_t>>& before,
                                         std::size_t without) const {
  return spread(graph_.blocks.size(), {graph_.exit}, without, [&](std::size_t block, const auto& visit) {
    for (const std::size_t each : before[block]) visit(each);
  });
}

/// Post-dominance needs a way to the exit: the first block that a search from the entry is done with ends a round of
/// the loop, and gets an edge.
void control::connect_endless_loops() {
  std::vector<bool> ending = reaching_exit(before_, none), seen(graph_.blocks.size());
  std::vector<std::pair<std::size_t, std::size_t>> path;  // block, index of its next edge
  const auto enter = [&](std::size_t block) {
    if (seen[block]) return;
    seen[block] = true;
    path.emplace_back(block, 0);
  };
  const auto search = [&](std::size_t root) {
    enter(root);
    while (!path.empty()) {
      auto& [block, at] = path.back();
      const auto& next = graph_.blocks[block].next;
      if (at < next.size()) {
        if (const auto& to = next[at++]) enter(*to);
        continue;
      }
      if (!ending[block]) {
        before_[graph_.exit].push_back(block);
        ending = reaching_exit(before_, none);
      }
      path.pop_back();
    }
  };
  search(graph_.entry);
  for (const std::size_t each : handlers_) search(each);
}

std::vector<flow_edge> control::dependences(std::size_t block) const {
  const bool by_exception = !from_entry_[block];
  const std::vector<bool> avoiding = reaching_exit(before_, block);
  const std::vector<bool> earlier = by_exception ? reached(handlers_, block) : reached({graph_.entry}, block);
  std::vector<flow_edge> found;
  for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
    if (!earlier[i] || !avoiding[i]) continue;
    const auto& next = graph_.blocks[i].next;
    for (std::size_t outcome = 0; outcome < next.size(); ++outcome)
      if (next[outcome] && !avoiding[*next[outcome]]) found.push_back({i, outcome});
  }
  return found;
}

std::vector<flow_edge> control::leads_to(std::size_t block) const {
  const std::vector<bool> avoiding = reaching_exit(before_quietly_, block);
  std::vector<flow_edge> found;
  for (std::size_t i = 0; i < graph_.blocks.size(); ++i) {
    const auto& next = graph_.blocks[i].next;
    if (!is_reached(i) || next.size() < 2) continue;
    for (std::size_t outcome = 0; outcome < next.size(); ++outcome)
      if (const auto& to = next[outcome]; to && returns_[*to] && !avoiding[*to]) found.push_back({i, outcome});
  }
  return found;
}

}  // namespace morph::source
