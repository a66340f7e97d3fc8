// What instrumented programs of the twin count that a command starts, however it does: they share their counters with
// this process (plugin/runtime/morph_shared.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/gcov/capture.hpp"
#include "plugin/build/build_tree.hpp"

namespace morph::measuring {

/// Of all programs that ran since the last call, and of libraries that these loaded.
struct shared_counts {
  std::vector<gcov::module_record> modules;  // equal for equal sets of programs
  std::vector<gcov::counter> counters;       // ids ascend
  std::vector<std::string> variables;        // names that were asked for
  std::uint32_t incomplete = 0;              // bits of morph_stream::incomplete
};

/// From now on what a command leaves behind becomes a child of this process.
void take_orphans();
/// From now on programs that descend from this process share their counters.
result<void> offer_shared_memory();
shared_counts take_shared_counts();

}  // namespace morph::measuring
