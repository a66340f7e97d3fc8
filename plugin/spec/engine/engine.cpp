// The strategies, and how what they make is executed and checked.
#include "plugin/spec/engine/engine.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "morph/hash.hpp"
#include "morph/seeds.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/engine/number_text.hpp"
#include "plugin/spec/engine/progress.hpp"

namespace morph::engine {
namespace {

/// So many cases are made before they are executed and checked.
constexpr std::size_t largest_chunk = 512;
constexpr std::size_t first_chunk = 64;
/// So many distinct inputs are remembered with their runs where cases are forgotten: all of a set that is not larger,
/// and of a larger one as many as fit into a processor's cache.
constexpr std::uint32_t remembered_inputs = 65536;
constexpr std::uint32_t remembered_of_many = 8192;
constexpr double longest_step = 0.05;  // seconds
/// So many runs are one step at most: who watches the steps takes one that is too long for a run without end.
constexpr std::size_t most_runs_in_a_step = 1024;
constexpr std::uint64_t many = std::uint64_t{1} << 63;

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

std::vector<std::uint64_t> type_identities(const spec_base& spec) {
  std::vector<std::uint64_t> made;
  // A seed is what it is, whichever maker it came from.
  made.assign(spec.makers().size(), hash_of_bytes("seed"));
  for (const auto& each : spec.datamorphisms()) made.push_back(hash_of_bytes("by " + each.name));
  return made;
}

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::uint64_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long whole = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &whole, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void read_standard_input(const spec_base& spec, const options& how) {
  for (const declared_maker& each : spec.makers())
    if (each.reads_standard_input && is_one_of(how.makers, each.name)) (void)read_seeds(standard_input{});
}

std::vector<check_of_spec> checks_of(const spec_base& spec, bool has_labels) {
  std::vector<check_of_spec> made;
  for (std::size_t r = 0; r < spec.relations().size(); ++r)
    made.push_back({check_of_spec::kind::relation, spec.relations()[r].name, static_cast<std::uint16_t>(r)});
  if (has_labels) made.push_back({check_of_spec::kind::label, label_check, 0});
  if (spec.executers_have_to_agree() && spec.executers().size() > 1)
    made.push_back({check_of_spec::kind::agreement, agreement_check, 0});
  made.push_back({check_of_spec::kind::run_ends, run_check, 0});
  return made;
}

bool report::failed() const {
  if (!error.empty() || !broken.empty()) return true;
  for (const auto& check : tallies)
    for (const tally& each : check)
      if (each.failed != 0) return true;
  return false;
}

const run_inputs run_here{[](spec_base& of, std::uint16_t executer, std::uint16_t operation, const input_index* which,
                             std::size_t count) { of.run(executer, operation, which, count); },
                          [](spec_base& of, std::uint16_t executer, const std::vector<sampled_run>& places,
                             std::size_t repeats, const sample_seen& seen) {
                            for (std::size_t place = 0; place < places.size(); ++place)
                              for (std::size_t i = 0; i < repeats; ++i) {
                                std::string why;
                                const ended how =
                                    of.sample(executer, places[place].operation, places[place].input, place, why);
                                if (!seen(place, how, why)) return;
                              }
                          }};

session::session(spec_base& spec, options how, activity* shown, const run_inputs& run)
    : spec_(spec),
      how_(std::move(how)),
      shown_(shown == nullptr ? &own_ : shown),
      run_(run),
      cases_(type_identities(spec)),
      checks_(checks_of(spec, true)),
      host_failures_(host() == nullptr ? 0 : host()()),
      begin_(clock::now()) {
  spec_.set_beat(&shown_->steps);
  const std::size_t executers = spec.executers().size();
  const std::size_t types = spec.makers().size() + spec.datamorphisms().size();
  report_.tallies.assign(checks_.size(), std::vector<tally>(executers));
  report_.by_type.assign(types, std::vector<tally>(executers));
  report_.cases_by_type.assign(types, 0);
  report_.disagreements.assign(executers, std::vector<std::uint64_t>(executers, 0));
}

void session::work_in(activity* shown, const run_inputs& run) {
  shown_ = shown == nullptr ? &own_ : shown;
  run_ = run;
  spec_.set_beat(&shown_->steps);
}

bool session::host_has_spoken() const {
  return how_.stops_at_first && host() != nullptr && host()() != host_failures_;
}

void session::say(activity::kind what, std::uint32_t which) {
  shown_->what = what;
  shown_->which = which;
  __atomic_add_fetch(&shown_->steps, 1, __ATOMIC_RELEASE);
}

void session::set_label(case_index seed, std::uint32_t label) {
  if (labels_.size() <= seed) labels_.resize(seed + 1, nowhere);
  labels_[seed] = label;
}

void session::leave_out(std::string why, std::uint64_t cases) {
  stopped_ = true;
  if (report_.omitted.why.empty()) report_.omitted.why = std::move(why);
  std::uint64_t& all = report_.omitted.cases;
  all = std::min(many, std::min(many, all) + std::min(many, cases));
}

bool session::is_out_of_time() const {
  return how_.most_seconds > 0 && seconds_since(begin_) >= how_.most_seconds;
}

bool session::is_full() const {
  return report_.seeds + report_.mutants - mutants_before_ >= how_.most_cases;
}

/// To people who wait from the third second on, to programs at once.
void session::show_progress() {
  write_progress("cases", report_.seeds + report_.mutants);
  static const bool is_seen = isatty(STDERR_FILENO) != 0;
  if (!is_seen || seconds_since(begin_) < 2 || seconds_since(shown_at_) < 0.2) return;
  shown_at_ = clock::now();
  std::uint64_t failed = 0;
  for (const auto& check : report_.tallies)
    for (const tally& each : check) failed += each.failed;
  std::fprintf(stderr, "\r%s: %llu cases, %llu violations\x1b[K", spec_.name().c_str(),
               static_cast<unsigned long long>(report_.seeds + report_.mutants),
               static_cast<unsigned long long>(failed));
}

bool session::is_interrupted() const {
  return interrupts_noted::any() || __atomic_load_n(&shown_->is_to_end, __ATOMIC_ACQUIRE);
}

bool session::may_go_on(std::uint64_t planned) {
  show_progress();
  if (host_has_spoken()) return leave_out("the first violation", planned), false;
  if (stopped_) return leave_out("", planned), false;
  if (is_full()) return leave_out("the limit of " + std::to_string(how_.most_cases) + " cases", planned), false;
  if (is_out_of_time()) return leave_out("the limit of " + seconds_text(how_.most_seconds), planned), false;
  if (seconds_since(memory_asked_) < 0.01) return true;
  memory_asked_ = clock::now();
  if (resident_bytes() >= how_.most_bytes)
    return leave_out("the limit of " + std::to_string(how_.most_bytes >> 20) + " MiB of memory", planned), false;
  return true;
}

// ---- seeds

void session::make_seeds() {
  std::vector<made_seed> made;
  for (std::size_t m = 0; m < spec_.makers().size(); ++m) {
    if (!is_one_of(how_.makers, spec_.makers()[m].name)) continue;
    say(activity::seeding, static_cast<std::uint32_t>(m));
    made.clear();
    // Each maker has random numbers of its own, so that another one more or less changes nothing.
    const std::uint64_t seed = word_hash::mixed(how_.seed + hash_of_bytes(spec_.makers()[m].name));
    std::string error;
    try {
      error = spec_.make_seeds(m, seed, made);
    } catch (const std::exception& thrown) {
      error = thrown.what();
    } catch (...) {
      error = "an exception that is no std::exception";
    }
    if (!error.empty() && report_.error.empty())
      report_.error = "the seeds '" + spec_.makers()[m].name + "' cannot be made: " + error;
    for (const made_seed& each : made) {
      const std::size_t before = cases_.size();
      const case_index at = cases_.add(static_cast<type_index>(m), each.input, spec_.input_id(each.input), nullptr, 0);
      if (cases_.size() == before) {
        ++report_.equal_seeds;
        // An equal seed may bring the label, or another one.
        if (each.label != nowhere && label_of(at) != nowhere &&
            spec_.text_of_label(each.label) != spec_.text_of_label(label_of(at)))
          report_.suspicious.push_back(
              {each.input, each.label, "another seed expects " + spec_.show_label(label_of(at)) + " for this input"});
        if (each.label != nowhere && label_of(at) == nowhere) set_label(at, each.label);
        continue;
      }
      ++report_.seeds;
      ++report_.cases_by_type[m];
      if (each.label != nowhere) set_label(at, each.label);
    }
  }
  if (cases_.size() == 0 && report_.error.empty()) report_.error = "there is not a single seed";
  seeds_ = cases_.size();
  seed_inputs_ = spec_.number_of_inputs();
}

/// Executes and checks them: at once, or step by step where time is limited.
void session::try_seeds() {
  auto size = static_cast<case_index>(how_.most_seconds > 0 ? 1 : seeds_);
  for (case_index at = 0; at < seeds_;) {
    if (at > 0 && is_out_of_time()) return leave_out_seeds(at);
    const auto begin = clock::now();
    const auto end = static_cast<case_index>(std::min<std::size_t>(seeds_, std::size_t{at} + size));
    if (!how_.only_make || spec_.uses_runs()) execute(at, end);
    if (!how_.only_make) check(at, end);
    at = end;
    if (seconds_since(begin) < longest_step) size = std::min(size * 4, static_cast<case_index>(largest_chunk));
  }
}

/// Those from `first` on were not tried.
void session::leave_out_seeds(case_index first) {
  const std::size_t left = seeds_ - first;
  for (case_index c = first; c < seeds_; ++c) --report_.cases_by_type[cases_.type(c)];
  report_.seeds -= left;
  seeds_ = first;
  cases_.truncate(seeds_);
  labels_.resize(std::min(labels_.size(), seeds_));
  leave_out("the limit of " + seconds_text(how_.most_seconds), left);
}

// ---- mutants

tuples session::tuples_for(std::size_t d) const {
  const declared_datamorphism& of = spec_.datamorphisms()[d];
  return of.symmetric && of.arity > 1 ? tuples::unordered : how_.which;
}

bool session::is_checked(std::size_t d) const {
  if (!how_.only_check) return true;
  const check_of_spec& only = checks_[*how_.only_check];
  if (only.what == check_of_spec::kind::label) return false;
  if (only.what != check_of_spec::kind::relation) return true;
  return std::any_of(spec_.rules().begin(), spec_.rules().end(), [&](const declared_rule& rule) {
    return rule.relation == only.relation && (rule.about == scope::mutants || rule.about == scope::all ||
                                              (rule.about == scope::datamorphism && rule.datamorphism == d));
  });
}

bool session::is_wanted(std::size_t d) const {
  return is_one_of(how_.datamorphisms, spec_.datamorphisms()[d].name);
}

void session::add_mutants(std::size_t d, std::uint16_t executer, const std::vector<case_index>& sources, bool forget) {
  const unsigned arity = spec_.datamorphisms()[d].arity;
  std::vector<made_input> made;
  say(activity::mutating, static_cast<std::uint32_t>(d));
  (void)spec_.take_error();  // of a relation
  std::uint64_t threw = 0;
  spec_.make_mutants(d, executer, cases_, sources.data(), static_cast<std::uint32_t>(sources.size() / arity), made,
                     report_.rejected, threw);
  if (const std::string error = spec_.take_error(); !error.empty() && report_.broken.size() < 10)
    report_.broken.push_back("the datamorphism '" + spec_.datamorphisms()[d].name + "' threw: " + error);
  const type_index type = spec_.type_of(d);
  // Those from position `first` on.
  const auto number_of_tuples_in = [&](std::size_t first) {
    std::uint64_t number = 0;
    for (std::size_t i = first; i < made.size(); ++i) number += i == first || made[i].tuple != made[i - 1].tuple;
    return number;
  };
  report_.inapplicable += sources.size() / arity - number_of_tuples_in(0) - threw;
  input_has_case_.resize(std::max<std::size_t>(input_has_case_.size(), spec_.number_of_inputs()), false);
  const made_input* first_of_tuple = nullptr;
  std::set<input_index> of_this_tuple;
  for (const made_input& each : made) {
    if (first_of_tuple == nullptr || first_of_tuple->tuple != each.tuple) first_of_tuple = &each;
    if (is_full()) {
      leave_out("the limit of " + std::to_string(how_.most_cases) + " cases",
                number_of_tuples_in(static_cast<std::size_t>(&each - made.data())));
      break;
    }
    const std::uint64_t id = spec_.input_id(each.input);
    if (how_.distinct_inputs) {
      const auto at = static_cast<std::uint32_t>(distinct_.size());
      if (distinct_table_.find_or_add(id, at, distinct_) != at) {
        ++report_.equal_mutants;
        continue;
      }
      distinct_.push_back(id);
    }
    // Of new tuples, only what one tuple gave twice can be equal.
    const bool is_first = first_of_tuple == &each;
    const bool is_last = &each == &made.back() || (&each)[1].tuple != each.tuple;
    if (is_first) of_this_tuple.clear();
    const bool is_equal = forget && !(is_first && is_last) && !of_this_tuple.insert(each.input).second;
    const std::size_t before = cases_.size();
    if (forget && !is_equal)
      cases_.add_unlisted(type, each.input, id, &sources[each.tuple * arity], arity);
    else if (!forget)
      cases_.add(type, each.input, id, &sources[each.tuple * arity], arity);
    if (cases_.size() == before) {
      ++report_.equal_mutants;
      continue;
    }
    ++report_.mutants;
    ++report_.cases_by_type[type];
    if (!input_has_case_[each.input]) {
      input_has_case_[each.input] = true;
      ++report_.distinct_new_inputs;
    }
  }
}

void session::forget_inputs() {
  spec_.truncate_inputs(kept_inputs_);
  input_has_case_.resize(std::min<std::size_t>(input_has_case_.size(), kept_inputs_));
  report_.distinct_is_exact = false;
}

void session::finish_chunk(bool forget, std::size_t kept) {
  if (!how_.only_make || spec_.uses_runs()) {
    execute(static_cast<case_index>(kept), static_cast<case_index>(cases_.size()));
    if (!how_.only_make) check(static_cast<case_index>(kept), static_cast<case_index>(cases_.size()));
  }
  if (!forget) return;
  cases_.truncate(kept);
  if (spec_.number_of_inputs() > kept_inputs_ + remembered_) forget_inputs();
}

void session::one_datamorphism(std::size_t d, std::uint32_t sources, std::uint32_t first_new, bool forget) {
  const declared_datamorphism& of = spec_.datamorphisms()[d];
  const tuples which = tuples_for(d);
  tuple_walk walk(sources, first_new, of.arity, which);
  const std::uint64_t number = number_of_tuples(sources, of.arity, which);
  const std::uint64_t all = number == many ? many : number - number_of_tuples(first_new, of.arity, which);
  const auto at_once = static_cast<std::size_t>(std::min<std::uint64_t>(all, largest_chunk));
  std::vector<case_index> chunk;
  chunk.reserve(at_once * of.arity);
  if (forget) cases_.reserve_unlisted(at_once, of.arity);
  std::size_t size = first_chunk;
  std::uint64_t made = 0;
  tuple next;
  bool more = walk.next(next);
  while (more) {
    if (!may_go_on(all - made)) return;
    const auto begin = clock::now();
    const std::uint64_t cases = report_.seeds + report_.mutants - mutants_before_;
    const std::uint64_t room = std::min<std::uint64_t>(size, how_.most_cases - std::min(cases, how_.most_cases));
    chunk.clear();
    for (std::uint64_t i = 0; i < room && more; ++i, more = walk.next(next))
      chunk.insert(chunk.end(), next.begin(), next.begin() + of.arity);
    const std::size_t kept = cases_.size();
    add_mutants(d, lane_ == nowhere_lane ? 0 : lane_, chunk, forget);
    made += chunk.size() / of.arity;
    finish_chunk(forget, kept);
    if (seconds_since(begin) < longest_step) size = std::min(size * 4, largest_chunk);
  }
}

void session::round_of_order(std::uint32_t sources, std::uint32_t first_new, bool last) {
  const bool forget = last && !how_.keep;
  kept_inputs_ = spec_.number_of_inputs();
  std::vector<std::size_t> chosen;
  for (std::size_t d = 0; d < spec_.datamorphisms().size(); ++d)
    // Which of equal inputs is the first depends on all of them.
    if (is_wanted(d) && (!last || how_.distinct_inputs || is_checked(d))) chosen.push_back(d);
  std::uint64_t planned = 0;
  for (const std::size_t d : chosen)
    planned += std::min(number_of_tuples(sources, spec_.datamorphisms()[d].arity, tuples_for(d)), many / 0x10000);
  remembered_ = planned <= remembered_inputs ? remembered_inputs : remembered_of_many;
  spec_.reserve_inputs(spec_.number_of_inputs() +
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(planned, remembered_ + largest_chunk)));
  if (how_.cases == case_order::seeds_first) {
    for (const std::size_t d : chosen) one_datamorphism(d, sources, first_new, forget);
    return;
  }

