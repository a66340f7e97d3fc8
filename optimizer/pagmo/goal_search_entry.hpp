// What is searched for goals, how, and what came of it; the entry of the module that searches. Without pagmo's headers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimizer/matrix/random.hpp"

namespace morph::optimizer {

/// A goal becomes an objective when one of those before it is reached; without any, at once.
struct searched_goal {
  std::vector<std::uint32_t> after{};
  bool is_possible = true;  // else it is no goal at all
  bool is_wanted = true;    // else it only leads to others: what reaches it is bred from
};

/// Goals that were touched, with distances: 0 is reached, 1 is as far as a touched goal can be.
using goal_distances = std::vector<std::pair<std::uint32_t, float>>;
inline constexpr float untouched_goal = 1.5F;

/// What was executed and can be kept; it stays where it is until it is forgotten.
struct executed_candidate {
  std::uint32_t number = 0;  // of the ground, from 1
  std::size_t length = 0;    // of equally near ones the shorter is better
  const goal_distances* distances = nullptr;
  std::size_t proposal = 0;  // its place among all that was proposed with it
};

struct candidate_parents {
  std::uint32_t first = 0;
  std::optional<std::uint32_t> second{};  // crossed with
  bool is_mutated = true;
};

/// Whoever makes candidates (sequences of calls) and executes them. What it throws ends the search.
struct goal_ground {
  std::vector<searched_goal> goals{};
  random_source* random = nullptr;        // of all choices
  std::function<bool()> propose_known{};  // false: what is known was proposed
  std::function<void()> propose_random{};
  std::function<void(const candidate_parents&)> propose_child{};
  /// All that was proposed, in its order. `take` gets each candidate that can be kept, and says whether it is the first
  /// to reach a goal.
  std::function<void(const std::function<bool(const executed_candidate&)>& take)> execute{};
  std::function<executed_candidate(std::uint32_t number)> candidate{};  // one that was not forgotten
  std::function<void(std::uint32_t number)> forget{};
};

/// The figures are those of the literature (EvoSuite's defaults) where it has them.
struct goal_search_options {
  enum class algorithm : std::uint8_t {
    random,       // what passes is extended (Pacheco et al., ICSE 2007); distances do not matter
    novelty,      // what touches something new is kept, and varied
    whole_suite,  // individuals are suites, near to all goals (Fraser and Arcuri, TSE 2013; with an archive)
    mosa,         // all goals that are not reached are objectives
    dyna_mosa,    // only those whose branches before them are reached
  } by = algorithm::dyna_mosa;
  std::size_t population = 50;
  std::size_t most_population = 500;  // it grows with the objectives
  double crossover_rate = 0.75;
  double random_share = 0.1;         // of the sequences, with which the search begins
  std::uint64_t most_sequences = 0;  // 0: no limit
};
inline constexpr std::pair<const char*, goal_search_options::algorithm> named_goal_searches[] = {
    {"random", goal_search_options::algorithm::random},
    {"novelty", goal_search_options::algorithm::novelty},
    {"whole-suite", goal_search_options::algorithm::whole_suite},
    {"mosa", goal_search_options::algorithm::mosa},
    {"dynamosa", goal_search_options::algorithm::dyna_mosa}};

/// A row for each generation.
struct goal_search_row {
  std::uint64_t generation = 0;
  std::uint64_t sequences = 0;
  std::size_t reached = 0;     // goals
  std::size_t objectives = 0;  // that are searched for now
  bool operator==(const goal_search_row&) const = default;
};

struct found_goals {
  std::map<std::uint32_t, std::uint32_t> archive{};  // by goal: the shortest candidate that reaches it
  std::vector<std::uint32_t> population{};           // at the end, the best first
  std::vector<goal_search_row> log{};
};

/// Asked after each generation.
using is_search_over = std::function<bool(const goal_search_row&)>;

/// What a module is asked by: `error` says why the search ended.
using search_goals_entry = void(const goal_ground* ground, const goal_search_options* how,
                                const is_search_over* is_over, found_goals* found, std::string* error);
inline constexpr const char* search_goals_symbol = "morph_search_goals";

}  // namespace morph::optimizer
