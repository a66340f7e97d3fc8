// The loop of adaptive execution.
#include "plugin/spec/adaptive/adaptive.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <set>

#include "morph/hash.hpp"

namespace morph::engine {
namespace {

using clock = std::chrono::steady_clock;

constexpr unsigned most_sources_without_relation = 100;
/// So many steps in a row to which a relation did not apply make PBMR leave it out in that partition.
constexpr unsigned char most_idle_steps = 50;
constexpr std::size_t most_profiles = 512, least_profiles = 8, most_violated_at = 10000;
/// So many probabilities are kept of all profiles over time.
constexpr std::size_t most_probabilities = std::size_t{1} << 18;
constexpr std::uint32_t most_follow_ups_kept = 65536;

/// A follow-up that may be taken: of a relation, by its datamorphism.
struct candidate {
  std::size_t rule;
  input_index input;
  placed where;
  unsigned difference;
};

profile_rule rule_of(source_choice how) {
  switch (how) {
    case source_choice::drt:
      return profile_rule::drt;
    case source_choice::mdrt:
      return profile_rule::mdrt;
    case source_choice::mapt:
      return profile_rule::mapt;
    case source_choice::rapt:
      return profile_rule::rapt;
    default:
      return profile_rule::fixed;
  }
}

class loop {
 public:
  loop(session& at_work, const options& how, const adaptive_options& by, adaptive_summary& to)
      : at_work_(at_work),
        spec_(at_work.spec()),
        how_(how),
        by_(by),
        to_(to),
        parts_(spec_),
        sources_(at_work, parts_, how.seed, how.makers),
        random_(word_hash::mixed(how.seed + hash_of_bytes("adaptive"))) {}

  std::string begin();
  bool may_go_on();
  std::string step(const adaptive_row* before, adaptive_row& row);  // row.step 0: it was interrupted
  probabilities shown() const;
  void note_profile();

 private:
  void lap(double& to) {
    const auto now = clock::now();
    to += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }
  std::optional<source> next_source();
  source furthest(const source& first);  // error_ if a distance is none
  std::string follow_ups(std::size_t datamorphism);
  std::string choose(bool& found);
  std::string choose_pair(bool from_relation);
  void note_idle(const adaptive_row& row);
  std::string no_relation() const;
  bool judge(adaptive_row& row);
  bool take_known(const adaptive_row& row);
  void count(std::size_t which, case_index on, verdict found);
  void needs_run(std::uint16_t operation, input_index in);
  template <typename Check>
  void check_others(const Check& check) const;
  std::size_t live(std::size_t partition) const { return place_in_profile_[partition]; }

  session& at_work_;
  spec_base& spec_;
  const options& how_;
  const adaptive_options& by_;
  adaptive_summary& to_;
  partitioning parts_;
  source_stream sources_;
  random_source random_;
  std::optional<profile> profile_;
  std::vector<std::size_t> partitions_;             // of the profile: those with seeds
  std::vector<std::size_t> place_in_profile_;       // nowhere: without seeds
  std::vector<std::size_t> datamorphisms_;          // with relations
  std::vector<std::vector<std::size_t>> rules_of_;  // by datamorphism
  std::vector<std::size_t> single_rules_;           // on single cases
  std::vector<std::size_t> all_rules_;
  std::vector<input_index> history_;  // of adaptive random testing
  std::string error_;                 // of a distance
  std::uint64_t every_ = 1;           // how many steps lie between two profiles
  std::set<std::size_t> kinds_;       // what was violated so far
  // Steps in a row that were not applicable, by partition, and by partition and relation.
  std::vector<std::uint64_t> idle_;
  std::vector<unsigned char> idle_rules_;
  std::vector<std::vector<bool>> has_run_;  // by operation, by input
  clock::time_point begin_ = clock::now(), since_ = begin_;

