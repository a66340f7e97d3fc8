// `morph spec filter --by minimize` and `--by select --most N`: by the rows of the pool's cases. The program of specs
// does the rest, and filters by what else is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/pools/rows.hpp"
#include "plugin/system/process.hpp"

namespace morph::pools {

struct filter_request {
  std::optional<std::uint32_t> most{};  // nothing: the fewest that cover all
  std::vector<std::string> words;       // for the program, without what is ours
};
/// Nothing if the words do not ask for that; an error says what is asked that cannot be.
result<std::optional<filter_request>> read_filter(const std::vector<std::string>& words);

struct filtered_pool {
  reduced_cases found;
  bool keeps_kills = false;     // these were to be covered, too
  bool is_limited = false;      // by --most
  std::size_t measured = 0;     // cases
  std::size_t unmeasured = 0;   // cases, which stay
  system::process_end program;  // how it ended, and what it wrote
};
contract::outcome<filtered_pool> filter_by_rows(const build::build_tree& tree, const build::suite& suite,
                                                const filter_request& asked);

/// What covers what, for people.
std::string as_text(const filtered_pool& of);

}  // namespace morph::pools
