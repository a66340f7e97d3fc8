// What earlier runs say of tests: of ctest in the build tree, and as recorded in the store.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/last_runs.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::workspace {

/// The latest verdict that ctest left in the build tree of each test.
std::vector<frameworks::run_outcome> last_runs(const build::build_tree& tree);

/// Equal for equal configurations; 16 hexadecimal digits. Verdicts are stored with it.
std::string configuration_id(const std::string& configuration);
std::string configuration_id(const build::build_tree& tree);

/// What earlier runs say of tests, by their ctest names.
struct known_verdicts {
  std::set<std::string> failed;  // the last time
  std::set<std::string> flaky;   // as recorded in the store
  std::map<std::string, std::vector<selection::past_verdict>> past;
};
/// Of `overlay` failures count, and nothing else. `within`: a test that failed in one of this many of its last runs
/// counts as failed; 1 = until it passes.
known_verdicts verdicts_of(const build::build_tree& tree, store::evidence_store* store,
                           store::evidence_store* overlay = nullptr, std::uint32_t within = 1);

/// What is known of a test by the name that another CMake gave it is known by its present one as well.
void follow_names(known_verdicts& verdicts, const std::vector<listed_suite>& suites);

}  // namespace morph::workspace