  // By rank over the tuples of all datamorphisms.
  struct part {
    std::size_t datamorphism;
    tuples which;
    std::uint64_t first;
  };
  std::vector<part> parts;
  std::uint64_t all = 0, left = 0;
  for (const std::size_t d : chosen) {
    const unsigned arity = spec_.datamorphisms()[d].arity;
    const tuples which = tuples_for(d);
    parts.push_back({d, which, all});
    const std::uint64_t number = number_of_tuples(sources, arity, which);
    all += number;
    left += number - number_of_tuples(first_new, arity, which);
    if (all >= std::uint64_t{1} << 62) {
      report_.error =
          "there are more than 2^62 tuples; choose fewer datamorphisms, or --order seeds-first with a limit";
      return;
    }
  }
  const shuffled by_chance(std::max<std::uint64_t>(all, 1), how_.seed);
  const spread evenly(std::max<std::uint64_t>(all, 1));
  std::vector<std::vector<case_index>> chunks(spec_.datamorphisms().size());
  std::size_t size = first_chunk;
  for (std::uint64_t i = 0; i < all;) {
    if (!may_go_on(left)) return;
    const auto begin = clock::now();
    const std::uint64_t cases = report_.seeds + report_.mutants - mutants_before_;
    std::uint64_t room = std::min<std::uint64_t>(size, how_.most_cases - std::min(cases, how_.most_cases));
    for (; i < all && room > 0; ++i) {
      const std::uint64_t rank = how_.cases == case_order::random ? by_chance.at(i) : evenly.at(i);
      const auto behind = std::upper_bound(parts.begin(), parts.end(), rank,
                                           [](std::uint64_t r, const part& p) { return r < p.first; });
      const part& of = *(behind - 1);
      const unsigned arity = spec_.datamorphisms()[of.datamorphism].arity;
      const tuple made = tuple_of_rank(rank - of.first, sources, arity, of.which);
      if (std::none_of(made.begin(), made.begin() + arity, [&](auto s) { return s >= first_new; })) continue;
      chunks[of.datamorphism].insert(chunks[of.datamorphism].end(), made.begin(), made.begin() + arity);
      --room;
      --left;
    }
    const std::size_t kept = cases_.size();
    for (const std::size_t d : chosen) {
      if (chunks[d].empty()) continue;
      add_mutants(d, lane_ == nowhere_lane ? 0 : lane_, chunks[d], forget);
      chunks[d].clear();
    }
    finish_chunk(forget, kept);
    if (seconds_since(begin) < longest_step) size = std::min(size * 4, largest_chunk);
  }
}

void session::combinatorial() {
  for (std::size_t d = 0; d < spec_.datamorphisms().size(); ++d) {
    if (!is_wanted(d)) continue;
    // What was left out would have been sources of the others.
    if (stopped_) return leave_out("", many);
    one_datamorphism(d, static_cast<std::uint32_t>(cases_.size()), 0, false);
  }
}

/// For each set of datamorphisms one combination: a chain in which each is used once, the next one with the chain so
/// far as its first argument and seeds as the others. No tree of the same datamorphisms has fewer leaves than 1 plus
/// the sum of (arity - 1), so no combination has fewer cases; and what a chain is made of are the cases of other sets.
void session::minimal() {
  std::vector<std::size_t> chosen;
  for (std::size_t d = 0; d < spec_.datamorphisms().size(); ++d)
    if (is_wanted(d)) chosen.push_back(d);
  const auto number_of_seeds = static_cast<std::uint32_t>(cases_.size());
  struct made_by {
    std::size_t last;  // of `chosen`; what follows comes later
    case_index first, end;
  };
  std::vector<made_by> sets;
  std::vector<case_index> chunk;
  const auto extend = [&](std::size_t next, case_index first, case_index end, bool from_seeds) {
    const unsigned arity = spec_.datamorphisms()[chosen[next]].arity;
    const tuples which = tuples_for(chosen[next]);
    const auto begin_of_made = static_cast<case_index>(cases_.size());
    for (case_index base = first; base < end; ++base) {
      std::vector<case_index> leaves;
      const std::function<void(case_index)> collect = [&](case_index c) {
        if (cases_.order(c) == 0) leaves.push_back(c);
        for (const case_index o : cases_.origins(c)) collect(o);
      };
      collect(base);
      tuple others{};
      const unsigned more = arity - 1;
      const std::uint64_t number = number_of_tuples(number_of_seeds, more, tuples::all);
      for (std::uint64_t rank = 0; rank < number; ++rank) {
        if (more > 0) others = tuple_of_rank(rank, number_of_seeds, more, tuples::all);
        std::vector<case_index> places = leaves;
        places.insert(places.end(), others.begin(), others.begin() + more);
        if (how_.which != tuples::all) {
          std::sort(places.begin(), places.end());
          if (std::adjacent_find(places.begin(), places.end()) != places.end()) continue;
        }
        if (which == tuples::unordered) {
          // Each set of arguments once: the seeds among them in their order, behind what was made of seeds.
          std::vector<case_index> arguments(others.begin(), others.begin() + more);
          if (from_seeds) arguments.insert(arguments.begin(), base);
          if (std::adjacent_find(arguments.begin(), arguments.end(), std::greater_equal<>()) != arguments.end())
            continue;
        }
        chunk.push_back(base);
        chunk.insert(chunk.end(), others.begin(), others.begin() + more);
        if (chunk.size() < first_chunk * 16 * arity) continue;
        const std::size_t kept = cases_.size();
        if (!may_go_on(1)) return chunk.clear();
        add_mutants(chosen[next], lane_ == nowhere_lane ? 0 : lane_, chunk, false);
        finish_chunk(false, kept);
        chunk.clear();
      }
    }
    if (!chunk.empty() && may_go_on(chunk.size() / arity)) {
      const std::size_t kept = cases_.size();
      add_mutants(chosen[next], lane_ == nowhere_lane ? 0 : lane_, chunk, false);
      finish_chunk(false, kept);
    }
    chunk.clear();
    sets.push_back({next, begin_of_made, static_cast<case_index>(cases_.size())});
  };
  for (std::size_t d = 0; d < chosen.size(); ++d) {
    const std::size_t sets_before = sets.size();
    extend(d, 0, number_of_seeds, true);
    for (std::size_t s = 0; s < sets_before; ++s) {
      if (stopped_) break;
      extend(d, sets[s].first, sets[s].end, false);
    }
    if (stopped_) return leave_out("", many);
  }
}

// ---- executing and checking

void session::execute(case_index first, case_index end) {
  std::vector<std::vector<input_index>> by_operation(spec_.operations().size());
  const std::uint16_t begin_executer = lane_ == nowhere_lane ? 0 : lane_;
  const auto end_executer = static_cast<std::uint16_t>(lane_ == nowhere_lane ? spec_.executers().size() : lane_ + 1u);
  for (std::uint16_t e = begin_executer; e < end_executer; ++e) {
    for (auto& each : by_operation) each.clear();
    for (case_index c = first; c < end; ++c)
      by_operation[spec_.operation_of(cases_.type(c))].push_back(cases_.input(c));
    for (std::uint16_t operation = 0; operation < by_operation.size(); ++operation) {
      auto& inputs = by_operation[operation];
      hows_.resize(inputs.size());
      spec_.how(e, operation, inputs.data(), inputs.size(), hows_.data());
      std::size_t left = 0;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (hows_[i] == ended::not_run) inputs[left++] = inputs[i];
      inputs.resize(left);
      if (inputs.size() > 1) {
        // The same input of several cases is run once.
        std::vector<bool>& seen = input_has_run_;
        seen.resize(std::max<std::size_t>(seen.size(), spec_.number_of_inputs()));
        std::size_t kept = 0;
        for (const input_index in : inputs) {
          if (seen[in]) continue;
          seen[in] = true;
          inputs[kept++] = in;
        }
        inputs.resize(kept);
        for (const input_index in : inputs) seen[in] = false;
      }
      report_.runs += inputs.size();
      std::size_t block = 1;
      for (std::size_t at = 0; at < inputs.size();) {
        say(activity::running, e);
        const std::size_t count = std::min(block, inputs.size() - at);
        const auto begin = clock::now();
        run_.run(spec_, e, operation, inputs.data() + at, count);
        at += count;
        const double took = seconds_since(begin);
        if (took < longest_step / 10) block = std::min(block * 4, most_runs_in_a_step);
        if (took > longest_step) block = std::max<std::size_t>(1, block / 4);
      }
    }
  }
}

std::uint64_t session::run_some(std::uint16_t executer, std::vector<input_index> which) {
  which.erase(std::remove_if(which.begin(), which.end(),
                             [&](input_index in) { return spec_.how(executer, 0, in) != ended::not_run; }),
              which.end());
  std::set<input_index> seen;
  which.erase(std::remove_if(which.begin(), which.end(), [&](input_index in) { return !seen.insert(in).second; }),
              which.end());
  report_.runs += which.size();
  for (std::size_t at = 0; at < which.size(); at += largest_chunk) {
    say(activity::running, executer);
    run_.run(spec_, executer, 0, which.data() + at, std::min(largest_chunk, which.size() - at));
  }
  return which.size();
}

std::vector<input_index> session::make_of(std::size_t datamorphism, std::uint16_t executer, const case_index* sources,
                                          bool& threw) {
  std::vector<made_input> made;
  std::uint64_t times_thrown = 0;
  say(activity::mutating, static_cast<std::uint32_t>(datamorphism));
  spec_.make_mutants(datamorphism, executer, cases_, sources, 1, made, report_.rejected, times_thrown);
  threw = times_thrown != 0;
  std::vector<input_index> inputs;
  for (const made_input& each : made) inputs.push_back(each.input);
  return inputs;
}

void session::note(std::size_t check, std::size_t rule, std::uint16_t executer, std::uint16_t other, case_index which) {
  const auto same = std::count_if(report_.violations.begin(), report_.violations.end(),
                                  [&](const violation& v) { return v.check == check && v.executer == executer; });
  if (static_cast<std::size_t>(same) >= how_.violations_shown) return;
  violation made;
  made.check = check;
  made.rule = rule;
  made.executer = executer;
  made.other = other;
  made.id = cases_.id(which);
  made.how = derivation_of(which);
  for (const auto& [failed, why] : failed_samples_)
    if (failed == which) made.why = why;
  report_.violations.push_back(std::move(made));
}

void session::run_one(std::uint16_t executer, std::uint16_t operation, input_index in) {
  if (spec_.how(executer, operation, in) != ended::not_run) return;
  say(activity::running, executer);
  run_.run(spec_, executer, operation, &in, 1);
}

double session::distance(input_index a, input_index b, const char* needed_by, std::string& error) {
  const auto names = [&] {
    const auto shown = [&](input_index in) {
      const std::string text = spec_.show_input(in);
      return text.size() <= 60 ? text : text.substr(0, 57) + "...";
    };
    return "the distance of " + shown(a) + " and " + shown(b);
  };
  double found = 0;
  try {
    found = spec_.distance(a, b);
  } catch (const std::exception& thrown) {
    return error = names() + " threw: " + thrown.what(), 0;
  } catch (...) {
    return error = names() + " threw an exception that is no std::exception", 0;
  }
  if (found >= 0 && !std::isinf(found)) return found;
  char number[32];
  std::snprintf(number, sizeof number, "%g", found);
  error = names() + " is " + (std::isnan(found) ? "not a number" : number) + "; " + needed_by +
          " needs a finite one from 0 on: mend distance_by(), or leave such inputs out of the seeds";
  return 0;
}

void session::decide(std::size_t rule, std::uint16_t executer, const case_index* which, std::size_t count,
                     verdict* to) {
  if (!spec_.rules()[rule].repeats) {
    say(activity::checking, static_cast<std::uint32_t>(rule));
    return spec_.check(rule, executer, cases_, which, count, to);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!draw_samples(rule, executer, which[i], to[i])) continue;
    say(activity::checking, static_cast<std::uint32_t>(rule));
    spec_.check(rule, executer, cases_, &which[i], 1, &to[i]);
  }
}

