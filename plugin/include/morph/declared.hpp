// A spec without the types of its inputs and outputs: what it declares, and what the engine asks of its values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "morph/case.hpp"
#include "morph/random.hpp"

namespace morph {

/// Whether relations are about seeds, mutants or both, where they are not about what datamorphisms make.
enum class scope : unsigned char { datamorphism, seeds, mutants, all };

/// Which k-tuples of cases a datamorphism is applied to.
enum class tuples : unsigned char {
  all,        // a case may stand in several places
  distinct,   // each case in one place at most
  unordered,  // the same, and once for each set of cases
};

/// The mutant combination strategies of Morphy (Zhu et al. 2020, section 4).
enum class strategy : unsigned char {
  seeds,                  // no mutants
  order,                  // all mutants up to an order (Algorithm 1; Corollary 1)
  combinatorial,          // Algorithm 2
  minimal_combinatorial,  // the least set that satisfies Definition 6
};

struct declared_maker {
  std::string name;
  bool may_have_labels = false;
  bool reads_standard_input = false;
};

struct declared_datamorphism {
  std::string name;
  std::uint8_t arity = 1;
  bool symmetric = false;       // the order of the sources does not matter
  bool uses_runs = false;       // takes whole cases, so that its sources run first
  std::uint16_t operation = 0;  // that its mutants run
};

/// One lambda. Several rules may share a relation: they have its name.
struct declared_rule {
  std::uint16_t relation = 0;
  scope about = scope::datamorphism;
  std::uint16_t datamorphism = 0;        // with scope::datamorphism
  bool gives_nothing = false;            // assertions of a host framework decide
  bool failures_too = false;             // checked where a run gave no output, too
  std::optional<std::size_t> repeats{};  // of a statistical relation: how often the mutant and each origin are run
  std::string message;                   // what is expected
};

struct declared_relation {
  std::string name;
  std::string message;
  std::string file;
  int line = 0;
};

struct declared_executer {
  std::string name;
  bool thread_safe = false;
};

struct declared_named {
  std::string name;
};

/// A category of inputs and its choices; the partitions of a spec are those of one without a name.
struct declared_category {
  std::string name;
  std::vector<std::string> choices;
};
/// Two choices that no input has both: of category and choice, twice.
struct declared_exclusion {
  std::string category, choice, other_category, other_choice;
};

/// What a relation made of a number of cases.
struct tally {
  std::uint64_t passed = 0, failed = 0, not_applicable = 0;
  std::uint64_t checked() const { return passed + failed; }
  /// The part of the cases to which it could have been applied, but was not; 0 of none.
  double vacuity() const {
    const std::uint64_t all = checked() + not_applicable;
    return all == 0 ? 0 : static_cast<double>(not_applicable) / static_cast<double>(all);
  }
  void add(verdict v) { ++(v == verdict::pass ? passed : v == verdict::fail ? failed : not_applicable); }
  void add(const tally& other) {
    passed += other.passed;
    failed += other.failed;
    not_applicable += other.not_applicable;
  }
};

/// What a datamorphism made of the tuple `tuple` of those that it was given.
struct made_input {
  std::uint32_t tuple;
  input_index input;
};

/// A seed as a maker gave it.
struct made_seed {
  input_index input;
  std::uint32_t label = nowhere;  // which of the expected outputs
};

/// Values of a table by their names, plots: what an analyser reports.
struct analysis {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string text;
};

/// A spec. `spec<In, Out>` is the only one that derives from it.
class spec_base {
 public:
  explicit spec_base(std::string name) : name_(std::move(name)) {}
  virtual ~spec_base() = default;
  spec_base(const spec_base&) = delete;
  spec_base& operator=(const spec_base&) = delete;

  // ---- what is declared

