// What was compiled without counters.
#pragma once

#include <set>
#include <string>

#include "plugin/measuring/session.hpp"

namespace morph::measuring {

/// Makes known what was compiled without counters: libraries outside PRODUCTION, tables without functions; and
/// `tool_objects`, whose code runs while the project is built. A change of what they are made of affects everything.
void register_blind_units(const session& m, const std::set<std::string>& tool_objects,
                          const std::set<std::string>& without_probes = {});

}  // namespace morph::measuring
