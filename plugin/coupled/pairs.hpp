// Coupled branches of pairs of classes or files, and which of them a test covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coverage/coupling/coupling.hpp"
#include "plugin/coupled/branch_tests.hpp"

namespace morph::coupled {

struct pair_tally {
  std::size_t covered = 0;    // one test took both
  std::size_t uncovered = 0;  // no test can have taken both
  std::size_t unknown = 0;    // not mapped: a test may have
  std::size_t changed = 0;    // since the measurement, and left out

  std::size_t known() const { return covered + uncovered; }
  pair_tally& operator+=(const pair_tally& other);
};

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

/// Pairs that exactly the same tests cover.
struct covered_set {
  std::vector<std::uint32_t> tests{};  // ascending indices of report::coverage::tests
  std::size_t pairs = 0;
};
/// Of all pairs of classes, each pair of branches once. `wanted`: of files; both members count, or none.
std::vector<covered_set> covered_sets(const coupling::branch_graph& graph, const branch_evidence& evidence,
                                      const std::function<bool(const std::string&)>& wanted);

}  // namespace morph::coupled
