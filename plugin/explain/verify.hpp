// Whether proposed assertions hold without mutants, and fail with those that they are for.
#pragma once

#include "plugin/build/build_tree.hpp"
#include "plugin/explain/fix.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// Compiles the tests in the mutation twin with the project's compiler, runs each test that has a new assertion alone,
/// five times without a mutant and with other contents of fresh memory, and then with its mutants. What does not
/// compile, does not pass each time or does not kill goes from `fixes` to `refused`. The mirror is as before
/// afterwards. A sanitizer does not run.
result<void> verify(const build::build_tree& tree, proposed_fixes& fixes, unsigned jobs, system::observer& told);

}  // namespace morph::explain