  // The test that is being chosen.
  source source_;
  case_index source_case_ = 0;
  std::vector<case_index> origins_;
  std::vector<candidate> candidates_;
  candidate chosen_{};
  std::vector<case_index> tested_;  // sources and mutant
};

std::string loop::begin() {
  rules_of_.resize(spec_.datamorphisms().size());
  for (std::size_t r = 0; r < spec_.rules().size(); ++r) {
    const declared_rule& rule = spec_.rules()[r];
    if (rule.about != scope::datamorphism) {
      single_rules_.push_back(r);
    } else if (at_work_.is_wanted(rule.datamorphism)) {
      if (rules_of_[rule.datamorphism].empty()) datamorphisms_.push_back(rule.datamorphism);
      rules_of_[rule.datamorphism].push_back(r);
      all_rules_.push_back(r);
    }
  }
  at_work_.report().distinct_is_exact = false;  // sources come again
  to_.partitions = parts_.names();
  to_.by_partition.resize(parts_.size());
  to_.by_rule.resize(spec_.rules().size());
  to_.has_seeds.assign(parts_.size(), false);
  to_.idle.assign(parts_.size(), 0);
  idle_.assign(parts_.size(), 0);
  idle_rules_.assign(parts_.size() * spec_.rules().size(), 0);
  has_run_.resize(spec_.operations().size());
  if (all_rules_.empty())
    return "it has no relation on what a datamorphism makes, of which adaptive execution chooses one for each test; "
           "declare one: s.relation(\"name\", datamorphism, ...)";
  if (!by_.start.empty())
    if (const std::string error = problem_of(by_.start, parts_.names()); !error.empty()) return error;
  if (const std::string error = sources_.begin(); !error.empty()) return error;
  place_in_profile_.assign(parts_.size(), nowhere);
  probabilities start;
  std::vector<std::uint64_t> bounds;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    to_.has_seeds[p] = sources_.has(p);
    if (!sources_.has(p)) continue;
    place_in_profile_[p] = partitions_.size();
    partitions_.push_back(p);
    start.push_back(by_.start.empty() ? 1 : by_.start[p]);
    // 70 % of the cases of a partition, as the published RAPT has it.
    if (sources_.is_finite()) bounds.push_back(std::max<std::uint64_t>(1, sources_.number_in(p) * 7 / 10));
  }
  const double sum = std::accumulate(start.begin(), start.end(), 0.0);
  if (!(sum > 0)) return "the profile gives all to partitions in which no seed lies";
  for (double& each : start) each /= sum;
  profile_.emplace(rule_of(by_.sources), by_.with, start, bounds);
  to_.over_time.push_back({0, shown()});
  since_ = clock::now();
  return {};
}

probabilities loop::shown() const {
  probabilities all(parts_.size(), 0.0);
  for (std::size_t i = 0; i < partitions_.size(); ++i) all[partitions_[i]] = profile_->now()[i];
  return all;
}

void loop::note_profile() {
  if (to_.steps % every_ != 0) return;
  to_.over_time.push_back({to_.steps, shown()});
  const std::size_t most = std::clamp(most_probabilities / parts_.size(), least_profiles, most_profiles);
  if (to_.over_time.size() < most) return;
  std::vector<profile_at> half;
  for (std::size_t i = 0; i < to_.over_time.size(); i += 2) half.push_back(std::move(to_.over_time[i]));
  to_.over_time = std::move(half);
  every_ *= 2;
}

bool loop::may_go_on() {
  at_work_.show_progress();
  const auto stop = [&](std::string why) { return to_.stopped = std::move(why), false; };
  if (at_work_.is_interrupted()) return to_.interrupted = true, stop("an interrupt");
  if (by_.most_steps != 0 && to_.steps >= by_.most_steps)
    return stop(std::to_string(by_.most_steps) + (by_.most_steps == 1 ? " step" : " steps"));
  if (by_.most_violations != 0 && to_.violations >= by_.most_violations)
    return stop(by_.most_violations == 1 ? std::string("the first violation")
                                         : std::to_string(by_.most_violations) + " violations");
  if (how_.most_seconds > 0 && std::chrono::duration<double>(clock::now() - begin_).count() >= how_.most_seconds)
    return stop("the limit of time");
  if (to_.steps % 256 == 255 && resident_bytes() >= how_.most_bytes)
    return stop("the limit of " + std::to_string(how_.most_bytes >> 20) + " MiB of memory");
  return true;
}

source loop::furthest(const source& first) {
  const auto apart = [&](const source& each) {
    double least = std::numeric_limits<double>::infinity();
    at_work_.say(activity::comparing, 0);
    for (const input_index other : history_) {
      least = std::min(least, at_work_.distance(each.input, other, "adaptive random testing", error_));
      if (!error_.empty()) break;
    }
    return least;
  };
  source best = first;
  if (history_.empty()) return best;
  double most = apart(first);
  for (unsigned i = 1; i < by_.candidates && error_.empty(); ++i) {
    const auto other = sources_.any();
    if (!other) break;  // the next draw tells why
    if (const double found = apart(*other); found > most) {
      most = found;
      best = *other;
    }
  }
  return best;
}

/// The source of the next test.
std::optional<source> loop::next_source() {
  if (by_.sources == source_choice::random || by_.sources == source_choice::art || to_.steps == 0) {
    auto drawn = sources_.any();
    if (!drawn || by_.sources != source_choice::art) return drawn;
    lap(to_.making);
    drawn = furthest(*drawn);
    lap(to_.selecting);
    return error_.empty() ? drawn : std::nullopt;
  }
  const std::size_t partition = partitions_[profile_->draw(random_)];
  lap(to_.selecting);
  return sources_.in(partition);
}

/// Adds what the relations of a datamorphism make of the source to the candidates.
std::string loop::follow_ups(std::size_t d) {
  const declared_datamorphism& of = spec_.datamorphisms()[d];
  // Sources beside the first come from all inputs; the same ones for all datamorphisms.
  while (origins_.size() < of.arity) {
    const auto other = sources_.any();
    if (!other) return sources_.error();
    const case_index at = at_work_.cases().add(other->maker, other->input, spec_.input_id(other->input), nullptr, 0);
    at_work_.set_label(at, other->label);
    origins_.push_back(at);
  }
  if (of.uses_runs)
    for (unsigned i = 0; i < of.arity; ++i) {
      needs_run(0, at_work_.cases().input(origins_[i]));
      at_work_.run_one(by_.executer, 0, at_work_.cases().input(origins_[i]));
    }
  std::vector<made_input> made;
  at_work_.say(activity::mutating, static_cast<std::uint32_t>(d));
  std::uint64_t threw = 0;
  (void)spec_.take_error();
  spec_.make_mutants(d, by_.executer, at_work_.cases(), origins_.data(), 1, made, at_work_.report().rejected, threw);
  if (made.empty() && threw == 0) ++at_work_.report().inapplicable;
  if (const std::string error = spec_.take_error(); !error.empty() && at_work_.report().broken.size() < 10)
    at_work_.report().broken.push_back("the datamorphism '" + of.name + "' threw: " + error);
  for (const made_input& each : made) {
    candidate one{0, each.input, {}, 0};
    if (const std::string error = parts_.place(each.input, one.where); !error.empty())
      return error + " (a follow-up by '" + of.name + "')";
    one.difference = parts_.difference(source_.where, one.where);
    for (const std::size_t rule : rules_of_[d]) {
      one.rule = rule;
      candidates_.push_back(one);
    }
  }
  return {};
}

/// A relation that applies to the source, and its follow-up.
std::string loop::choose(bool& found) {
  found = false;
  candidates_.clear();
  if (by_.relations == relation_choice::pbmr) {
    for (const std::size_t d : datamorphisms_)
      if (const std::string error = follow_ups(d); !error.empty()) return error;
    const unsigned char* const idle = &idle_rules_[source_.where.partition * spec_.rules().size()];
    const auto is_idle = [&](const candidate& c) { return idle[c.rule] >= most_idle_steps; };
    if (!std::all_of(candidates_.begin(), candidates_.end(), is_idle))
      candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), is_idle), candidates_.end());
    // Of those that differ in as many categories, each is as likely.
    unsigned most = 0;
    for (const candidate& each : candidates_) most = std::max(most, each.difference);
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(),
                                     [&](const candidate& c) { return c.difference != most; }),
                      candidates_.end());
  } else {
    for (std::size_t left = all_rules_.size(); left > 0 && candidates_.empty(); --left) {
      std::swap(all_rules_[left - 1], all_rules_[random_.below(left)]);
      const std::size_t rule = all_rules_[left - 1];
      if (const std::string error = follow_ups(spec_.rules()[rule].datamorphism); !error.empty()) return error;
      candidates_.erase(
          std::remove_if(candidates_.begin(), candidates_.end(), [&](const candidate& c) { return c.rule != rule; }),
          candidates_.end());
    }
  }
  if (candidates_.empty()) return {};
  found = true;
  chosen_ = candidates_[random_.below(candidates_.size())];
  return {};
}

