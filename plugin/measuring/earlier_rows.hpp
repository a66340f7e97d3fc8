// Rows of the same content that an earlier measurement has.
#pragma once

#include <string>
#include <vector>

#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

/// Of the same content, measured before: a plan takes the latest measurement alone. Its tests keep what their earlier
/// rows have, and those whose rows differ are unsteady.
result<void> add_earlier_rows(store::evidence_store& earlier, store::evidence_store& evidence,
                              store::measurement_writer& writer, std::vector<std::string>& unsteady);

}  // namespace morph::measuring
