// Listing them.
#include "plugin/workspace/suites.hpp"

#include <algorithm>

namespace morph::workspace {
using build::build_tree;

bool listed_suite::whole() const {
  return std::all_of(programs.begin(), programs.end(),
                     [](const auto& p) { return p.how == frameworks::listed_program::state::listed; });
}

std::vector<listed_suite> list_suites(const build::build_tree& tree, const program_lister& list) {
  std::vector<listed_suite> suites;
  for (const build::suite& s : tree.suites) {
    listed_suite listed{&s, {}};
    listed.tells_places = s.framework == "gtest" && frameworks::gtest_naming_of(tree.cmake_version).joins_parts;
    for (const auto& program : s.programs)
      listed.programs.push_back(list ? list(s, program) : frameworks::list_program(tree, s, program));
    suites.push_back(std::move(listed));
  }
  return suites;
}

}  // namespace morph::workspace