/// Runs what a statistical relation decides on. False if there is nothing to decide: `to` is the verdict.
bool session::draw_samples(std::size_t rule, std::uint16_t executer, case_index which, verdict& to) {
  const declared_rule& of = spec_.rules()[rule];
  std::vector<sampled_run> places{{spec_.operation_of(cases_.type(which)), cases_.input(which)}};
  for (const case_index origin : cases_.origins(which))
    places.push_back({spec_.operation_of(cases_.type(origin)), cases_.input(origin)});
  to = verdict::not_applicable;
  for (const sampled_run& each : places)
    if (!of.failures_too && spec_.how(executer, each.operation, each.input) != ended::output) return false;
  say(activity::running, executer);
  spec_.begin_samples(places.size());
  std::size_t runs = 0;
  bool good = true;
  run_.sample(spec_, executer, places, *of.repeats, [&](std::size_t place, ended how, const std::string& why) {
    ++runs;
    if (how == ended::output || of.failures_too || (how == ended::exception && spec_.throwing_is_fine())) return true;
    const char* const ending = how == ended::exception ? " threw: " : how == ended::timeout ? " hung: " : " crashed: ";
    failed_samples_.emplace_back(which, "run " + std::to_string(runs - place * *of.repeats) + " of " +
                                            std::to_string(*of.repeats) + " on " +
                                            spec_.show_input(places[place].input) + ending + why);
    to = verdict::fail;
    return good = false;
  });
  return good;
}

