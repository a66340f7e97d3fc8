// Names that others than a program itself may use: its libraries, those of the system, and who looks them up by a
// string.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "coverage/object/compare/compare.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/changes/fingerprints.hpp"

namespace morph::changes {

/// Of a program or shared library that is there now, and of the links of the older build. Reads nothing before it is
/// asked.
class exported_names {
 public:
  exported_names(const build::build_tree& tree, const build::built_code& built,
                 const std::vector<store::measured_link>& recorded, fingerprints& of, const build::linked_file& link);

  /// `to` with what comparing it needs to know of others; valid with this.
  object::compare_options options(object::compare_options to);

 private:
  struct others {
    bool is_known = false, is_static = false;
    bool looks_up = false;                    // somebody in the project
    std::unordered_set<std::string> offered;  // by this, to its libraries
    std::unordered_set<std::string> names;    // of them
  };
  const others& known();
  others read();
  bool is_named(std::string_view name);

  const build::build_tree& tree_;
  const build::built_code& built_;
  const std::vector<store::measured_link>& recorded_;
  fingerprints& fingerprints_;
  const build::linked_file& link_;
  bool exports_ = false;
  std::optional<others> others_;
};

}  // namespace morph::changes