  const std::string& name() const { return name_; }
  const std::vector<declared_maker>& makers() const { return makers_; }
  const std::vector<declared_datamorphism>& datamorphisms() const { return datamorphisms_; }
  const std::vector<declared_relation>& relations() const { return relations_; }
  const std::vector<declared_rule>& rules() const { return rules_; }
  const std::vector<declared_executer>& executers() const { return executers_; }
  const std::vector<declared_named>& operations() const { return operations_; }
  const std::vector<declared_named>& case_metrics() const { return case_metrics_; }
  const std::vector<declared_named>& case_filters() const { return case_filters_; }
  const std::vector<declared_named>& set_metrics() const { return set_metrics_; }
  const std::vector<declared_named>& set_filters() const { return set_filters_; }
  const std::vector<declared_named>& analysers() const { return analysers_; }
  const std::vector<declared_category>& categories() const { return categories_; }
  const std::vector<declared_exclusion>& exclusions() const { return exclusions_; }
  /// Seed makers, then datamorphisms.
  const std::string& type_name(type_index t) const {
    return t < makers_.size() ? makers_[t].name : datamorphisms_[t - makers_.size()].name;
  }
  type_index type_of(std::size_t datamorphism) const { return static_cast<type_index>(makers_.size() + datamorphism); }
  std::uint16_t operation_of(type_index t) const {
    return t < makers_.size() ? std::uint16_t{0} : datamorphisms_[t - makers_.size()].operation;
  }
  bool throwing_is_fine() const { return may_throw_; }
  bool may_have_labels() const;
  bool executers_have_to_agree() const { return agree_; }
  /// Whether a datamorphism looks at outputs: then executers have pools of their own.
  bool uses_runs() const;
  double timeout() const { return timeout_; }
  strategy default_strategy() const { return default_strategy_; }
  unsigned default_order() const { return default_order_; }
  /// What is wrong with the declarations; empty if nothing.
  std::string problem() const;

  /// Counts what is made, run and checked, so that who watches sees that something goes on. Null: nobody watches.
  void set_beat(std::uint64_t* counter) { beat_ = counter != nullptr ? counter : &own_beat_; }

  // ---- values

  virtual std::uint32_t number_of_inputs() const = 0;
  /// Forgets the inputs from `size` on, and their runs.
  virtual void truncate_inputs(std::uint32_t size) = 0;
  /// That so many may come.
  virtual void reserve_inputs(std::uint32_t number) = 0;
  virtual std::uint64_t input_id(input_index input) const = 0;
  virtual std::string text_of_input(input_index input) const = 0;
  virtual std::string show_input(input_index input) const = 0;
  /// `nowhere` and an error, if the text is none of an input.
  virtual input_index read_input(std::string_view text, std::string& error) = 0;
  /// Whether it could have come from that seed maker.
  virtual bool may_be_seed(std::size_t maker, input_index input) = 0;
  /// Smaller inputs that are worth a try, the smallest first, and that the seed maker could have made.
  virtual void shrink_input(std::size_t maker, input_index input, std::vector<input_index>& to) = 0;
  virtual double distance(input_index a, input_index b) const = 0;
  /// Whether the input has that choice of a category.
  virtual bool has_choice(std::size_t category, std::size_t choice, input_index input) const = 0;

  /// An error if it cannot make them (a file is not there).
  virtual std::string make_seeds(std::size_t maker, std::uint64_t seed, std::vector<made_seed>& to) = 0;
  /// `sources` holds arity cases for each tuple. With an executer, for datamorphisms that look at outputs. What the
  /// datamorphism's filter rejects is counted in `rejected`, the tuples for which it threw in `threw`.
  virtual void make_mutants(std::size_t datamorphism, std::uint16_t executer, const pool& cases,
                            const case_index* sources, std::uint32_t number_of_tuples, std::vector<made_input>& to,
                            std::uint64_t& rejected, std::uint64_t& threw) = 0;

  // ---- runs