std::string session::take_why() {
  if (const std::string error = spec_.take_error(); !error.empty()) return "the relation threw: " + error;
  if (failed_samples_.empty()) return {};
  std::string why = std::move(failed_samples_.back().second);
  failed_samples_.clear();
  return why;
}

void session::check_rule(std::size_t rule, const std::vector<case_index>& which) {
  const std::uint16_t begin_executer = lane_ == nowhere_lane ? 0 : lane_;
  const auto end_executer = static_cast<std::uint16_t>(lane_ == nowhere_lane ? spec_.executers().size() : lane_ + 1u);
  const std::uint16_t relation = spec_.rules()[rule].relation;  // the checks begin with the relations
  verdicts_.resize(which.size());
  for (std::uint16_t e = begin_executer; e < end_executer; ++e) {
    std::fill(verdicts_.begin(), verdicts_.end(), verdict::not_applicable);
    failed_samples_.clear();
    if (!how_.stops_at_first) {
      decide(rule, e, which.data(), which.size(), verdicts_.data());
    } else {
      for (std::size_t i = 0; i < which.size(); ++i) {
        decide(rule, e, &which[i], 1, &verdicts_[i]);
        if (verdicts_[i] == verdict::fail && host_has_spoken()) break;
      }
    }
    tally made;
    for (std::size_t i = 0; i < which.size(); ++i) {
      made.add(verdicts_[i]);
      if (on_verdict_) on_verdict_(which[i], e, relation, verdicts_[i]);
    }
    report_.tallies[relation][e].add(made);
    if (made.failed != 0)
      for (std::size_t i = 0; i < which.size(); ++i)
        if (verdicts_[i] == verdict::fail) note(relation, rule, e, e, which[i]);
    failed_samples_.clear();
    const declared_rule& of = spec_.rules()[rule];
    if (of.about == scope::datamorphism) {
      report_.by_type[spec_.type_of(of.datamorphism)][e].add(made);
    } else {
      for (std::size_t i = 0; i < which.size(); ++i) report_.by_type[cases_.type(which[i])][e].add(verdicts_[i]);
    }
  }
}

