// Coupled branches of pairs of classes or files, and which of them a test covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coverage/coupling/coupling.hpp"
#include "plugin/coupled/branch_tests.hpp"
#include "plugin/report/pair_tally.hpp"

namespace morph::coupled {

using report::pair_tally;

enum class pair_state { covered, uncovered, unknown, changed };
struct judged_pair {
  coupling::coupled_pair pair{};
  pair_state state = pair_state::unknown;
};
/// Of what is coupled, in order. Cost: the pairs, with a look at each word of a set of tests.
std::vector<judged_pair> judge(const coupling::coupled_branches& of, const branch_evidence& evidence);
pair_tally tally(const std::vector<judged_pair>& pairs);

/// Two classes or two files.
struct unit_pair {
  coupling::unit caller{}, callee{};
  std::size_t sites = 0;                 // calls
  std::size_t sites_without_branch = 0;  // of these, unconditional ones
  pair_tally pairs{};
};
/// All pairs of classes with coupled branches: those with the smallest share covered first, of these the largest.
std::vector<unit_pair> all_pairs(const coupling::branch_graph& graph, const branch_evidence& evidence,
                                 const coupling::options& by);

/// Of files; both members of a pair count, or none.
using file_filter = std::function<bool(const std::string&)>;

/// The sum over all pairs of classes.
pair_tally total_of(const coupling::branch_graph& graph, const branch_evidence& evidence, const file_filter& wanted);

/// Of all pairs of classes, each pair of branches once, in order.
std::vector<coupling::coupled_pair> distinct_pairs(const coupling::branch_graph& graph, const file_filter& wanted);

/// The tests that surely took both, ascending indices of report::coverage::tests; none if a function changed.
std::vector<std::uint32_t> tests_of(const coupling::coupled_pair& pair, const branch_evidence& evidence);

/// What some of the tests, ascending, cover of these.
pair_tally tally_of(const std::vector<coupling::coupled_pair>& pairs, const branch_evidence& evidence,
                    const std::vector<std::uint32_t>& tests);

/// Pairs that exactly the same tests cover.
struct covered_set {
  std::vector<std::uint32_t> tests{};
  std::vector<coupling::coupled_pair> pairs{};
};
std::vector<covered_set> covered_sets(const std::vector<coupling::coupled_pair>& pairs,
                                      const branch_evidence& evidence);

}  // namespace morph::coupled