  virtual void run(std::uint16_t executer, std::uint16_t operation, const input_index* inputs, std::size_t count) = 0;
  virtual ended how(std::uint16_t executer, std::uint16_t operation, input_index input) const = 0;
  /// The same of many at once.
  virtual void how(std::uint16_t executer, std::uint16_t operation, const input_index* inputs, std::size_t count,
                   ended* to) const = 0;
  virtual std::string error(std::uint16_t executer, std::uint16_t operation, input_index input) const = 0;
  virtual std::string text_of_output(std::uint16_t executer, std::uint16_t operation, input_index input) const = 0;
  virtual std::string show_output(std::uint16_t executer, std::uint16_t operation, input_index input) const = 0;
  /// Whether outputs can be sent from one process to another.
  virtual bool outputs_have_text() const = 0;
  /// An output by its text, or how else the run ended. An error if the text is none of an output.
  virtual std::string set_outcome(std::uint16_t executer, std::uint16_t operation, input_index input, ended how,
                                  std::string_view text) = 0;
  virtual void forget_run(std::uint16_t executer, std::uint16_t operation, input_index input) = 0;
  /// Whether two executers agree: not applicable if outputs cannot be compared or one has none.
  virtual verdict same_outcome(std::uint16_t executer, std::uint16_t other, std::uint16_t operation,
                               input_index input) const = 0;
  virtual verdict matches_label(std::uint16_t executer, input_index input, std::uint32_t label) const = 0;
  virtual std::string show_label(std::uint32_t label) const = 0;
  virtual std::string text_of_label(std::uint32_t label) const = 0;
  virtual std::uint32_t read_label(std::string_view text, std::string& error) = 0;

  // ---- samples: what check() of a statistical relation decides on. Place 0 is the mutant's, then come its origins'.

  virtual void begin_samples(std::size_t places) = 0;
  /// One more run, whose output becomes a sample; else `error` says how it ended. The outcome of the input stays.
  virtual ended sample(std::uint16_t executer, std::uint16_t operation, input_index input, std::size_t place,
                       std::string& error) = 0;
  /// A sample by its text. An error if the text is none of an output.
  virtual std::string add_sample(std::size_t place, std::string_view text) = 0;

  // ---- morphisms on cases and pools

  /// What a datamorphism, or a relation, threw last; then it is forgotten.
  std::string take_error() {
    std::string last;
    last.swap(error_);
    return last;
  }
  virtual void check(std::size_t rule, std::uint16_t executer, const pool& cases, const case_index* which,
                     std::size_t count, verdict* to) = 0;
  virtual double case_metric(std::size_t metric, std::uint16_t executer, const pool& cases, case_index which) = 0;
  virtual bool case_filter(std::size_t filter, std::uint16_t executer, const pool& cases, case_index which) = 0;
  virtual double set_metric(std::size_t metric, std::uint16_t executer, const pool& cases) = 0;
  /// The cases that stay.
  virtual std::vector<case_index> set_filter(std::size_t filter, std::uint16_t executer, const pool& cases) = 0;
  virtual analysis analyse(std::size_t analyser, std::uint16_t executer, const pool& cases) = 0;

 protected:
  std::uint16_t add_relation(std::string name, std::string message, const char* file, int line);
  std::string name_;
  std::vector<declared_maker> makers_;
  std::vector<declared_datamorphism> datamorphisms_;
  std::vector<declared_relation> relations_;
  std::vector<declared_rule> rules_;
  std::vector<declared_executer> executers_;
  std::vector<declared_named> operations_{{"run"}};
  std::vector<declared_named> case_metrics_, case_filters_, set_metrics_, set_filters_, analysers_;
  std::vector<declared_category> categories_;
  std::vector<declared_exclusion> exclusions_;
  void beat() { __atomic_store_n(beat_, __atomic_load_n(beat_, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED); }
  std::uint64_t own_beat_ = 0;
  std::uint64_t* beat_ = &own_beat_;
  std::string error_;
  bool may_throw_ = false;
  bool agree_ = false;
  bool thread_safe_ = false;
  strategy default_strategy_ = strategy::order;
  unsigned default_order_ = 1;
  double timeout_ = 10;  // seconds a run
};

// ---- the specs of a program

struct registered_spec {
  const char* name;
  const char* file;
  int line;
  std::unique_ptr<spec_base> (*make)(const char* name);
};

std::vector<registered_spec>& registered_specs();

/// For host frameworks: how many assertions of theirs have failed so far. What a relation's own assertions add makes it
/// fail. Nothing if there is no host.
using count_host_failures = std::uint64_t (*)();
void set_host(count_host_failures count);
count_host_failures host();

}  // namespace morph