std::string loop::no_relation() const {
  const bool whole = by_.sources == source_choice::random || by_.sources == source_choice::art;
  return (whole ? std::string("no relation applies to the seeds")
                : "no relation applies to the partition '" + parts_.names()[source_.where.partition] + "'") +
         ": of " + std::to_string(most_sources_without_relation) + " sources, none of the " +
         std::to_string(datamorphisms_.size()) + " datamorphisms with relations made a follow-up, for example of " +
         spec_.show_input(source_.input) + "; declare a relation for them, or leave such inputs out of the seeds";
}

/// A source and a relation that applies to it.
std::string loop::choose_pair(bool from_relation) {
  std::size_t wanted = nowhere;  // M-AMT draws the first relation before its source
  if (from_relation) wanted = all_rules_[random_.below(all_rules_.size())];
  for (unsigned tries = 0; tries < most_sources_without_relation; ++tries) {
    // What does not apply to one source of a partition may apply to another one.
    const auto drawn =
        tries == 0 || to_.steps == 0 || by_.sources == source_choice::random || by_.sources == source_choice::art
            ? next_source()
            : sources_.in(source_.where.partition);
    if (!drawn) return error_.empty() ? sources_.error() : error_;
    source_ = *drawn;
    at_work_.cases().truncate(0);
    source_case_ = at_work_.cases().add(source_.maker, source_.input, spec_.input_id(source_.input), nullptr, 0);
    at_work_.set_label(source_case_, source_.label);
    origins_.assign(1, source_case_);
    bool found = false;
    if (wanted != nowhere) {
      candidates_.clear();
      if (const std::string error = follow_ups(spec_.rules()[wanted].datamorphism); !error.empty()) return error;
      for (const candidate& each : candidates_)
        if (each.rule == wanted) chosen_ = each, found = true;
    } else if (const std::string error = choose(found); !error.empty()) {
      return error;
    }
    if (found) return {};
  }
  return wanted == nowhere ? no_relation() : choose_pair(false);
}

