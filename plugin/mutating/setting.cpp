// The limits of a run, from what was asked for.
#include "plugin/mutating/setting.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace morph::mutating {

setting setting_of(const build::build_tree& tree, const request& asked, system::observer& told) {
  using clock = std::chrono::steady_clock;
  setting made{tree, asked, told, build::mutation_place_of(tree), {}};
  made.limits.jobs = asked.jobs > 0 ? asked.jobs : std::max(1U, std::thread::hardware_concurrency());
  made.limits.all_killers = asked.all_killers;
  made.limits.unmutated_runs = asked.unmutated_runs;
  if (asked.budget)
    made.limits.deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(*asked.budget));
  return made;
}

}  // namespace morph::mutating
