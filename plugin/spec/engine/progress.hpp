// How far a run is, for the program that started it: `morph --progress-fd N`.
#pragma once

#include <cstdint>

namespace morph::engine {

/// The environment variable with the number of the descriptor.
inline constexpr const char* progress_variable = "MORPH_PROGRESS_FD";

/// A line of JSON, at most ten a second; nothing if there is no reader. `unit`: what is counted, "cases".
void write_progress(const char* unit, std::uint64_t done);

}  // namespace morph::engine
