// Drawing sources.
#include "plugin/spec/engine/sources.hpp"

#include <algorithm>

#include "morph/hash.hpp"

namespace morph::engine {
namespace {

/// What is looked at before a partition counts as one without seeds.
constexpr std::uint64_t first_batches = 64;
constexpr std::size_t first_seeds = 10000;
/// So many seeds are made for a source of a partition, on average; where that does not do, one of before serves again.
constexpr std::size_t seeds_a_source = 16;
constexpr std::size_t most_waiting = 1024;

}  // namespace

source_stream::source_stream(session& of, const partitioning& parts, std::uint64_t seed,
                             const std::vector<std::string>& makers)
    : of_(of),
      parts_(parts),
      seed_(seed),
      random_(word_hash::mixed(seed + hash_of_bytes("sources"))),
      waiting_(parts.size()),
      known_(parts.size()) {
  for (std::size_t m = 0; m < of.spec().makers().size(); ++m)
    if (makers.empty() || std::find(makers.begin(), makers.end(), of.spec().makers()[m].name) != makers.end())
      makers_.push_back(m);
  fixed_.resize(makers_.size());
}

bool source_stream::make(std::size_t maker, std::vector<source>& to) {
  spec_base& spec = of_.spec();
  of_.say(activity::seeding, static_cast<std::uint32_t>(maker));
  std::vector<made_seed> made;
  const std::uint64_t seed = word_hash::mixed(seed_ + hash_of_bytes(spec.makers()[maker].name)) + batches_;
  std::string error;
  try {
    error = spec.make_seeds(maker, word_hash::mixed(seed), made);
  } catch (const std::exception& thrown) {
    error = thrown.what();
  } catch (...) {
    error = "an exception that is no std::exception";
  }
  if (!error.empty()) error = "the seeds '" + spec.makers()[maker].name + "' cannot be made: " + error;
  for (const made_seed& each : made) {
    if (!error.empty()) break;
    to.push_back({each.input, static_cast<type_index>(maker), each.label, {}});
    error = parts_.place(each.input, to.back().where);
  }
  error_ = error;
  return error.empty();
}

bool source_stream::refill() {
  std::vector<source> batch;
  bool all_fixed = true;
  for (std::size_t i = 0; i < makers_.size(); ++i) {
    if (fixed_[i]) {
      batch.insert(batch.end(), fixed_[i]->begin(), fixed_[i]->end());
      continue;
    }
    std::vector<source> made;
    const std::uint32_t before = of_.spec().number_of_inputs();
    if (!make(makers_[i], made)) return false;
    // The second time tells whether it draws.
    if (batches_ == 1 && of_.spec().number_of_inputs() == before) fixed_[i] = made;
    all_fixed = all_fixed && fixed_[i].has_value();
    batch.insert(batch.end(), made.begin(), made.end());
  }
  ++batches_;
  made_ += batch.size() + 1;
  end_of_inputs_ = std::max(end_of_inputs_, of_.spec().number_of_inputs());
  if (all_fixed && batches_ > 1) {
    finite_ = true;
    all_ = batch;
    for (auto& each : known_) each.clear();
    for (const source& each : batch) known_[each.where.partition].push_back(each);
    return true;
  }
  for (std::size_t i = batch.size(); i > 1; --i) std::swap(batch[i - 1], batch[random_.below(i)]);
  for (const source& each : batch) {
    const std::size_t at = each.where.partition;
    if (all_.size() < most_waiting) all_.push_back(each);
    if (waiting_[at].size() < most_waiting) waiting_[at].push_back(each);
    if (known_[at].size() < most_waiting) known_[at].push_back(each);
  }
  return true;
}

std::string source_stream::begin() {
  const auto all_seen = [&] {
    return std::none_of(known_.begin(), known_.end(), [](const auto& seen) { return seen.empty(); });
  };
  std::size_t seeds = 0;
  while (!finite_ && (batches_ < 2 || (!all_seen() && batches_ < first_batches && seeds < first_seeds))) {
    if (!refill()) return error_;
    seeds = of_.spec().number_of_inputs();
  }
  if (end_of_inputs_ == 0) return "there is not a single seed";
  return {};
}

std::optional<source> source_stream::any() {
  if (finite_) return all_[random_.below(all_.size())];
  while (all_.empty())
    if (!refill()) return std::nullopt;
  const source next = all_.back();
  all_.pop_back();
  return next;
}

std::optional<source> source_stream::in(std::size_t partition) {
  auto& known = known_[partition];
  auto& waiting = waiting_[partition];
  ++asked_;
  while (!finite_ && waiting.empty() && made_ < first_seeds + seeds_a_source * asked_)
    if (!refill()) return std::nullopt;
  if (finite_ || waiting.empty()) return known[random_.below(known.size())];
  const source next = waiting.back();
  waiting.pop_back();
  return next;
}

}  // namespace morph::engine
