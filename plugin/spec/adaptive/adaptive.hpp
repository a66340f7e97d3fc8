// Adaptive execution of a spec: a test at a time, whose source and relation are chosen by what came of those before.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/spec/adaptive/profile.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/engine/partitions.hpp"
#include "plugin/spec/engine/sources.hpp"

namespace morph::engine {

enum class source_choice : unsigned char {
  random,   // from all inputs, whatever their partitions
  art,      // adaptive random: the furthest of some candidates from all sources before it (Chen, Leung, Mak 2004)
  uniform,  // a partition by the profile, which stays as it is
  drt,
  mdrt,
  mapt,
  rapt,
};
enum class relation_choice : unsigned char {
  uniform,  // any that applies to the source
  m_amt,    // the same; for the first test the relation is drawn before the source
  pbmr,     // the one whose follow-up differs from its source in most categories
};

struct adaptive_options {
  source_choice sources = source_choice::mdrt;
  relation_choice relations = relation_choice::pbmr;
  parameters with;
  probabilities start;  // of all partitions; empty: uniform
  std::uint64_t most_steps = 1000;
  std::uint64_t most_violations = 0;  // 0: no limit
  unsigned candidates = 10;           // of adaptive random testing
  std::uint16_t executer = 0;
};

/// A test: a source, a relation, a follow-up, and what came of them.
struct adaptive_row {
  std::uint64_t step = 0;                      // from 1 on
  std::size_t partition = 0;                   // of the source
  std::size_t follow_up = 0;                   // the partition of the follow-up
  std::size_t rule = 0;                        // the relation for one datamorphism
  std::size_t check = 0;                       // what was violated, else the relation
  std::uint64_t source_id = 0, mutant_id = 0;  // of the inputs
  verdict found = verdict::not_applicable;
  // Of relations on single cases and expected outputs, for each case in turn; empty where there are none.
  std::vector<verdict> others;
  bool operator==(const adaptive_row&) const = default;
};

/// The profile behind a step.
struct profile_at {
  std::uint64_t step;
  probabilities profile;
};

struct adaptive_summary {
  std::vector<std::string> partitions;
  std::vector<bool> has_seeds;
  std::vector<tally> by_partition, by_rule;
  std::uint64_t steps = 0, resumed = 0, violations = 0;
  std::optional<std::uint64_t> f, f2, t;  // the measures; see docs/specs/adaptive.md
  double selecting = 0, making = 0,
         running = 0;                      // seconds: profile and partition; source, follow-ups, relation; the rest
  std::vector<profile_at> over_time;       // at most 513, evenly; fewer of many partitions; the last step's is the last
  std::vector<std::uint64_t> violated_at;  // steps, the first 10,000
  std::vector<std::uint64_t> idle;         // by partition: the most of its steps in a row to which nothing applied
  std::string stopped;                     // why
  bool interrupted = false;                // that is why
};

/// Told of each step that was taken now: the row and the profile behind it, which is of the partitions in their order,
/// and is made for that. O(m).
using step_seen = std::function<void(const adaptive_row&, const probabilities&)>;

/// Runs until a limit is met (those of `how`: seed, time, memory, seed makers, datamorphisms, and what is shown of
/// violations), or a signal comes that is noted (isolate.hpp). `before`: rows of an earlier run of the same options,
/// whose verdicts stand: they are chosen again, which has to give the same, but not executed unless they violated
/// something; reports count them. An error ends it; what was found until then is in the summary and the session's
/// report.
std::string run_adaptively(session& at_work, const options& how, const adaptive_options& by,
                           const std::vector<adaptive_row>& before, const step_seen& seen, adaptive_summary& to);

}  // namespace morph::engine
