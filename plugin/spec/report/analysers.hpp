// Analysers that every spec has, and how analyses are written: as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/engine/pool_file.hpp"

namespace morph::engine {

/// Cases, passes, fails and checks that did not apply, by what made the cases, and by relation.
std::vector<analysis> count_verdicts(session& of, const verdict_table& verdicts, std::uint16_t executer);
/// The averages of all numbers in outputs, by what made the cases; of enumerations, how often each comes (Fig. 8 of the
/// paper on Morphy).
std::vector<analysis> average_outputs(session& of, std::uint16_t executer);

/// Metrics of the whole pool that every spec has: how diverse it is (mean distance to the nearest other case), and
/// which part of the relations applied to a case at least once.
struct named_number {
  std::string name;
  double value;
};
std::vector<named_number> measure_pool(session& of, const verdict_table& verdicts, std::uint16_t executer);

std::string as_text(const std::vector<analysis>& all);
std::string as_json(const std::vector<analysis>& all);

}  // namespace morph::engine
