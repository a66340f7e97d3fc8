// A program whose functions have breakpoints, and who sees them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace morph::tracer {

/// Folders of tables and of the test's row (coverage/probe/format.h), and what the paths of the build begin with.
struct recorded_places {
  std::string tables, row, build;
};

/// Nothing if this run is not recorded.
std::optional<recorded_places> places_in(const char* const* environment);

/// Runs `execute` in a child, which it must replace by the program, and follows that one and all that comes of it until
/// the last process has ended. Functions of programs that have a table are noted in the row. `has_begun` gets the
/// program's process. As soon as that has ended, `has_ended` gets the status of wait(), and whether others live on.
void trace(const recorded_places& to, const std::function<void()>& execute,
           const std::function<void(pid_t process)>& has_begun,
           const std::function<void(int status, bool live_others)>& has_ended);

}  // namespace morph::tracer
