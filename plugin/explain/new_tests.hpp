// Tests that kill what no assertion on the project's own tests does: a search for each source with survivors.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// A new test, and the survivors that it was kept for.
struct new_test {
  std::string file{}, name{};
  std::vector<std::string> mutants{};
};

struct proposed_tests {
  std::vector<new_test> tests{};
  std::vector<std::string> refused{};  // "ID: no new test: why"
  generate::proposal files{};
};

/// Of the explained survivors that are not in `killed`. The tests compile, pass five times and with AddressSanitizer,
/// as those of `morph generate` do, and each kills its mutants. Nothing is written outside of <build>/.morph.
result<proposed_tests> make_tests(const build::build_tree& tree, const explained& of,
                                  const std::set<std::string>& killed, system::observer& told);

}  // namespace morph::explain
