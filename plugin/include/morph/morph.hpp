// All that a spec needs.
#pragma once

#include "morph/auxiliary.hpp"   // IWYU pragma: export
#include "morph/generate.hpp"    // IWYU pragma: export
#include "morph/near.hpp"        // IWYU pragma: export
#include "morph/spec.hpp"        // IWYU pragma: export
#include "morph/statistics.hpp"  // IWYU pragma: export
