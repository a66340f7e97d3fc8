// What pools are bred of, how, and what came of it; the entry of the module that breeds them. Without pagmo's headers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace morph::optimizer {

/// Places of cases in the archive, ascending.
using case_set = std::vector<std::uint32_t>;

/// A datamorphism, and the cases that it is to be applied to.
struct mating {
  std::uint32_t datamorphism = 0;
  std::vector<std::uint32_t> sources;
};

/// The archive: cases are made, never lost. What it throws ends the breeding.
struct breeding_ground {
  std::vector<unsigned> arities;  // of the datamorphisms
  std::size_t metrics = 0;        // that a pool is bred towards, the first one before all others
  std::uint32_t capacity = 0;     // cases that there may be
  std::function<std::uint32_t()> cases{};
  /// By mating, what became of it: new cases, or such that are there.
  std::function<std::vector<case_set>(const std::vector<mating>&)> mate{};
  std::function<std::vector<double>(const case_set&)> measure{};    // finite; more is better
  std::function<std::vector<double>(const case_set&)> strengths{};  // of each case among these
  std::function<case_set(const case_set&)> filter{};                // the user's set filters
  std::function<case_set(std::uint32_t)> origins{};                 // that a case was made of
  std::function<bool()> is_over{};                                  // there is no time for another generation
};

/// Which cases of a pool survive, and which become parents: `--strategy` of `morph spec breed`.
///
/// Four are those of Morphy (Zhu et al. 2020; as its version 1.3 runs them): one loop without elitism, which keeps no
/// best pool, and stops at the first generation that changes the metric by too little. `filter`: the user's set filters
/// take cases away, parents are drawn; `weakest_removal`: the weakest cases go, parents are drawn; `random_removal`:
/// drawn cases go, parents are drawn; `strongest_mutant`: the weakest go, the strongest are parents. Each
/// datamorphism is applied to every parent, its other sources are drawn.
///
/// `elitist` keeps a front of pools, none with better metrics and fewer cases than another, adds a mutant to a pool
/// only where that makes the metrics better, and takes away what they do not need. A pool of it has all that its cases
/// were made of. The best one (by the first metric, then the next, then the fewest cases) is never lost.
enum class selection_scheme { elitist, filter, weakest_removal, random_removal, strongest_mutant };
struct named_breeding {
  const char* name;
  selection_scheme scheme;
};
inline constexpr named_breeding named_breedings[] = {{"elitist", selection_scheme::elitist},
                                                     {"filter", selection_scheme::filter},
                                                     {"weakest-removal", selection_scheme::weakest_removal},
                                                     {"random-removal", selection_scheme::random_removal},
                                                     {"strongest-mutant", selection_scheme::strongest_mutant}};
constexpr const char* name_of(selection_scheme scheme) {
  return named_breedings[static_cast<std::size_t>(scheme)].name;
}

struct breeding_options {
  selection_scheme scheme = selection_scheme::elitist;
  unsigned generations = 50;
  unsigned stagnation = 10;        // elitist: generations without a better pool; 0: no matter
  double change = 1;               // the others: percent of change of the metric below which they stop; 0: no matter
  double mutant_ratio = 0.5;       // parents, as a part of the pool
  double remove_ratio = 0.1;       // removed in each generation, as a part of the pool; not by elitist and filter
  std::uint32_t fewest_cases = 1;  // elitist: no pool gets fewer; one that has fewer at first, none but more
  std::uint32_t most_cases = 0;    // of a pool; 0: no limit
  std::uint32_t budget = 1000;     // cases that are made at most
  unsigned seed = 1;
};

/// Of a generation; number 0 is what there was at first.
struct breeding_row {
  unsigned generation = 0;
  std::uint32_t cases = 0;    // in the pool
  std::uint32_t made = 0;     // so far
  std::uint32_t archive = 0;  // cases that there are
  std::uint32_t front = 1;    // pools that are kept
  std::vector<double> values;
  std::vector<double> best;  // that any generation had; only elitist keeps the pool, too
  std::uint32_t best_cases = 0;
  bool operator==(const breeding_row&) const = default;
};

struct bred_pool {
  case_set cases;
  std::vector<double> values;
};
struct bred_pools {
  std::vector<bred_pool> pools;  // the one that was bred, then the rest of the front
  std::vector<breeding_row> log;
  std::string stopped;  // why
};

/// What a module is asked by: `error` says why nothing was bred.
using breed_entry = void(const breeding_ground* ground, const breeding_options* how, bred_pools* found,
                         std::string* error);
inline constexpr const char* breed_symbol = "morph_breed_pools";

}  // namespace morph::optimizer
