// What `morph report coverage --coupled` does.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/system/observer.hpp"

namespace morph::coupled {

struct request {
  std::string pair{};  // CALLER:CALLEE, two classes or two files; empty: all pairs of classes
  bool has_entry_branch = false;
  bool as_json = false;
  bool approximate = false;  // what was measured without isolation will do
};

/// Reads the measurement that plans start from and the production sources; nothing runs.
contract::outcome<std::string> run(const build::build_tree& tree, const request& asked, system::observer& told);

}  // namespace morph::coupled
