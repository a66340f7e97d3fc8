// A run of tests on the present content, and the plan as it was before that run.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

struct verdict {
  bool failed = false;
  double seconds = 0;
};

/// What ran since the content last changed.
struct present_run {
  std::map<std::string, verdict> verdicts{};  // by ctest name; none: nothing ran
  std::set<std::string> skipped{};            // names in reports
  std::string ran_on{};                       // content
  std::int64_t began = 0, ended = 0;          // seconds since 1970
};

/// Of JUnit reports, or without any of the last run of ctest.
result<present_run> read_present_run(const build::build_tree& tree, const git::repository& repo,
                                     const std::vector<std::string>& reports);

/// Which knows nothing of what ran from then on.
contract::outcome<std::unique_ptr<full_plan>> plan_before(const build::build_tree& tree, plan_options options,
                                                          std::int64_t began);

struct past_run {
  git::repository repo;
  std::unique_ptr<full_plan> plan;  // before the run
  present_run run;
};

/// Of JUnit reports, or without any of the last run of ctest. An error if nothing ran on the present content.
contract::outcome<past_run> plan_before_run(const build::build_tree& tree, plan_options options,
                                            const std::vector<std::string>& reports);

}  // namespace morph::planning