/// Counts a run of an input that has not run yet, or that has not in this process, as the log knows what came of it.
void loop::needs_run(std::uint16_t operation, input_index in) {
  std::vector<bool>& ran = has_run_[operation];
  if (ran.size() <= in) ran.resize(std::max<std::size_t>(in + 1, spec_.number_of_inputs()), false);
  if (!ran[in]) ++at_work_.report().runs;
  ran[in] = true;
}

void loop::count(std::size_t which, case_index on, verdict found) {
  report& report = at_work_.report();
  report.tallies[which][by_.executer].add(found);
  if (which < spec_.relations().size()) report.by_type[at_work_.cases().type(on)][by_.executer].add(found);
}

/// What is checked of the test beside its relation, of the cases in turn: check(which, rule, case, is in the log).
template <typename Check>
void loop::check_others(const Check& check) const {
  for (const std::size_t r : single_rules_)
    for (const case_index c : tested_) {
      const scope about = spec_.rules()[r].about;
      if (about == scope::all || (about == scope::seeds) == (c != tested_.back()))
        check(spec_.rules()[r].relation, r, c, true);
    }
  for (std::size_t k = spec_.relations().size(); k < at_work_.checks().size(); ++k)
    for (const case_index c : tested_)
      check(k, std::size_t{0}, c,
            at_work_.checks()[k].what == check_of_spec::kind::label && at_work_.label_of(c) != nowhere);
}

/// False if a signal came while it ran: what the executer runs may have got it, too, so that nothing can be said.
bool loop::judge(adaptive_row& row) {
  const std::uint16_t e = by_.executer;
  for (const case_index c : tested_) {
    const std::uint16_t operation = spec_.operation_of(at_work_.cases().type(c));
    at_work_.run_one(e, operation, at_work_.cases().input(c));
  }
  if (at_work_.is_interrupted()) return false;
  bool violated = false;
  const auto check = [&](std::size_t which, std::size_t of_rule, case_index on) {
    const verdict found = at_work_.check_one(which, of_rule, e, e, on);
    count(which, on, found);
    if (found != verdict::fail) return found;
    if (!violated) row.check = which;
    violated = true;
    at_work_.note(which, of_rule, e, e, on);
    return found;
  };
  row.found = check(row.check, row.rule, tested_.back());
  check_others([&](std::size_t which, std::size_t of_rule, case_index on, bool is_logged) {
    const verdict found = check(which, of_rule, on);
    if (is_logged) row.others.push_back(found);
  });
  if (violated) row.found = verdict::fail;
  return true;
}

/// Counts what the log knows of a test in which nothing was violated. False if it does not know all of it.
bool loop::take_known(const adaptive_row& row) {
  std::size_t logged = 0;
  check_others([&](std::size_t, std::size_t, case_index, bool is_logged) { logged += is_logged ? 1 : 0; });
  if (row.found == verdict::fail || row.others.size() != logged) return false;
  count(row.check, tested_.back(), row.found);
  auto next = row.others.begin();
  check_others([&](std::size_t which, std::size_t, case_index on, bool is_logged) {
    const bool is_run = at_work_.checks()[which].what == check_of_spec::kind::run_ends;
    count(which, on, is_logged ? *next++ : is_run ? verdict::pass : verdict::not_applicable);
  });
  return true;
}

