// Many-objective search for sequences that reach goals: DynaMOSA (Panichella, Kifetew, Tonella, TSE 2018).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/generate/recipes.hpp"
#include "plugin/generate/served_program.hpp"
#include "plugin/generate/variation.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// How the search goes. The figures are those of the literature (EvoSuite's defaults) where it has them.
struct search_options {
  enum class algorithm : std::uint8_t {
    random,     // feedback-directed: what touches something new is kept, and varied
    mosa,       // all goals that are not reached are objectives
    dyna_mosa,  // only those whose branches before them are reached
  } by = algorithm::dyna_mosa;
  std::size_t population = 50;
  std::size_t most_population = 500;  // it grows with the objectives
  double crossover_rate = 0.75;
  double random_share = 0.1;         // of the sequences, with which the search begins
  std::uint64_t most_sequences = 0;  // 0: no limit
};

/// A goal becomes an objective when one of those before it is reached; without any, at once.
struct objective {
  std::vector<std::uint32_t> after{};
  bool is_possible = true;  // else it is no goal at all
  bool is_wanted = true;    // else it only leads to others: what reaches it is bred from
};

/// A sequence that a process survived, and what it did.
struct individual {
  sequence calls{};
  outcome did{};
};

/// A row for each generation.
struct search_row {
  std::uint64_t generation = 0;
  std::uint64_t sequences = 0;
  std::size_t reached = 0;     // goals
  std::size_t objectives = 0;  // that are searched for now
};

struct finding {
  sequence calls{};
  outcome did{};
};

struct search_result {
  std::map<std::uint32_t, individual> archive{};  // by goal: the shortest that reaches it
  std::vector<individual> population{};           // at the end
  std::vector<finding> findings{};                // crashes and the like, one for each place and kind
  std::vector<search_row> rows{};
  std::uint64_t sequences = 0;
  std::uint64_t crashed = 0, threw = 0, hung = 0, ended = 0, refused = 0, without_value = 0;
};

/// Executes sequences in their order.
using evaluator = std::function<result<std::vector<outcome>>(const std::vector<sequence>&)>;

/// Until all goals are reached, `is_over` says so, or the options' limit. Equal seeds give equal results, as far as the
/// evaluator does and `is_over` is not heard. Operands of comparisons become literals. `known`: what comes first, and
/// recipes, whose weights change by their outcomes.
result<search_result> search(api& of, literal_table& literals, const std::vector<objective>& goals,
                             const search_options& options, const evaluator& evaluate,
                             const std::function<bool(const search_row&)>& is_over, optimizer::random_source& random,
                             known_inputs* known = nullptr);

}  // namespace morph::generate
