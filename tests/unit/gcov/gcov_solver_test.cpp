// Conservation of flow: known graphs, then random walks through random graphs as the ground truth.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "coverage/gcov/solver.hpp"

namespace morph::gcov {
namespace {

arc counted(std::uint32_t from, std::uint32_t to) {
  return {from, to, false, false, false};
}
arc on_tree(std::uint32_t from, std::uint32_t to) {
  return {from, to, true, false, false};
}

std::vector<std::int64_t> solve(const flow& graph, const std::vector<std::int64_t>& counters) {
  std::vector<std::int64_t> counts(graph.arcs(), 0);
  for (std::size_t i = 0; i < counters.size(); ++i) counts[graph.counted()[i]] = counters[i];
  graph.solve(counts);
  return counts;
}

TEST(gcov_solver, a_branch_is_split_by_conservation) {
  const std::vector<arc> arcs{counted(0, 2), counted(2, 3), on_tree(2, 4), on_tree(3, 5), on_tree(4, 5), on_tree(5, 1)};
  const flow graph(6, arcs);
  EXPECT_EQ(graph.counters(), 2U);
  EXPECT_TRUE(graph.unsolved().empty());
  EXPECT_EQ(solve(graph, {10, 3}), (std::vector<std::int64_t>{10, 3, 7, 3, 7, 10}));
}

TEST(gcov_solver, a_loop_of_one_block_adds_nothing_to_what_leaves_it) {
  const std::vector<arc> arcs{counted(0, 2), counted(2, 2), on_tree(2, 1)};
  EXPECT_EQ(solve(flow(3, arcs), {4, 100}), (std::vector<std::int64_t>{4, 100, 4}));
}

TEST(gcov_solver, counters_that_do_not_fit_together_give_negative_counts_not_trouble) {
  const std::vector<arc> arcs{counted(0, 2), counted(2, 3), on_tree(2, 4), on_tree(3, 1), on_tree(4, 1)};
  const flow graph(5, arcs);
  const auto counts = solve(graph, {1, 3});
  EXPECT_EQ(counts[2], -2);
  std::vector<std::uint8_t> executed(5, 0);
  mark_executed_blocks(graph, arcs, counts, executed);
  EXPECT_EQ(executed, (std::vector<std::uint8_t>{1, 1, 1, 1, 1}));
}

TEST(gcov_solver, blocks_without_a_taken_arc_are_not_executed) {
  const std::vector<arc> arcs{counted(0, 2), counted(2, 3), on_tree(2, 4), on_tree(3, 1), on_tree(4, 1)};
  const flow graph(5, arcs);
  std::vector<std::uint8_t> executed(5, 0);
  mark_executed_blocks(graph, arcs, solve(graph, {1, 0}), executed);
  EXPECT_EQ(executed, (std::vector<std::uint8_t>{1, 1, 1, 0, 1}));
}

TEST(gcov_solver, an_arc_that_does_not_follow_counts_as_taken) {
  const std::vector<arc> arcs{counted(0, 2), on_tree(2, 3), on_tree(2, 4), on_tree(3, 4), on_tree(4, 1), on_tree(5, 5)};
  const flow graph(6, arcs);
  EXPECT_EQ(graph.unsolved().size(), 5U);
  std::vector<std::uint8_t> executed(6, 0);
  mark_executed_blocks(graph, arcs, solve(graph, {1}), executed);
  EXPECT_EQ(executed, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1}));
}

struct random_graph {
  std::uint32_t blocks;
  std::vector<arc> arcs;
};

// Every block can be reached and can reach the exit; the tree spans it with entry and exit joined, as GCC's does.
random_graph make_graph(std::mt19937& random) {
  random_graph graph{3 + static_cast<std::uint32_t>(random() % 30), {}};
  const auto any_block = [&] { return 2 + static_cast<std::uint32_t>(random() % (graph.blocks - 2)); };
  graph.arcs.push_back(counted(0, 2));
  for (std::uint32_t block = 3; block < graph.blocks; ++block) {
    graph.arcs.push_back(counted(2 + static_cast<std::uint32_t>(random() % (block - 2)), block));
  }
  for (std::uint32_t block = 2; block < graph.blocks; ++block) {
    graph.arcs.push_back(counted(block, block + 1 < graph.blocks && random() % 3 != 0 ? block + 1 : 1));
  }
  for (auto more = random() % 20; more > 0; --more) graph.arcs.push_back(counted(any_block(), any_block()));
  std::shuffle(graph.arcs.begin(), graph.arcs.end(), random);

  std::vector<std::uint32_t> group(graph.blocks);
  std::iota(group.begin(), group.end(), 0U);
  group[exit_block] = entry_block;
  for (auto& candidate : graph.arcs) {
    const auto a = group[candidate.source], b = group[candidate.destination];
    if (a == b) continue;
    candidate.on_tree = true;
    std::replace(group.begin(), group.end(), a, b);
  }
  return graph;
}

TEST(gcov_solver, the_counts_of_random_walks_are_found_from_the_counted_arcs) {
  std::mt19937 random(2024);
  for (int round = 0; round < 500; ++round) {
    const auto graph = make_graph(random);
    std::vector<std::int64_t> truth(graph.arcs.size(), 0);
    for (auto walks = random() % 4; walks > 0; --walks) {
      for (std::uint32_t block = entry_block; block != exit_block;) {
        std::vector<std::uint32_t> leaving;
        for (std::uint32_t i = 0; i < graph.arcs.size(); ++i) {
          if (graph.arcs[i].source == block) leaving.push_back(i);
        }
        const auto taken = leaving[random() % leaving.size()];
        ++truth[taken];
        block = graph.arcs[taken].destination;
      }
    }
    const flow solver(graph.blocks, graph.arcs);
    ASSERT_TRUE(solver.unsolved().empty());
    std::vector<std::int64_t> counters;
    for (const auto i : solver.counted()) counters.push_back(truth[i]);
    ASSERT_EQ(solve(solver, counters), truth) << "round " << round;
  }
}

}  // namespace
}  // namespace morph::gcov
