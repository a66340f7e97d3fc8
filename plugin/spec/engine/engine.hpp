// Making, executing and checking the cases of a spec by a strategy.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "morph/declared.hpp"
#include "plugin/spec/engine/tuples.hpp"

namespace morph::engine {

enum class case_order { seeds_first, diverse, random };

struct options {
  morph::strategy strategy = morph::strategy::order;
  unsigned order = 1;
  tuples which = tuples::distinct;
  bool distinct_inputs = false;  // of mutants with equal inputs, only the first
  case_order cases = case_order::seeds_first;
  std::uint64_t seed = 1;
  std::uint64_t most_cases = ~std::uint64_t{0};
  double most_seconds = 0;                            // 0: no limit
  std::uint64_t most_bytes = std::uint64_t{4} << 30;  // of memory
  std::vector<std::string> makers, datamorphisms;     // empty: all
  std::optional<std::size_t> only_check;              // see checks_of()
  bool keep = false;                                  // all cases, also where they could be forgotten
  bool shrink = true;
  bool only_make = false;            // neither execute nor check, unless mutants depend on outputs
  bool stops_at_first = false;       // where an assertion of the host's has failed
  std::size_t violations_shown = 1;  // for each check and executer
};

/// What can be violated: a relation, or what holds for every spec.
struct check_of_spec {
  enum class kind { relation, label, run_ends, agreement } what = kind::relation;
  std::string name;
  std::uint16_t relation = 0;
};
/// Reads the standard input, if seeds are to come of it: before there are processes, of which only the first would get
/// it, and which are not to wait for what is typed.
void read_standard_input(const spec_base& spec, const options& how);

/// In the order of declaration; the general ones behind them.
std::vector<check_of_spec> checks_of(const spec_base& spec, bool has_labels);
inline constexpr const char* label_check = "expected output";
inline constexpr const char* run_check = "every run ends";
inline constexpr const char* agreement_check = "executers agree";

/// How a case was made, from the seeds on.
struct derivation {
  type_index type = 0;
  input_index input = nowhere;  // of a seed
  std::uint32_t label = nowhere;
  // Of several that the datamorphism made of its sources: the one with this identity, else the one at this place.
  std::uint64_t input_id = 0;
  std::uint32_t which = 0;
  std::vector<derivation> from;
};

struct violation {
  std::size_t check = 0;
  std::size_t rule = 0;  // of a relation
  std::uint16_t executer = 0, other = 0;
  std::uint64_t id = 0;
  std::string ending;  // of what kind it is: how the run ended, whether the relation threw
  std::string why;     // of a statistical relation: which run of its samples failed
  derivation how;      // smallest one that was found
  std::optional<derivation> before_shrinking;
  unsigned shrunk_in = 0;  // steps
  std::string not_shrunk;  // why it was not tried
  bool steady = true;      // it failed again when it was run again
};

/// How many cases a limit left out, and which limit.
struct left_out {
  std::string why;          // empty: nothing
  std::uint64_t cases = 0;  // 2^63: more than can be said
};

struct suspicious_label {
  input_index input;
  std::uint32_t label;
  std::string why;
};

struct report {
  std::uint64_t seeds = 0, equal_seeds = 0, mutants = 0, equal_mutants = 0, rejected = 0, inapplicable = 0, runs = 0;
  std::uint64_t distinct_new_inputs = 0;
  bool distinct_is_exact = true;
  std::vector<std::vector<tally>> tallies;  // by check, by executer
  std::vector<std::vector<tally>> by_type;  // by type, by executer: of all relations
  std::vector<std::uint64_t> cases_by_type;
  std::vector<std::vector<std::uint64_t>> disagreements;  // by executer and executer
  std::vector<violation> violations;
  std::vector<std::string> broken;  // morphisms that threw
  std::vector<suspicious_label> suspicious;
  left_out omitted;
  std::string error;  // why it could not go on
  double seconds = 0;
  bool failed() const;
};

/// What is going on right now, in memory that a supervisor sees.
struct activity {
  enum kind : std::uint32_t { starting, seeding, mutating, running, checking, shrinking, comparing, done };
  std::uint32_t what = starting;
  std::uint32_t which = 0;
  std::uint64_t steps = 0;
  bool shrinks = false;    // what goes on serves to make a violation smaller
  bool may_shrink = true;  // not after an accident there
  bool is_to_end = false;  // who watches got SIGINT or SIGTERM
};

/// What this process holds.
std::uint64_t resident_bytes();

struct sampled_run {
  std::uint16_t operation;
  input_index input;
};
/// How a run ended that is to be a sample of this place, and why there is no output. False: no more are needed.
using sample_seen = std::function<bool(std::size_t place, ended how, const std::string& why)>;

/// How inputs are run: here, or for isolation elsewhere.
struct run_inputs {
  void (*run)(spec_base&, std::uint16_t executer, std::uint16_t operation, const input_index* which, std::size_t count);
  /// Each of the places so often, whatever is known of its input.
  void (*sample)(spec_base&, std::uint16_t executer, const std::vector<sampled_run>& places, std::size_t repeats,
                 const sample_seen& seen);
};
extern const run_inputs run_here;

/// Told of each verdict: case, executer, check.
using verdict_seen = std::function<void(case_index, std::uint16_t, std::size_t, verdict)>;

/// A spec at work: its cases, and what was found about them.
class session {
 public:
  session(spec_base& spec, options how, activity* shown = nullptr, const run_inputs& run = run_here);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { spec_.set_beat(nullptr); }

