// Suites and tests of a plan, as they are now.
#pragma once

#include "plugin/git/repository.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// From p.suites to suites and tests of the request, with notes of what cannot be listed or told apart. `repo`: null
/// where there is none. An error is a policy that is unknown.
result<void> request_suites(full_plan& p, const git::repository* repo, const plan_options& options);

}  // namespace morph::planning