/// How many of the cases have an output, if all that ran were of the first operation; else 0.
std::uint64_t session::ended_well(std::uint16_t executer, case_index first, case_index end) {
  run_inputs_.clear();
  for (case_index c = first; c < end; ++c) {
    if (spec_.operation_of(cases_.type(c)) != 0) return 0;
    run_inputs_.push_back(cases_.input(c));
  }
  hows_.resize(run_inputs_.size());
  spec_.how(executer, 0, run_inputs_.data(), run_inputs_.size(), hows_.data());
  return static_cast<std::uint64_t>(std::count(hows_.begin(), hows_.end(), ended::output));
}

void session::check(case_index first, case_index end) {
  const auto is_on = [&](std::size_t check) { return !how_.only_check || *how_.only_check == check; };
  std::vector<std::vector<case_index>> by_type(report_.cases_by_type.size());
  std::vector<case_index> seeds, mutants, all;
  for (case_index c = first; c < end; ++c) by_type[cases_.type(c)].push_back(c);
  for (std::size_t r = 0; r < spec_.rules().size(); ++r) {
    const declared_rule& rule = spec_.rules()[r];
    if (!is_on(rule.relation)) continue;
    if (rule.about == scope::datamorphism) {
      const auto& which = by_type[spec_.type_of(rule.datamorphism)];
      if (!which.empty()) check_rule(r, which);
      continue;
    }
    all.clear();
    for (case_index c = first; c < end; ++c) {
      const bool is_seed = cases_.order(c) == 0;
      if (rule.about == scope::all || (rule.about == scope::seeds) == is_seed) all.push_back(c);
    }
    if (!all.empty()) check_rule(r, all);
  }

  const std::uint16_t begin_executer = lane_ == nowhere_lane ? 0 : lane_;
  const auto end_executer = static_cast<std::uint16_t>(lane_ == nowhere_lane ? spec_.executers().size() : lane_ + 1u);
  for (std::size_t k = spec_.relations().size(); k < checks_.size(); ++k) {
    if (!is_on(k)) continue;
    // Where each executer has mutants of its own, the first one has not run them.
    if (checks_[k].what == check_of_spec::kind::agreement && lane_ != nowhere_lane && lane_ != 0)
      for (case_index c = first; c < end; ++c) run_one(0, spec_.operation_of(cases_.type(c)), cases_.input(c));
    for (std::uint16_t e = begin_executer; e < end_executer; ++e)
      for (case_index c = first; c < end; ++c) {
        // Nearly all runs end, and mutants have no label.
        if (checks_[k].what == check_of_spec::kind::run_ends && c == first) {
          const std::uint64_t good = ended_well(e, first, end);
          report_.tallies[k][e].passed += good;
          if (good == end - first) break;
          report_.tallies[k][e].passed -= good;
        }
        if (checks_[k].what == check_of_spec::kind::label && c >= seeds_ && seeds_ > 0) {
          report_.tallies[k][e].not_applicable += end - c;
          break;
        }
        if (checks_[k].what == check_of_spec::kind::agreement && e == 0) continue;
        const verdict found = check_one(k, 0, e, 0, c);
        report_.tallies[k][e].add(found);
        if (on_verdict_ &&
            (checks_[k].what == check_of_spec::kind::label ? found != verdict::not_applicable : found == verdict::fail))
          on_verdict_(c, e, k, found);
        if (found == verdict::fail) note(k, 0, e, 0, c);
      }
  }
  for (std::uint16_t e = begin_executer; e < end_executer; ++e)
    for (std::uint16_t other = 0; other < e; ++other)
      for (case_index c = first; c < end; ++c)
        if (spec_.same_outcome(other, e, spec_.operation_of(cases_.type(c)), cases_.input(c)) == verdict::fail)
          ++report_.disagreements[other][e];
}

