// How a store stays small: the oldest measurements go.
#pragma once

#include <vector>

#include "plugin/store/database.hpp"
#include "plugin/store/evidence.hpp"
#include "plugin/store/store.hpp"

namespace morph::store {

/// Removes measurements beyond the bounds in one transaction, and blobs that only those have named. Returns what is
/// gone. Reads the links of all measurements if something goes.
std::vector<measurement_info> remove_oldest(database& db, const store_bounds& bounds);

}  // namespace morph::store
