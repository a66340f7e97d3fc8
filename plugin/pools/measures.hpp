// `morph spec measure`: coverage, coupled branches and the mutation score of a pool, which its program does not know.
#pragma once

#include <set>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/pools/rows.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/pair_tally.hpp"
#include "plugin/system/observer.hpp"

namespace morph::pools {

struct pool_measures {
  report::file_tally covered;
  std::size_t cases = 0;           // that were measured one by one; 0: it is all tests of the suite that cover
  std::size_t tests = 0;           // of the suite
  std::string no_coverage;         // why there is none
  report::coupled_figure coupled;  // each pair of branches once, by those tests
  pool_kills kills;
};

/// Clang reads sources of which it did not say before how they branch.
pool_measures measures_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids,
                          system::observer& told);

/// The metrics that the program has printed as JSON, and these.
std::string add_to_json(const std::string& metrics, const pool_measures& m);
/// A line a metric.
std::string as_text(const pool_measures& m);

}  // namespace morph::pools