verdict session::check_one(std::size_t check, std::size_t rule, std::uint16_t executer, std::uint16_t other,
                           case_index which) {
  const std::uint16_t operation = spec_.operation_of(cases_.type(which));
  const input_index input = cases_.input(which);
  switch (checks_[check].what) {
    case check_of_spec::kind::relation: {
      verdict found = verdict::not_applicable;
      failed_samples_.clear();
      decide(rule, executer, &which, 1, &found);
      return found;
    }
    case check_of_spec::kind::label: {
      const std::uint32_t label = label_of(which);
      if (label == nowhere || cases_.order(which) != 0) return verdict::not_applicable;
      return spec_.matches_label(executer, input, label);
    }
    case check_of_spec::kind::run_ends: {
      const ended how = spec_.how(executer, operation, input);
      if (how == ended::not_run) return verdict::not_applicable;
      return how == ended::output || (how == ended::exception && spec_.throwing_is_fine()) ? verdict::pass
                                                                                           : verdict::fail;
    }
    case check_of_spec::kind::agreement:
      return executer == other ? verdict::not_applicable : spec_.same_outcome(executer, other, operation, input);
  }
  return verdict::not_applicable;
}

void session::find_suspicious_labels() {
  // Where several executers agree against a label, the label is likelier to be wrong.
  if (spec_.executers().size() < 2) return;
  for (case_index c = 0; c < seeds_ && c < labels_.size(); ++c) {
    if (labels_[c] == nowhere) continue;
    bool all_against = true;
    for (std::uint16_t e = 0; e < spec_.executers().size(); ++e)
      all_against = all_against && spec_.matches_label(e, cases_.input(c), labels_[c]) == verdict::fail &&
                    spec_.same_outcome(0, e, 0, cases_.input(c)) == verdict::pass;
    if (all_against)
      report_.suspicious.push_back({cases_.input(c), labels_[c],
                                    "all " + std::to_string(spec_.executers().size()) + " executers give " +
                                        spec_.show_output(0, 0, cases_.input(c))});
  }
}

