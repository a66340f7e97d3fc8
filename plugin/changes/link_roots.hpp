// What a linker looks for in static libraries, beside what the objects of a program name.
#pragma once

#include <vector>

#include "coverage/object/compare/link_unit.hpp"
#include "plugin/changes/fingerprints.hpp"

namespace morph::changes {

/// The options of its link line, and what those of `all` want that it is linked with: shared libraries of the project.
result<object::link_options> link_options_of(const store::measured_link& link,
                                             const std::vector<store::measured_link>& all, fingerprints& of);

/// Whether the shared libraries of the project that it is linked with are made of the same in both builds.
bool has_same_libraries(const store::measured_link& was, const std::vector<store::measured_link>& all_before,
                        const store::measured_link& is, const std::vector<store::measured_link>& all_now);

}  // namespace morph::changes
