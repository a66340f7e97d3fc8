// Linked files of the build and those that were recorded: shared libraries are paired without their versions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugin/build/link_lines.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::changes {

struct link_pairs {
  std::map<std::string, const store::measured_link*> recorded;  // by the path in the build
  std::map<std::string, std::string> paths;                     // recorded -> in the build

  /// Null if there is none.
  const store::measured_link* of(const std::string& path) const;
};

/// Files of one path, and shared libraries whose paths differ in the version alone. These have a SONAME, by which
/// programs find them, and are the only ones of their name in either build.
link_pairs pair_links(const std::vector<store::measured_link>& recorded, const std::vector<build::linked_file>& built);

/// Whether the link lines say the same, but for versions in the paths of other libraries of the build. What a library
/// calls itself (its SONAME) counts.
bool is_linked_alike(const store::measured_link& was, const store::measured_link& is, const link_pairs& pairs);

}  // namespace morph::changes
