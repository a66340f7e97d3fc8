// All that `--fix` proposes: assertions and tests, as one change of the project.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/explain/fix.hpp"
#include "plugin/explain/new_tests.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

struct proposed_changes {
  proposed_fixes assertions{};
  proposed_tests tests{};

  bool empty() const { return assertions.fixes.empty() && tests.tests.empty(); }
};

struct change_request {
  unsigned jobs = 0;      // 0: one a processor
  bool has_tests = true;  // else assertions alone
};

/// Assertions that are verified, and tests for what they do not kill.
result<proposed_changes> propose_changes(const build::build_tree& tree, const explained& of,
                                         const change_request& asked, system::observer& told);

/// An error if a source is not as it was read.
result<generate::proposal> files_with(const build::build_tree& tree, const proposed_changes& all);

/// "of 10 survivors, 3 new assertions and 2 new tests kill 8".
std::string summary_of(const explained& of, const proposed_changes& all);

/// The report with what is proposed; `patch`: the same as `git diff` writes it.
std::string as_json(const explain_report& of, const proposed_changes& all, const std::string& patch);

}  // namespace morph::explain
