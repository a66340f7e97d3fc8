// morph plan --audit: what the plan would have missed of a run of all tests.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/planning/earlier_run.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/store/store.hpp"

namespace morph::planning {

struct audit_arguments {
  std::vector<std::string> reports;  // JUnit; empty = what ctest left
  std::size_t runs = 20;             // that are summed up
};

/// One run, compared with the plan.
struct comparison {
  std::vector<const selection::planned_test*> missed;  // failed, and not selected
  std::vector<std::string> flaky;                      // likewise, but their verdicts change by themselves
  std::vector<std::string> deferred;                   // likewise, but affected: a policy or a budget left them out
  std::vector<std::string> unseen;                     // without a verdict
  std::size_t tests = 0, selected = 0, failed = 0;
  double seconds = 0, selected_seconds = 0;

  bool is_full() const { return unseen.empty(); }
};

comparison compare(const full_plan& p, const std::map<std::string, verdict>& verdicts,
                   const std::set<std::string>& skipped);

struct history {
  std::size_t runs = 0, failed = 0, missed = 0;
  double selected_share = 0, time_share = 0;  // means over runs
};

/// Of the `most` newest audits of a configuration.
history sum_up(const std::vector<store::audit>& newest_first, const std::string& configuration, std::size_t most);

struct audit_result {
  past_run past;
  comparison run;  // refers to the plan of `past`
  history before;  // the full runs, this one among them
};

/// The plan is made as it was before the run: its failures are forgotten. What a full run says is kept in the store.
contract::outcome<audit_result> run_audit(const build::build_tree& tree, plan_options options,
                                          const audit_arguments& arguments);

/// Schema morph.audit/1, with an end of line.
std::string as_json(const audit_result& of);
/// For people.
std::string as_text(const audit_result& of);

}  // namespace morph::planning
