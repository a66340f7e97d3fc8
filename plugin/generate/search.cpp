// The ground of a search: sequences by number, made by variation, executed by an evaluator.
#include "plugin/generate/search.hpp"

#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

namespace morph::generate {
namespace {

class sequences {
 public:
  sequences(api& of, literal_table& literals, const evaluator& evaluate, optimizer::random_source& random,
            known_inputs* known)
      : api_(of),
        literals_(literals),
        evaluate_(evaluate),
        random_(random),
        known_(known),
        vary_(of, literals, random, known != nullptr && !known->book.empty() ? &known->book : nullptr) {}

  optimizer::goal_ground ground(const std::vector<objective>& goals) {
    return {.goals = goals,
            .random = &random_,
            .propose_known =
                [this] {
                  if (known_ == nullptr || next_known_ >= known_->first.size()) return false;
                  propose(known_->first[next_known_++]);
                  return true;
                },
            .propose_random = [this] { propose(vary_.random()); },
            .propose_child = [this](const optimizer::candidate_parents& of) { propose(child(of)); },
            .execute = [this](const auto& take) { execute(take); },
            .candidate = [this](std::uint32_t number) { return candidate(number); },
            .forget = [this](std::uint32_t number) { all_.erase(number); }};
  }

  search_result result_of(optimizer::found_goals found) {
    for (const auto& [goal, number] : found.archive) made_.archive.emplace(goal, all_.at(number));
    for (const std::uint32_t number : found.population) made_.population.push_back(all_.at(number));
    made_.rows = std::move(found.log);
    return std::move(made_);
  }

 private:
  sequence child(const optimizer::candidate_parents& of) {
    sequence made = all_.at(of.first).calls;
    if (of.second) made = vary_.crossed(made, all_.at(*of.second).calls);
    return of.is_mutated ? vary_.mutated(std::move(made)) : made;
  }

  void propose(sequence calls) {
    proposed_.push_back(std::move(calls));
    recipes_of_.push_back(vary_.take_used());
  }

  optimizer::executed_candidate candidate(std::uint32_t number) const {
    const auto at = all_.find(number);
    if (at == all_.end()) return {};
    return {number, at->second.calls.size(), &at->second.did.goals};
  }

  void execute(const std::function<bool(const optimizer::executed_candidate&)>& take) {
    auto outcomes = evaluate_(proposed_);
    if (!outcomes) throw std::runtime_error(outcomes.error());
    for (std::size_t i = 0; i < proposed_.size(); ++i) {
      outcome& did = (*outcomes)[i];
      sequence& calls = proposed_[i];
      ++made_.sequences;
      const bool is_whole = did.left_out.empty();
      leave_out(calls, did);
      count(did);
      for (std::uint32_t c = 0; c < calls.size() && c <= did.call; ++c) ++api_.callables[calls[c].callable].calls;
      for (const literal& each : did.operands) literals_.offer(each);
      if (!did.can_be_a_test()) {
        note_finding(calls, did);
        learn(i, false, false);
        continue;
      }
      did.operands.clear();
      individual one{std::move(calls), std::move(did)};
      cut(one);
      all_.emplace(++last_, std::move(one));
      optimizer::executed_candidate now = candidate(last_);
      now.proposal = i;
      learn(i, is_whole, take(now));
    }
    proposed_.clear();
    recipes_of_.clear();
  }

  void learn(std::size_t proposal, bool is_valid, bool is_new) {
    if (known_ != nullptr) known_->book.learn(recipes_of_[proposal], is_valid, is_new);
  }

  void count(const outcome& did) {
    made_.crashed += did.how == morph_outcome_crashed ? 1U : 0U;
    made_.threw += did.how == morph_outcome_threw ? 1U : 0U;
    made_.hung += did.how == morph_outcome_hung ? 1U : 0U;
    made_.ended += did.how == morph_outcome_ended ? 1U : 0U;
    made_.refused += did.how == morph_outcome_refused ? 1U : 0U;
    made_.without_value += did.how == morph_outcome_no_value || !did.left_out.empty() ? 1U : 0U;
  }

  /// What was not executed any more is no part of it.
  static void cut(individual& one) {
    if (one.did.how == morph_outcome_threw) one.calls.resize(std::min<std::size_t>(one.calls.size(), one.did.call + 1));
  }

  void note_finding(const sequence& calls, const outcome& did) {
    // Of exceptions only std::bad_alloc comes here: another machine has more memory.
    if (did.how == morph_outcome_threw || did.how == morph_outcome_no_value || did.how == morph_outcome_refused ||
        did.call >= calls.size())
      return;
    const std::uint32_t blamed = calls[did.call].callable;
    ++api_.callables[blamed].crashes;
    if (found_.insert({blamed, did.how, did.code}).second) made_.findings.push_back({calls, did});
  }

  api& api_;
  literal_table& literals_;
  const evaluator& evaluate_;
  optimizer::random_source& random_;
  known_inputs* known_;
  std::size_t next_known_ = 0;
  variation vary_;
  std::vector<sequence> proposed_;
  std::vector<std::vector<std::size_t>> recipes_of_;   // that each proposed one has
  std::unordered_map<std::uint32_t, individual> all_;  // that were not forgotten
  std::uint32_t last_ = 0;
  std::set<std::tuple<std::uint32_t, morph_outcome, std::int32_t>> found_;
  search_result made_;
};

}  // namespace

result<search_result> search(api& of, literal_table& literals, const std::vector<objective>& goals,
                             const search_options& options, const evaluator& evaluate,
                             const std::function<bool(const search_row&)>& is_over, optimizer::random_source& random,
                             const goal_searcher& by, known_inputs* known) {
  sequences all(of, literals, evaluate, random, known);
  return by(all.ground(goals), options, is_over).map([&](optimizer::found_goals&& found) {
    return all.result_of(std::move(found));
  });
}

}  // namespace morph::generate
