// How this process takes memory from the system.
#pragma once

namespace morph::system {

/// From now on, for commands that fill their memory once and end: the heap comes in large pages, and what is freed is
/// kept for what comes next. Page faults of the usual size are up to a third of such a command's time.
void use_large_pages();

}  // namespace morph::system
