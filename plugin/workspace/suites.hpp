// Suites of a build tree with the tests that their programs list.
#pragma once

#include <functional>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/listing.hpp"

namespace morph::workspace {

/// A suite with the listings of its programs.
struct listed_suite {
  const build::suite* declared = nullptr;
  std::vector<frameworks::listed_program> programs;  // as declared->programs
  bool tells_places = false;                         // CMake's own module would tell ctest where each test is defined

  bool whole() const;  // every program could be listed
};
using program_lister = std::function<frameworks::listed_program(const build::suite&, const build::test_program&)>;
/// `list`: in place of frameworks::list_program().
std::vector<listed_suite> list_suites(const build::build_tree& tree, const program_lister& list = {});

}  // namespace morph::workspace
