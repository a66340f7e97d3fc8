// Control dependence and post-dominance over a small graph, edge by edge.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace morph::source {

struct flow_block {
  std::vector<std::optional<std::size_t>> next;  // by outcome; nothing: never taken
  bool ends = false;                             // throws, or calls what does not return
  bool catches = false;                          // hands exceptions of a `try` to its handlers
};

/// The blocks of one function. Nothing leaves the exit.
struct flow_graph {
  std::vector<flow_block> blocks;
  std::size_t entry = 0;
  std::size_t exit = 0;
};

struct flow_edge {
  std::size_t block = 0;
  std::size_t outcome = 0;  // index in its `next`

  bool operator==(const flow_edge&) const = default;
};

/// Answers questions on a graph, each in O(edges).
///
/// Clang's ControlDependencyCalculator answers with the iterated frontier, in blocks and not in edges, takes the end of
/// a `throw` for one like any other, and leaves out what cannot reach the exit.
class control {
 public:
  explicit control(flow_graph of);

  const flow_graph& graph() const { return graph_; }
  /// Without exceptions.
  bool is_reached_from_entry(std::size_t block) const { return from_entry_[block]; }
  /// From the entry, or by an exception that a handler catches.
  bool is_reached(std::size_t block) const { return from_entry_[block] || from_handlers_[block]; }

  /// The edges on which a block is directly control dependent (Ferrante, Ottenstein and Warren, 1987) when it is
  /// reached for the first time: without those that leave a block which only this block leads to, as the end of a
  /// loop's body does for the loop's condition. So none stands for: reached whenever the function (or handler) is
  /// entered.
  std::vector<flow_edge> dependences(std::size_t block) const;

  /// The edges from which each path to the exit runs through the block. Paths that throw or abort do not count; from
  /// where no other is left, nothing follows.
  std::vector<flow_edge> leads_to(std::size_t block) const;

 private:
  std::vector<bool> reached(const std::vector<std::size_t>& from, std::size_t without) const;
  std::vector<bool> reaching_exit(const std::vector<std::vector<std::size_t>>& before, std::size_t without) const;
  void connect_endless_loops();

  flow_graph graph_;
  std::vector<std::vector<std::size_t>> before_;          // of each block, with an edge to the exit for endless loops
  std::vector<std::vector<std::size_t>> before_quietly_;  // without what throws or aborts
  std::vector<std::size_t> handlers_;
  std::vector<bool> from_entry_, from_handlers_, returns_;
};

}  // namespace morph::source