// ---- the whole

void session::run() {
  if (seeds_ == 0) make_seeds();
  if (!report_.error.empty()) return;
  // Where mutants depend on outputs, each executer has mutants of its own.
  const bool lanes = spec_.uses_runs() && spec_.executers().size() > 1;
  const std::size_t passes = lanes ? spec_.executers().size() : 1;
  for (std::size_t pass = 0; pass < passes && report_.error.empty(); ++pass) {
    lane_ = lanes ? static_cast<std::uint16_t>(pass) : nowhere_lane;
    cases_.truncate(seeds_);
    if (how_.distinct_inputs) {
      distinct_table_.truncate(0, distinct_);
      distinct_.clear();
      for (case_index c = 0; c < seeds_; ++c) {
        const auto at = static_cast<std::uint32_t>(distinct_.size());
        if (distinct_table_.find_or_add(spec_.input_id(cases_.input(c)), at, distinct_) == at)
          distinct_.push_back(spec_.input_id(cases_.input(c)));
      }
    }
    if (pass == 0) {
      input_has_case_.assign(seed_inputs_, false);
      for (case_index c = 0; c < seeds_; ++c) input_has_case_[cases_.input(c)] = true;
    }
    stopped_ = false;
    mutants_before_ = report_.mutants;
    try_seeds();
    const auto pool_size = [&] { return static_cast<std::uint32_t>(cases_.size()); };
    switch (how_.strategy) {
      case strategy::seeds:
        break;
      case strategy::order:
        for (unsigned order = 1, first_new = 0; order <= how_.order; ++order) {
          const std::uint32_t sources = pool_size();
          round_of_order(sources, first_new, order == how_.order);
          first_new = sources;
          if (pool_size() == sources) break;
          // What was left out would have been sources of the next round.
          if (stopped_ && order < how_.order) {
            leave_out("", many);
            break;
          }
        }
        break;
      case strategy::combinatorial:
        combinatorial();
        break;
      case strategy::minimal_combinatorial:
        minimal();
        break;
    }
  }
  finish();
}

