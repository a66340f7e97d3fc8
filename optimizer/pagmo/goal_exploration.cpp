// Counts what is proposed and executed, and asks whether the search goes on.
#include "optimizer/pagmo/goal_exploration.hpp"

#include <limits>
#include <utility>

namespace morph::optimizer {

goal_exploration::goal_exploration(const goal_ground& on_ground, const goal_search_options& options,
                                   const is_search_over& is_over, std::vector<goal_search_row>& log)
    : on(on_ground),
      how(options),
      archive(on_ground, options.by == goal_search_options::algorithm::dyna_mosa),
      is_over_(is_over),
      log_(log) {}

std::uint64_t goal_exploration::left() const {
  return how.most_sequences > 0 ? how.most_sequences - executed_ - proposed_
                                : std::numeric_limits<std::uint64_t>::max();
}

bool goal_exploration::propose_known() {
  if (!on.propose_known()) return false;
  ++known_;
  ++proposed_;
  return true;
}

void goal_exploration::propose_random() {
  on.propose_random();
  ++proposed_;
}

void goal_exploration::propose_child(const candidate_parents& of) {
  on.propose_child(of);
  ++proposed_;
}

std::vector<executed_candidate> goal_exploration::execute() {
  std::vector<executed_candidate> made;
  on.execute([&](const executed_candidate& one) {
    archive.hold(one.number);
    made.push_back(one);
    return archive.take(one);
  });
  executed_ += std::exchange(proposed_, 0);
  return made;
}

bool goal_exploration::goes_on() {
  log_.push_back({generation_++, executed_, archive.reached(), archive.objectives().size()});
  const bool is_spent = how.most_sequences > 0 && executed_ >= how.most_sequences;
  return !is_spent && !archive.is_done() && !(is_over_ && is_over_(log_.back()));
}

}  // namespace morph::optimizer
