// Linked files among those that were recorded: shared libraries by their paths without versions.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/link_lines.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::changes {

/// "lib/libgeo.so" of "lib/libgeo.so.3.0.1"; other paths as they are.
std::string without_version(const std::string& path);

/// The one of that path, else the only shared library whose path differs in the version alone; null if there is none.
const store::measured_link* recorded_link(const std::vector<store::measured_link>& recorded, const std::string& path,
                                          bool shared);

/// Whether the link lines say the same, but for versions in the paths of the build's own shared libraries. What a
/// library calls itself (its SONAME) counts: programs and dlopen() look for it.
bool is_linked_alike(const store::measured_link& was, const std::vector<store::measured_link>& all_before,
                     const store::measured_link& is, const std::vector<build::linked_file>& all_now);

}  // namespace morph::changes
