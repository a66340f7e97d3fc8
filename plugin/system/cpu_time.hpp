// Processor time that was used.
#pragma once

namespace morph::system {

/// Seconds, of this process and of all that it started and that have ended.
double cpu_seconds();

}  // namespace morph::system
