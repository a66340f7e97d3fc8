// Processes that a process has started, and those that these have.
#pragma once

#include <sys/types.h>

#include <vector>

namespace morph::studio {

/// At this moment; the nearest first.
std::vector<pid_t> descendants_of(pid_t process);

}  // namespace morph::studio