void loop::note_idle(const adaptive_row& row) {
  std::uint64_t& of_partition = idle_[row.partition];
  unsigned char& of_rule = idle_rules_[row.partition * spec_.rules().size() + row.rule];
  if (row.found != verdict::not_applicable) {
    of_partition = 0;
    of_rule = 0;
    return;
  }
  to_.idle[row.partition] = std::max(to_.idle[row.partition], ++of_partition);
  if (of_rule < most_idle_steps) ++of_rule;
}

std::string loop::step(const adaptive_row* before, adaptive_row& row) {
  lap(to_.running);
  if (const std::string error = choose_pair(to_.steps == 0 && by_.relations == relation_choice::m_amt); !error.empty())
    return error;
  row = {};
  row.step = to_.steps + 1;
  row.partition = source_.where.partition;
  row.follow_up = chosen_.where.partition;
  row.rule = chosen_.rule;
  row.check = spec_.rules()[chosen_.rule].relation;
  row.source_id = spec_.input_id(source_.input);
  row.mutant_id = spec_.input_id(chosen_.input);
  if (by_.sources == source_choice::art) history_.push_back(source_.input);
  lap(to_.making);
  if (before != nullptr) {
    adaptive_row same = *before;
    same.check = row.check;
    same.found = row.found;
    same.others = row.others;
    if (!(same == row))
      return "step " + std::to_string(row.step) +
             " of the log is another one than is chosen now: the spec, its seeds or Morph changed since; begin anew "
             "without --resume";
  }
  pool& cases = at_work_.cases();
  const std::size_t datamorphism = spec_.rules()[row.rule].datamorphism;
  const std::size_t arity = spec_.datamorphisms()[datamorphism].arity;
  const type_index type = spec_.type_of(datamorphism);
  tested_.assign(origins_.begin(), origins_.begin() + static_cast<std::ptrdiff_t>(arity));
  tested_.push_back(cases.add(type, chosen_.input, spec_.input_id(chosen_.input), origins_.data(), arity));
  for (const case_index c : tested_) needs_run(spec_.operation_of(cases.type(c)), cases.input(c));
  if ((before == nullptr || !take_known(*before)) && !judge(row)) return row.step = 0, std::string();
  at_work_.report().seeds += arity;
  ++at_work_.report().mutants;
  ++at_work_.report().cases_by_type[type];
  if (before != nullptr) row = *before;
  lap(to_.running);

  ++to_.steps;
  to_.by_partition[row.partition].add(row.found);
  to_.by_rule[row.rule].add(row.found);
  if (row.found == verdict::fail) {
    ++to_.violations;
    if (!to_.f)
      to_.f = to_.steps;
    else if (!to_.f2)
      to_.f2 = to_.steps - *to_.f;
    if (kinds_.insert(row.check).second) to_.t = to_.steps;
    if (to_.violated_at.size() < most_violated_at) to_.violated_at.push_back(to_.steps);
  }
  since_ = clock::now();
  note_idle(row);
  // Where nothing applied, nothing was violated: such a step counts as one that held, or the profile would end in the
  // partition of which nothing can be said. No source can come from a partition without seeds.
  const std::size_t from = live(row.partition), made = live(row.follow_up);
  profile_->update({from, made == nowhere ? from : made, row.found == verdict::fail});
  lap(to_.selecting);
  const std::uint32_t end = sources_.end_of_inputs();
  if (spec_.number_of_inputs() > end + (sources_.is_finite() ? most_follow_ups_kept : 0)) {
    at_work_.cases().truncate(0);
    spec_.truncate_inputs(end);
    for (std::vector<bool>& ran : has_run_) ran.resize(std::min<std::size_t>(ran.size(), end));
  }
  return {};
}

}  // namespace

std::string run_adaptively(session& at_work, const options& how, const adaptive_options& by,
                           const std::vector<adaptive_row>& before, const step_seen& seen, adaptive_summary& to) {
  loop all(at_work, how, by, to);
  std::string error = all.begin();
  while (error.empty() && all.may_go_on()) {
    const bool is_known = to.steps < before.size();
    adaptive_row row;
    error = all.step(is_known ? &before[to.steps] : nullptr, row);
    if (!error.empty()) break;
    if (row.step == 0) continue;
    to.resumed += is_known ? 1 : 0;
    if (!is_known && seen) seen(row, all.shown());
    all.note_profile();
  }
  if (error.empty() && (to.over_time.empty() || to.over_time.back().step != to.steps))
    to.over_time.push_back({to.steps, all.shown()});
  if (!error.empty() && at_work.report().error.empty()) at_work.report().error = error;
  at_work.finish();
  return error;
}

}  // namespace morph::engine