  /// In a process that is watched from now on; runs are as `run` makes them.
  void work_in(activity* shown, const run_inputs& run);
  /// What follows is no one's morphism, and may take its time: saving, reporting.
  void done() { say(activity::done, 0); }
  void check_only(std::size_t check) { how_.only_check = check; }
  void make_seeds();
  /// By the strategy: makes, executes and checks.
  void run();
  /// The cases that are there, as a saved pool gave them: runs and checks them anew.
  void run_pool();

  spec_base& spec() { return spec_; }
  pool& cases() { return cases_; }
  const std::vector<check_of_spec>& checks() const { return checks_; }
  const engine::report& report() const { return report_; }
  engine::report& report() { return report_; }
  std::uint32_t label_of(case_index seed) const { return seed < labels_.size() ? labels_[seed] : nowhere; }
  /// Whether a seed maker made it; shrinking makes seeds, too, and so does who types one.
  bool is_made_seed(case_index c) const { return c < seeds_; }
  void set_label(case_index seed, std::uint32_t label);

  void on_verdict(verdict_seen seen) { on_verdict_ = std::move(seen); }

  // Single activities, for saved pools.
  void mutate(std::size_t datamorphism, std::uint32_t sources);
  void execute(case_index first, case_index end);
  void check(case_index first, case_index end);
  verdict check_one(std::size_t check, std::size_t rule, std::uint16_t executer, std::uint16_t other, case_index which);

  /// Runs those of these inputs that have not run, by one executer; how many.
  std::uint64_t run_some(std::uint16_t executer, std::vector<input_index> which);
  /// What a datamorphism makes of one tuple of cases; whether it threw, of which `spec().take_error()` tells.
  std::vector<input_index> make_of(std::size_t datamorphism, std::uint16_t executer, const case_index* sources,
                                   bool& threw);

  // Steps of those, for ways of testing that choose their cases themselves.
  void say(activity::kind what, std::uint32_t which);
  void run_one(std::uint16_t executer, std::uint16_t operation, input_index in);
  /// By the spec, which may declare it. 0 with an error, that says what needs it, if it threw or is no number to
  /// compare.
  double distance(input_index a, input_index b, const char* needed_by, std::string& error);
  void note(std::size_t check, std::size_t rule, std::uint16_t executer, std::uint16_t other, case_index which);
  void show_progress();
  /// SIGINT or SIGTERM came, to this process or to who watches it; where interrupts_noted notes them (isolate.hpp).
  bool is_interrupted() const;
  bool is_wanted(std::size_t datamorphism) const;
  void finish();

