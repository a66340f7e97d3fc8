// The run of `morph measure`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/program.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

/// "fork" (an empty name, too), "process" or "none".
result<isolation> parse_isolation(const std::string& name);

struct request {
  unsigned jobs = 0;         // files that are compiled at once; 0: one a processor
  bool fresh = false;        // measure every test even if this content has been measured
  bool incremental = false;  // say why if every test is measured
  /// Leave an earlier measurement in place until the changes since affect more than this much of the tests' time.
  std::optional<double> if_affected_pct{};
  isolation isolated = isolation::fork;
  bool ignore_files = false;
  bool shows_build = false;  // what the build tool says goes to the terminal
};

/// What a run did.
struct totals {
  std::string commit;  // of the content, which has changes beside it if `dirty`
  bool dirty = false;
  program_totals tests;
  std::size_t known = 0;
  std::size_t carried = 0;  // rows that still hold
  std::string base;         // where they are from
  bool already_complete = false;
  std::vector<std::string> unsteady;
  std::optional<std::uint32_t> held;  // commits since a measurement that stays in place: nothing was measured
  std::size_t affected = 0;           // tests since then
};

/// Builds the twin, runs what the changes since the nearest measurement can affect, and writes rows to the store.
/// Interrupted, it keeps what it has measured.
result<totals> run(const build::build_tree& tree, const git::repository& repo, const request& asked,
                   system::observer& told);

/// Schema morph.measure/1. `seconds`: how long it took.
std::string as_json(const totals& t, double seconds);
/// For people; a line or more.
std::string as_text(const totals& t, double seconds);

}  // namespace morph::measuring
