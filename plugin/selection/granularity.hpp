// GRANULARITY auto: one ctest entry a case, or batches.
#pragma once

#include <cstddef>
#include <optional>

namespace morph::selection {

/// A process of its own costs a case about 4.5 ms of ctest and exec. Batches (`tier`) for more than 2,000 cases, and
/// for more than 100 whose processes would take longer than the tests themselves (`seconds`: of all cases, measured;
/// nothing if unknown). A suite that had batches in the last plan keeps them until it is well below: half of each
/// number.
bool prefers_batches(std::size_t cases, std::optional<double> seconds, bool had_batches);

}  // namespace morph::selection
