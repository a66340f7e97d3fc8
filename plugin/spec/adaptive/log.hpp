// Logs of adaptive execution: a line of JSON that says how, then one for each step.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "plugin/spec/adaptive/adaptive.hpp"

namespace morph::engine {

/// What decides on the steps, in the order in which it is written: name and JSON text.
using log_head = std::vector<std::pair<std::string, std::string>>;
log_head head_of(const spec_base& spec, const options& how, const adaptive_options& by);

std::string head_line(const log_head& head);
std::string row_line(const spec_base& spec, const std::vector<std::string>& partitions,
                     const std::vector<std::string>& checks, const adaptive_row& row, const probabilities& profile);

struct read_log {
  log_head head;
  std::vector<adaptive_row> rows;
  std::vector<std::string> partitions;
  std::vector<tally> by_partition;
  std::size_t whole_bytes = 0;  // up to the end of the last whole line
  std::string error;            // with file and line; empty if it could be read
};

/// A last line that is cut off is left out. `checks` and the spec's rules name what its rows are about; without them
/// (null) only head, partitions and tallies are read.
read_log read_adaptive_log(const std::string& file, const spec_base* spec, const std::vector<std::string>& checks);

/// Which entry differs, and how; empty if none does.
std::string difference_of(const log_head& written, const log_head& wanted);

/// From the violations of earlier runs: (violations of the partition + 1) / (all violations + m). An error names a
/// partition of the log that there is not.
std::string profile_of_log(const read_log& log, const std::vector<std::string>& partitions, probabilities& to);

}  // namespace morph::engine
