// `morph spec breed`: a pool is bred towards metrics of sets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/pagmo/breeding_entry.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/system/observer.hpp"

namespace morph::pools {

struct breeding_request {
  std::string pool, out;  // what was bred goes to `out`; empty: in the place of `pool`
  std::string log;        // a line of JSON for each generation; empty: none
  std::string spec;       // empty: that of the pool
  std::string executer, case_metric, strategy = "elitist";
  std::vector<std::string> towards;
  optimizer::breeding_options how;  // its scheme, seed and least number of cases are those from here
  std::optional<std::uint32_t> fewest_cases;
  std::uint64_t seed = 1;
  double most_seconds = 0;  // 0: no limit

  const std::string& target() const { return out.empty() ? pool : out; }
};

/// An error names what is asked that cannot be.
result<void> check_breeding(const breeding_request& asked);

struct bred {
  breeding_request asked;  // with its spec
  optimizer::bred_pools found;
  std::vector<std::string> ids;  // of all cases that there were
  std::size_t saved = 0;         // cases, with those that others were made of
};

/// Checks, breeds, writes the pool and the log. The pool is as before if anything goes wrong.
contract::outcome<bred> breed(const build::build_tree& tree, const build::suite& suite, breeding_request asked,
                              system::observer& told);

/// Schema morph.breed/1.
std::string as_json(const bred& of);
std::string as_text(const bred& of);
/// A line with what was asked, one for each generation, and one with the end.
std::string log_text(const bred& of);

}  // namespace morph::pools