  /// Of more than a thousand cases, those furthest from the seeds are kept; what these were made of are seeds then.
  derivation derivation_of(case_index which) const;
  /// The case, made (again) and executed; `nowhere` if a datamorphism does not apply.
  case_index rebuild(const derivation& how, std::uint16_t executer);
  void shrink(violation& found);
  /// Why the relation that was checked last did not hold: it threw, or a run of its samples failed. Empty: it gave
  /// false.
  std::string take_why();

 private:
  void add_mutants(std::size_t datamorphism, std::uint16_t executer, const std::vector<case_index>& sources,
                   bool forget);
  std::uint64_t ended_well(std::uint16_t executer, case_index first, case_index end);
  void round_of_order(std::uint32_t sources, std::uint32_t first_new, bool last);
  void one_datamorphism(std::size_t datamorphism, std::uint32_t sources, std::uint32_t first_new, bool forget);
  void combinatorial();
  void minimal();
  void finish_chunk(bool forget, std::size_t kept);
  bool host_has_spoken() const;
  bool may_go_on(std::uint64_t planned);
  bool is_full() const;
  bool is_out_of_time() const;
  void try_seeds();
  void leave_out_seeds(case_index first);
  tuples tuples_for(std::size_t datamorphism) const;
  bool is_checked(std::size_t datamorphism) const;
  void check_rule(std::size_t rule, const std::vector<case_index>& which);
  void decide(std::size_t rule, std::uint16_t executer, const case_index* which, std::size_t count, verdict* to);
  bool draw_samples(std::size_t rule, std::uint16_t executer, case_index which, verdict& to);
  void forget_inputs();
  void find_suspicious_labels();
  void forget_runs(case_index which, std::uint16_t executer);
  void shrink_steps(violation& found);
  std::optional<derivation> as_seed(const derivation& of, std::uint16_t executer);
  std::string ending_of(const violation& found, case_index which);
  /// Says of each node which of the datamorphism's mutants it is, so that it can be made again.
  void settle(derivation& how, std::uint16_t executer);
  bool still_fails(const violation& found, const derivation& how);
  void leave_out(std::string why, std::uint64_t cases);

  spec_base& spec_;
  options how_;
  activity* shown_;
  activity own_;
  run_inputs run_;
  pool cases_;
  std::vector<check_of_spec> checks_;
  engine::report report_;
  std::vector<std::uint32_t> labels_;  // by case
  std::size_t seeds_ = 0;              // cases
  std::uint32_t seed_inputs_ = 0;
  std::uint32_t kept_inputs_ = 0;      // those from here on are forgotten where there are many
  std::uint64_t mutants_before_ = 0;   // of the lanes before this one
  bool stopped_ = false;               // by a limit
  std::uint16_t lane_ = nowhere_lane;  // the only executer, where each has a pool of its own
  static constexpr std::uint16_t nowhere_lane = 0xffff;
  std::vector<std::uint64_t> distinct_;  // ids of all inputs so far, with distinct_inputs
  id_table distinct_table_;
  std::vector<bool> input_has_case_;
  std::vector<bool> input_has_run_;
  std::vector<verdict> verdicts_;
  std::vector<ended> hows_;
  std::uint32_t remembered_ = 0;  // inputs whose runs are kept while cases are forgotten
  std::vector<input_index> run_inputs_;
  std::vector<std::pair<case_index, std::string>> failed_samples_;  // of the cases that are being checked
  verdict_seen on_verdict_;
  std::uint64_t host_failures_;  // before this session
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point shown_at_{};
  std::chrono::steady_clock::time_point memory_asked_{};  // when it was last asked how much there is
};

}  // namespace morph::engine