void session::finish() {
  if (shown_at_ != clock::time_point()) std::fputs("\r\x1b[K", stderr);
  find_suspicious_labels();
  if (!host_has_spoken())
    for (violation& each : report_.violations) settle(each.how, each.executer);
  if (how_.shrink && !host_has_spoken())
    for (violation& each : report_.violations) {
      lane_ = each.executer;
      if (shown_->may_shrink)
        shrink(each);
      else
        each.not_shrunk = "smaller inputs ended the process, or did not come back";
    }
  lane_ = nowhere_lane;
  report_.seconds = seconds_since(begin_);
  done();
}

void session::run_pool() {
  const auto end = static_cast<case_index>(cases_.size());
  for (case_index c = 0; c < end; ++c) {
    for (std::uint16_t e = 0; e < spec_.executers().size(); ++e)
      spec_.forget_run(e, spec_.operation_of(cases_.type(c)), cases_.input(c));
    ++(cases_.order(c) == 0 ? report_.seeds : report_.mutants);
    ++report_.cases_by_type[cases_.type(c)];
  }
  seeds_ = cases_.size();
  report_.distinct_is_exact = false;
  execute(0, end);
  check(0, end);
  finish();
}

void session::mutate(std::size_t datamorphism, std::uint32_t sources) {
  seed_inputs_ = spec_.number_of_inputs();
  const declared_datamorphism& of = spec_.datamorphisms()[datamorphism];
  tuple_walk walk(sources, 0, of.arity, tuples_for(datamorphism));
  std::vector<case_index> chunk;
  tuple next;
  while (walk.next(next)) {
    chunk.insert(chunk.end(), next.begin(), next.begin() + of.arity);
    if (chunk.size() < largest_chunk * of.arity) continue;
    if (!may_go_on(1)) return;
    add_mutants(datamorphism, 0, chunk, false);
    chunk.clear();
  }
  if (!chunk.empty() && may_go_on(chunk.size() / of.arity)) add_mutants(datamorphism, 0, chunk, false);
}

}  // namespace morph::engine
