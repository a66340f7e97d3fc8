// A spec: seeds, datamorphisms and relations of one kind of input and output, declared in lambdas.
//
//   MORPH_SPEC(sorting, std::vector<int>, std::vector<int>, s) {
//     s.execute(my_sort);
//     s.seeds("random", morph::draw(50, morph::vectors(20, morph::integers(-9, 9))));
//     auto reverse = s.datamorph("reverse", [](std::vector<int> v) { return std::vector<int>(v.rbegin(), v.rend()); });
//     s.relation("order does not matter", reverse, [](auto& m, auto& o) { return m.output == o.output; });
//   }
#pragma once

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/case.hpp"
#include "morph/declared.hpp"
#include "morph/distance.hpp"
#include "morph/erased.hpp"
#include "morph/hash.hpp"
#include "morph/partitions.hpp"
#include "morph/processes.hpp"
#include "morph/seeds.hpp"
#include "morph/shrink.hpp"
#include "morph/view.hpp"

namespace morph {

template <typename In, typename Out>
class spec;
template <typename In, typename Out, std::size_t K>
class datamorphism;

namespace detail {

template <typename T, std::size_t>
using always = T;

template <typename F, typename T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return std::is_invocable_v<F&, always<const T&, I>...>;
}
/// With how many values of T the callable can be called, 1 to 6: the least number; 0 if with none.
template <typename F, typename T, std::size_t K = 1>
consteval std::size_t arity() {
  if constexpr (K > 6)
    return 0;
  else if constexpr (takes<F, T>(std::make_index_sequence<K>{}))
    return K;
  else
    return arity<F, T, K + 1>();
}

/// The same, or K if that is said.
template <typename F, typename T, std::size_t K>
consteval std::size_t arity_of() {
  if constexpr (K == 0)
    return arity<F, T>();
  else
    return takes<F, T>(std::make_index_sequence<K>{}) ? K : 0;
}
/// A callable with `auto` cannot be asked for what is not its to take.
template <bool Known, typename F, typename T, std::size_t K>
consteval std::size_t arity_unless() {
  if constexpr (Known)
    return 0;
  else
    return arity_of<F, T, K>();
}

/// Not every explicit conversion: a number makes a vector of that size.
template <typename T, typename In>
concept becomes = std::is_convertible_v<T, In> ||
    (text::texted<std::remove_cvref_t<T>>&& std::is_constructible_v<In, T>);

template <typename T>
concept optional_like = requires(T value) {
  value.has_value();
  *value;
};

template <typename T>
concept equatable = requires(const T& a, const T& b) {
  { a == b } -> std::convertible_to<bool>;
};

template <typename T>
inline constexpr bool has_text = text::known<T> || text::known_to_nlohmann<T>;

/// Outputs can be told apart.
template <typename T>
inline constexpr bool is_comparable = equatable<T> || has_text<T>;

/// For messages: a datamorphism of any spec and arity.
struct any_datamorphism {
  template <typename In, typename Out, std::size_t K>
  any_datamorphism(const datamorphism<In, Out, K>&) {}
};

void run_parallel(std::size_t count, void (*part)(void* context, std::size_t begin, std::size_t end), void* context);

}  // namespace detail

/// What datamorph() gives: relations name it. Its arity is in its type.
template <typename In, typename Out, std::size_t K>
class datamorphism {
 public:
  datamorphism(spec<In, Out>& of, std::uint16_t index) : spec_(&of), index_(index) {}
  std::uint16_t index() const { return index_; }

  /// Mutants for which it is false are not made. It takes the mutant, or the mutant and its origins: inputs.
  template <typename F>
  datamorphism filter(F accepts) const;
  /// The order of its arguments does not matter: each set of sources is taken once.
  datamorphism symmetric() const;
  /// Its mutants run that operation instead of the executer.
  datamorphism runs(operation_handle operation) const;

 private:
  spec<In, Out>* spec_;
  std::uint16_t index_;
};

/// Relations on seeds alone, on mutants of any kind, or on all cases take the case alone.
inline constexpr scope seeds = scope::seeds;
inline constexpr scope mutants = scope::mutants;
inline constexpr scope all_cases = scope::all;

template <typename In, typename Out>
class spec final : public spec_base {
 public:
  using input = In;
  using output = Out;
  using test_case = morph::test_case<In, Out>;
  using pool_view = morph::pool_view<In, Out>;
  using samples = std::vector<Out>;

  static_assert(
      std::is_copy_constructible_v<In>,
      "morph: the input type of a spec has to be copyable; take std::shared_ptr<const T> for one that is not");
  static_assert(
      std::is_move_assignable_v<In>,
      "morph: the input type of a spec has to be assignable; constant members and references keep it from that");
  static_assert(
      !std::is_same_v<In, bool>,
      "morph: the input type of a spec cannot be bool, of which a std::vector has no references; take an enum "
      "or int");
  static_assert(
      std::is_move_constructible_v<Out>,
      "morph: the output type of a spec has to be movable; take std::shared_ptr<const T> for one that is not");
  static_assert(detail::has_text<In>,
                "morph: the input type of a spec has to have a text, by which cases are told apart and shown; write "
                "`auto morph_save(const In&)` and `void morph_load(In&, const Saved&)` in its namespace");

  using spec_base::spec_base;

  // ---- executers

  /// The program under test: gives the output for an input. An exception is how the run ended.
  template <typename F>
  spec& execute(F program) {
    return execute("executer", std::move(program));
  }
  /// With several executers each case is run by each of them.
  template <typename F>
  spec& execute(std::string name, F program) {
    static_assert(std::is_invocable_v<F&, const In&>, "morph: an executer takes the input type of its spec");
    static_assert(std::is_convertible_v<std::invoke_result_t<F&, const In&>, Out>,
                  "morph: an executer gives the output type of its spec");
    return add_executer(std::move(name), runner_of(std::move(program)));
  }
  /// A command for each run: `{}` stands for the input, else it is the standard input. Its standard output is the
  /// output: whole for strings, else read as text.hpp says.
  spec& execute_command(std::string name, std::string command) {
    return add_executer(std::move(name), [this, command = std::move(command)](const In& in, outcome<Out>& to) {
      program_answer answer = run_command(command, plain_text(in), timeout_);
      if constexpr (std::is_same_v<Out, std::string>) {
        if (answer.how == ended::output) {
          to.output = std::move(answer.text);
          to.how = ended::output;
          return;
        }
      }
      take(answer, to);
    });
  }
  /// A process that answers each line, an input in JSON, with a line: the output in JSON, or `{"error": "why"}`.
  spec& execute_stdio(std::string name, const std::string& command) {
    return add_executer(std::move(name),
                        [this, process = std::make_shared<line_process>(command)](const In& in, outcome<Out>& to) {
                          take(process->ask(to_text(in), timeout_), to);
                        });
  }
  /// Another function of the program, which mutants of some datamorphisms run: push, then pop.
  template <typename F>
  operation_handle operation(std::string name, F program) {
    static_assert(std::is_invocable_r_v<Out, F&, const In&>,
                  "morph: an operation takes the input type of its spec and gives its output type");
    operations_.push_back({std::move(name)});
    operation_runners_.push_back(runner_of(std::move(program)));
    return {static_cast<std::uint16_t>(operations_.size() - 1)};
  }
  /// Executers, datamorphisms and relations may be called by several threads at once.
  spec& thread_safe() {
    thread_safe_ = true;
    for (declared_executer& each : executers_) each.thread_safe = true;
    return *this;
  }
  /// An exception is an outcome like others, not a violation.
  spec& may_throw() {
    may_throw_ = true;
    return *this;
  }
  /// Where two executers give different outputs for a case, that is a violation; without this it is only reported.
  spec& executers_agree() {
    static_assert(detail::is_comparable<Out>,
                  "morph: executers whose outputs are to agree need an output type with == or a text; write one, or "
                  "`auto morph_save(const Out&)` in its namespace");
    agree_ = true;
    return *this;
  }
  /// What is made where nothing else is said on the command line: mutants of mutants, up to `order` datamorphisms deep.
  spec& up_to_order(unsigned order) {
    default_order_ = order;
    return *this;
  }
  /// Each set of datamorphisms is combined (Algorithm 2 of Morphy), or has the fewest cases that do.
  spec& combinatorial() {
    default_strategy_ = strategy::combinatorial;
    return *this;
  }
  spec& minimal_combinatorial() {
    default_strategy_ = strategy::minimal_combinatorial;
    return *this;
  }
  /// Seconds after which a run has hung. 10 if nothing is said.
  spec& timeout(double seconds) {
    timeout_ = seconds;
    return *this;
  }

  // ---- seeds

  spec& seeds(std::string name, std::initializer_list<seed<In, Out>> literals) {
    bool labelled = false;
    for (const seed<In, Out>& each : literals) labelled = labelled || each.expected.has_value();
    return add_maker(std::move(name), labelled,
                     [values = std::vector<seed<In, Out>>(literals)](random_source&, std::vector<seed<In, Out>>& to) {
                       for (const seed<In, Out>& each : values) to.push_back(each);
                       return std::string();
                     });
  }
  /// A range of inputs, a draw() of a generator, what reads files, or a function that gives a range of inputs or seeds.
  template <typename From>
  spec& seeds(std::string name, From from) {
    if constexpr (requires(From f, random_source & r) { accepts_values(f(r)); }) {
      if constexpr (requires(const From f, const In& in) { f.accepts(in); }) {
        accepted_.resize(makers_.size() + 1);
        accepted_.back() = [from](const In& in) -> bool { return from.accepts(in); };
      }
      return add_maker(std::move(name), !makes_inputs<From>,
                       [from](random_source& random, std::vector<seed<In, Out>>& to) {
                         for (auto&& value : from(random)) to.push_back(seed_of(value));
                         return std::string();
                       });
    } else if constexpr (requires(From f) { accepts_values(f()); }) {
      return add_maker(std::move(name), !makes_inputs<From>, [from](random_source&, std::vector<seed<In, Out>>& to) {
        for (auto&& value : from()) to.push_back(seed_of(value));
        return std::string();
      });
    } else if constexpr (requires(From f) { read_seeds(f); }) {
      add_maker(std::move(name), !makes_inputs<From>, [from](random_source&, std::vector<seed<In, Out>>& to) {
        return seeds_of_texts<In, Out>(read_seeds(from), to);
      });
      makers_.back().reads_standard_input = std::is_same_v<From, standard_input>;
      return *this;
    } else if constexpr (requires(From f) { accepts_values(f); }) {
      return add_maker(std::move(name), !makes_inputs<From>, [from](random_source&, std::vector<seed<In, Out>>& to) {
        for (auto&& value : from) to.push_back(seed_of(value));
        return std::string();
      });
    } else {
      static_assert(text::never<From>,
                    "morph: seeds are a list of inputs, a range of them, draw(count, generator), what reads a file, or "
                    "a function that gives a range of inputs");
    }
  }
  /// What shrinking may try: inputs for which it is false are none of this program. Generators with bounds say so
  /// themselves.
  template <typename F>
  spec& valid(F is_valid) {
    static_assert(std::is_invocable_r_v<bool, F&, const In&>, "morph: valid() takes an input and gives bool");
    valid_ = [is_valid](const In& in) -> bool { return is_valid(in); };
    return *this;
  }

  // ---- datamorphisms

  /// Makes a mutant of 1 to 6 inputs, or of whole cases (`const morph::test_case<In, Out>&`: then their outputs can be
  /// used). Gives an input, an optional one (nothing: it does not apply), or a range of several. The number of
  /// arguments is found out; for `auto...` it has to be said: `s.datamorph<2>(...)`.
  template <std::size_t K = 0, typename F>
  auto datamorph(std::string name, F make) {
    constexpr std::size_t of_inputs = detail::arity_of<F, In, K>();
    constexpr std::size_t of_cases = detail::arity_unless<of_inputs != 0, F, test_case, K>();
    constexpr std::size_t arity = of_inputs + of_cases;
    static_assert(arity != 0, "morph: a datamorphism takes 1 to 6 inputs of its spec's input type, or as many cases");
    declared_datamorphism made;
    made.name = std::move(name);
    made.arity = arity;
    made.uses_runs = of_cases != 0;
    datamorphisms_.push_back(std::move(made));
    makers_of_mutants_.push_back(mutant_maker<arity, of_cases != 0>(std::move(make)));
    filters_.emplace_back();
    return datamorphism<In, Out, arity>(*this, static_cast<std::uint16_t>(datamorphisms_.size() - 1));
  }

  // ---- relations

  /// What a relation still can be told.
  class relation_ref {
   public:
    relation_ref(spec& of, std::size_t first_rule) : spec_(&of), first_(first_rule) {}
    /// What is expected, for reports: "the same output".
    relation_ref& expect(const std::string& message) {
      for (std::size_t r = first_; r < spec_->rules_.size(); ++r) spec_->rules_[r].message = message;
      return *this;
    }
    /// It is checked as well where runs gave no output: `how()` and `error()` of its cases say how they ended.
    relation_ref& failures_too() {
      static_assert(std::is_default_constructible_v<Out>,
                    "morph: a relation on failed runs needs an output type with a default, which stands for what the "
                    "runs did not give");
      for (std::size_t r = first_; r < spec_->rules_.size(); ++r) spec_->rules_[r].failures_too = true;
      return *this;
    }

   private:
    spec* spec_;
    std::size_t first_;
  };

  /// For mutants of that datamorphism: `holds(mutant, origin...)` gives bool, a verdict, or nothing (then assertions of
  /// the host framework count).
  template <std::size_t K, typename F>
  relation_ref relation(std::string name, datamorphism<In, Out, K> of, F holds, const char* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
    return relation(std::move(name), {of}, std::move(holds), file, line);
  }
  template <std::size_t K, typename F>
  relation_ref relation(std::string name, std::initializer_list<datamorphism<In, Out, K>> of, F holds,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return add_rules<K>(std::move(name), of, always_applies{}, std::move(holds), file, line);
  }
  /// `when(mutant, origin...)` is a guard: where it is false, the relation does not apply.
  template <std::size_t K, typename G, typename F>
  relation_ref relation(std::string name, datamorphism<In, Out, K> of, G when, F holds,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return relation(std::move(name), {of}, std::move(when), std::move(holds), file, line);
  }
  template <std::size_t K, typename G, typename F>
  relation_ref relation(std::string name, std::initializer_list<datamorphism<In, Out, K>> of, G when, F holds,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return add_rules<K>(std::move(name), of, std::move(when), std::move(holds), file, line);
  }
  template <typename OtherIn, typename OtherOut, std::size_t K, typename... More>
  requires(!std::is_same_v<datamorphism<OtherIn, OtherOut, K>, datamorphism<In, Out, K>>) relation_ref
      relation(std::string, datamorphism<OtherIn, OtherOut, K>, More...) {
    static_assert(text::never<OtherIn>, "morph: a relation is about a datamorphism of its own spec");
  }
  template <typename F, typename... More>
  relation_ref relation(std::string, std::initializer_list<detail::any_datamorphism>, F, More...) {
    static_assert(text::never<F>,
                  "morph: the datamorphisms of one relation are its own spec's, and take the same number of arguments; "
                  "declare a relation for each number");
    return {*this, 0};
  }
  /// For cases whatever made them: `holds(case)`.
  template <typename F>
  relation_ref relation(std::string name, scope about, F holds, const char* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
    return relation(std::move(name), about, always_applies{}, std::move(holds), file, line);
  }
  template <typename G, typename F>
  relation_ref relation(std::string name, scope about, G when, F holds, const char* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
    const std::size_t first = rules_.size();
    add_rule<0>(add_relation(std::move(name), "", file, line), about, 0, when, holds);
    return {*this, first};
  }
  /// For random or learned programs: the executer is run `repeats` times on the mutant and on each origin, and
  /// `holds(samples, samples...)` decides on all outputs. See statistics.hpp for tests with a stated error. Where one
  /// of these runs does not end as it has to, that is a violation.
  template <std::size_t K, typename F>
  relation_ref statistical_relation(std::string name, datamorphism<In, Out, K> of, std::size_t repeats, F holds,
                                    const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(takes_samples<F>(std::make_index_sequence<K>{}),
                  "morph: a statistical relation takes the outputs on the mutant and then those on each origin of its "
                  "datamorphism, each a const std::vector<Out>&, and gives bool or morph::verdict");
    const std::size_t first = rules_.size();
    add_declared(add_relation(std::move(name), "", file, line), scope::datamorphism, of.index());
    rules_.back().repeats = repeats;
    checks_.push_back([holds](spec& self, const pool&, std::uint16_t, case_index) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return verdict_of(holds, std::as_const(self.samples_[0]), std::as_const(self.samples_[I + 1])...);
      }
      (std::make_index_sequence<K>{});
    });
    return {*this, first};
  }

  // ---- partitions of the inputs, for adaptive execution

  /// Parts of the input domain, of which each input lies in one.
  spec& partitions(std::initializer_list<part_of<In>> parts) { return add_category("", parts, whole_input{}); }
  /// A category of inputs, of which each input has one choice. Without partitions(), the frames of all categories, a
  /// choice of each, are the partitions.
  spec& category(std::string name, std::initializer_list<part_of<In>> choices) {
    return add_category(std::move(name), choices, whole_input{});
  }
  /// The same by a field, a member or a function of the input: `s.category("length", &request::length, {{"zero",
  /// ...}})`.
  template <typename Field>
  spec& category(std::string name, Field field, std::initializer_list<part_of<detail::field_type<Field, In>>> choices) {
    return add_category(std::move(name), choices, std::move(field));
  }
  /// No input has both: frames with both are none.
  spec& exclude(choice_of one, choice_of other) {
    exclusions_.push_back(
        {std::move(one.category), std::move(one.choice), std::move(other.category), std::move(other.choice)});
    return *this;
  }

  // ---- metrics, filters, analysers

  template <typename F>
  spec& distance_by(F apart) {
    static_assert(std::is_invocable_r_v<double, F&, const In&, const In&>,
                  "morph: a distance takes two inputs and gives a number");
    distance_ = [apart](const In& a, const In& b) -> double { return apart(a, b); };
    return *this;
  }
  /// Which outputs are of one class, for exploration: `f(a, b)` says whether both are, or `f(a)` gives what tells the
  /// classes apart. Without it, equal outputs are.
  template <typename F>
  spec& same_class(F f) {
    if constexpr (std::is_invocable_r_v<bool, F&, const Out&, const Out&>) {
      same_class_ = [f](const Out& a, const Out& b) -> bool { return f(a, b); };
    } else {
      static_assert(
          requires(F & g, const Out& a) { static_cast<bool>(g(a) == g(a)); },
          "morph: same_class() takes two outputs and gives bool, or takes one and gives what tells classes apart");
      same_class_ = [f](const Out& a, const Out& b) -> bool { return f(a) == f(b); };
    }
    return *this;
  }
  /// `f(case, pool)` or `f(case)`: a number, a column of the pool's table.
  template <typename F>
  spec& case_metric(std::string name, F f) {
    case_metrics_.push_back({std::move(name)});
    case_metric_calls_.push_back(on_case<double>(std::move(f)));
    return *this;
  }
  /// `f(case, pool)` or `f(case)`: which cases are meant.
  template <typename F>
  spec& case_filter(std::string name, F f) {
    case_filters_.push_back({std::move(name)});
    case_filter_calls_.push_back(on_case<bool>(std::move(f)));
    return *this;
  }
  /// `f(pool)`: a number.
  template <typename F>
  spec& set_metric(std::string name, F f) {
    static_assert(std::is_invocable_r_v<double, F&, const pool_view&>,
                  "morph: a test-set metric takes the pool and gives a number");
    set_metrics_.push_back({std::move(name)});
    set_metric_calls_.push_back([f](const pool_view& of) -> double { return f(of); });
    return *this;
  }
  /// `f(pool)`: the positions of the cases that stay.
  template <typename F>
  spec& set_filter(std::string name, F f) {
    static_assert(std::is_invocable_r_v<std::vector<case_index>, F&, const pool_view&>,
                  "morph: a test-set filter takes the pool and gives the positions of the cases that stay, a "
                  "std::vector<morph::case_index>");
    set_filters_.push_back({std::move(name)});
    set_filter_calls_.push_back([f](const pool_view& of) -> std::vector<case_index> { return f(of); });
    return *this;
  }
  /// `f(pool)`: text, or tables.
  template <typename F>
  spec& analyser(std::string name, F f) {
    analysers_.push_back({name});
    analyser_calls_.push_back([f, name](const pool_view& of) {
      if constexpr (std::is_convertible_v<std::invoke_result_t<F&, const pool_view&>, std::string>) {
        analysis made;
        made.title = name;
        made.text = f(of);
        return made;
      } else {
        static_assert(std::is_invocable_r_v<analysis, F&, const pool_view&>,
                      "morph: an analyser takes the pool and gives text or a morph::analysis");
        return analysis(f(of));
      }
    });
    return *this;
  }

  // ---- for pool_view

  test_case view(const pool& cases, std::uint16_t executer, case_index at) const {
    const type_index type = cases.type(at);
    const input_index in = cases.input(at);
    return test_case(inputs_[in], outcome_at(executer, operation_of(type), in), cases, at, type_name(type));
  }
  const std::vector<double>& nearest(const pool& cases) const {
    if (nearest_.size() > cases.size() ||
        (!nearest_.empty() && nearest_last_ != cases.id(static_cast<case_index>(nearest_.size() - 1))))
      nearest_.clear();
    while (nearest_.size() < cases.size()) {
      const auto at = static_cast<case_index>(nearest_.size());
      double least = std::numeric_limits<double>::infinity();
      for (case_index other = 0; other < at; ++other) {
        const double apart = distance(cases.input(at), cases.input(other));
        least = std::min(least, apart);
        nearest_[other] = std::min(nearest_[other], apart);
      }
      nearest_.push_back(least);
      nearest_last_ = cases.id(at);
    }
    return nearest_;
  }

 private:
  template <typename, typename, std::size_t>
  friend class datamorphism;
  struct always_applies {};
  /// Where a datamorphism puts what it made.
  struct sink {
    spec* of;
    std::size_t datamorphism;
    std::uint32_t tuple;
    const pool* cases;
    const case_index* sources;
    std::vector<made_input>* to;
    std::uint64_t* rejected;

    void add(In&& made) {
      const auto& accepts = of->filters_[datamorphism];
      if (accepts && !accepts(*of, made, *cases, sources))
        ++*rejected;
      else
        to->push_back({tuple, of->intern(std::move(made))});
    }
  };
  using runner = detail::erased<void(const In&, outcome<Out>&)>;

  /// Of what a list of seeds is made of: inputs, not seeds with labels.
  template <typename From>
  static constexpr bool makes_inputs = requires(From f, random_source& r) {
    requires detail::becomes<decltype(*std::begin(f(r))), In>;
  }
  || requires(From f) { requires detail::becomes<decltype(*std::begin(f())), In>; }
  || requires(From f) { requires detail::becomes<decltype(*std::begin(f)), In>; };
  static seed<In, Out> seed_of(const seed<In, Out>& from) { return from; }
  template <typename T>
  requires detail::becomes<const T&, In>
  static seed<In, Out> seed_of(const T& value) { return seed<In, Out>(static_cast<In>(value)); }
  template <typename R>
  static auto accepts_values(const R& values) -> decltype(seed_of(*std::begin(values)), std::end(values), void());

  // ---- declaring

  template <typename F>
  static runner runner_of(F run) {
    return [run = std::move(run)](const In& in, outcome<Out>& to) mutable {
      to.output.emplace(run(in));
      to.how = ended::output;
    };
  }
  spec& add_executer(std::string name, runner run) {
    executers_.push_back({std::move(name), thread_safe_});
    runners_.push_back(std::move(run));
    return *this;
  }
  spec& add_maker(std::string name, bool may_have_labels,
                  detail::erased<std::string(random_source&, std::vector<seed<In, Out>>&)> make) {
    makers_.push_back({std::move(name), may_have_labels});
    makers_of_seeds_.push_back(std::move(make));
    return *this;
  }

  struct whole_input {
    const In& operator()(const In& in) const { return in; }
  };
  template <typename Part, typename Field>
  spec& add_category(std::string name, std::initializer_list<Part> choices, Field field) {
    categories_.push_back({std::move(name), {}});
    predicates_.emplace_back();
    for (const Part& each : choices) {
      categories_.back().choices.push_back(each.name);
      predicates_.back().push_back(
          [holds = each.holds, field](const In& in) -> bool { return holds(detail::field_of(field, in)); });
    }
    return *this;
  }

  template <std::size_t K, bool OfCases, typename F>
  static auto mutant_maker(F make) {
    return [make = std::move(make)](spec& self, std::uint16_t executer, sink& to) mutable {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (OfCases) {
          if (!(self.view(*to.cases, executer, to.sources[I]).has_output() && ...)) return;
          emit(make(self.view(*to.cases, executer, to.sources[I])...), to);
        } else {
          emit(make(self.inputs_[to.cases->input(to.sources[I])]...), to);
        }
      }
      (std::make_index_sequence<K>{});
    };
  }
  template <typename Made>
  static void emit(Made&& made, sink& to) {
    using T = std::remove_cvref_t<Made>;
    if constexpr (std::is_same_v<T, In>) {
      to.add(In(std::forward<Made>(made)));
    } else if constexpr (requires {
                           requires detail::optional_like<T>;
                           requires detail::becomes<decltype(*made), In>;
                         }) {
      if (made.has_value()) to.add(In(*std::move(made)));
    } else if constexpr (detail::becomes<T, In>) {
      to.add(static_cast<In>(made));
    } else if constexpr (!text::texted<T> && requires { accepts_values(made); }) {
      // A range may look into its argument, which moves when the first one is added.
      std::vector<In> all;
      for (auto&& each : made) all.push_back(static_cast<In>(each));
      for (In& each : all) to.add(std::move(each));
    } else {
      static_assert(text::never<T>,
                    "morph: a datamorphism gives an input of its spec's input type, a std::optional of one, or a range "
                    "of them");
    }
  }

  template <std::size_t K, typename G, typename F>
  relation_ref add_rules(std::string name, std::initializer_list<datamorphism<In, Out, K>> of, G when, F holds,
                         const char* file, int line) {
    const std::size_t first = rules_.size();
    const std::uint16_t relation = add_relation(std::move(name), "", file, line);
    for (const auto& each : of) add_rule<K>(relation, scope::datamorphism, each.index(), when, holds);
    return {*this, first};
  }
  template <typename F, std::size_t... I>
  static consteval bool takes_samples(std::index_sequence<I...>) {
    return std::is_invocable_v<F&, const samples&, detail::always<const samples&, I>...>;
  }
  void add_declared(std::uint16_t relation, scope about, std::uint16_t datamorphism) {
    declared_rule made;
    made.relation = relation;
    made.about = about;
    made.datamorphism = datamorphism;
    rules_.push_back(std::move(made));
  }
  /// For a mutant and as many origins as there are numbers. (Clang loses count in std::invoke_result_t.)
  template <typename F, std::size_t... I>
  static consteval bool gives_nothing(std::index_sequence<I...>) {
    if constexpr (requires(F & holds, const test_case& each) { holds(each, (static_cast<void>(I), each)...); })
      return std::is_void_v<decltype(std::declval<F&>()(std::declval<const test_case&>(),
                                                        (static_cast<void>(I), std::declval<const test_case&>())...))>;
    else
      return false;
  }
  template <std::size_t K, typename G, typename F>
  void add_rule(std::uint16_t relation, scope about, std::uint16_t datamorphism, G when, F holds) {
    add_declared(relation, about, datamorphism);
    rules_.back().gives_nothing = gives_nothing<F>(std::make_index_sequence<K>{});
    const std::size_t rule = rules_.size() - 1;
    checks_.push_back([when = std::move(when), holds = std::move(holds), rule](
                          spec& self, const pool& cases, std::uint16_t executer, case_index at) mutable {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const case_index* const origins = cases.origins(at).first;
        const test_case all[] = {self.view(cases, executer, at), self.view(cases, executer, origins[I])...};
        if (!self.rules_[rule].failures_too && !(all[0].has_output() && ... && all[I + 1].has_output()))
          return verdict::not_applicable;
        if constexpr (!std::is_same_v<G, always_applies>) {
          static_assert(std::is_invocable_r_v<bool, G&, const test_case&, detail::always<const test_case&, I>...>,
                        "morph: the guard of a relation takes what the relation takes, the mutant and each origin of "
                        "its datamorphism, and gives bool");
          if (!when(all[0], all[I + 1]...)) return verdict::not_applicable;
        } else {
          (void)when;
        }
        static_assert(std::is_invocable_v<F&, const test_case&, detail::always<const test_case&, I>...>,
                      "morph: a relation takes the mutant and then as many origins as its datamorphism takes arguments "
                      "(relations on seeds, mutants or all_cases take the case alone)");
        return verdict_of(holds, all[0], all[I + 1]...);
      }
      (std::make_index_sequence<K>{});
    });
  }
  template <typename F, typename... A>
  static verdict verdict_of(F& holds, const A&... arguments) {
    using result = std::invoke_result_t<F&, const A&...>;
    if constexpr (std::is_void_v<result>) {
      const count_host_failures failures = host();
      const std::uint64_t before = failures == nullptr ? 0 : failures();
      holds(arguments...);
      return failures != nullptr && failures() != before ? verdict::fail : verdict::pass;
    } else if constexpr (std::is_same_v<result, verdict>) {
      return holds(arguments...);
    } else {
      static_assert(std::is_convertible_v<result, bool>,
                    "morph: a relation gives bool, morph::verdict, or nothing (where the host framework's assertions "
                    "decide)");
      const count_host_failures failures = host();
      const std::uint64_t before = failures == nullptr ? 0 : failures();
      const bool good = static_cast<bool>(holds(arguments...));
      return good && (failures == nullptr || failures() == before) ? verdict::pass : verdict::fail;
    }
  }
  template <typename Result, typename F>
  static detail::erased<Result(const test_case&, const pool_view&)> on_case(F f) {
    static_assert(std::is_invocable_r_v<Result, F&, const test_case&, const pool_view&> ||
                      std::is_invocable_r_v<Result, F&, const test_case&>,
                  "morph: a metric or filter of cases takes the case, or the case and its pool, and gives a number or "
                  "bool");
    return [f](const test_case& of, const pool_view& in) -> Result {
      if constexpr (std::is_invocable_v<F&, const test_case&, const pool_view&>) {
        return f(of, in);
      } else {
        (void)in;
        return f(of);
      }
    };
  }

  // ---- values

  input_index intern(In&& value) {
    const std::uint64_t id = hash_of(value);
    const auto at = static_cast<input_index>(inputs_.size());
    const input_index found = input_table_.find_or_add(id, at, input_ids_);
    if (found != at) return found;
    input_ids_.push_back(id);
    inputs_.push_back(std::move(value));
    return at;
  }
  std::size_t slot(std::uint16_t executer, std::uint16_t operation) const {
    return executer * operations_.size() + operation;
  }
  const outcome<Out>& outcome_at(std::uint16_t executer, std::uint16_t operation, input_index in) const {
    static const outcome<Out> none{};
    const std::size_t at = slot(executer, operation);
    return at < outcomes_.size() && in < outcomes_[at].size() ? outcomes_[at][in] : none;
  }
  outcome<Out>& room_for(std::uint16_t executer, std::uint16_t operation, input_index in) {
    const std::size_t at = slot(executer, operation);
    if (outcomes_.size() <= at) outcomes_.resize(at + 1);
    if (outcomes_[at].capacity() < inputs_.capacity()) outcomes_[at].reserve(inputs_.capacity());
    if (outcomes_[at].size() <= in) outcomes_[at].resize(std::max<std::size_t>(inputs_.size(), in + 1));
    return outcomes_[at][in];
  }
  const runner& runner_at(std::uint16_t executer, std::uint16_t operation) const {
    return operation == 0 ? runners_[executer] : operation_runners_[operation - 1u];
  }
  static void run_one(const runner& run, const In& in, outcome<Out>& to) {
    const auto failed = [&](std::string what) {
      to.output.reset();
      to.error = std::make_unique<std::string>(std::move(what));
      to.how = ended::exception;
    };
    try {
      run(in, to);
    } catch (const std::exception& error) {
      failed(error.what());
    } catch (const char* error) {
      failed(error);
    } catch (...) {
      failed("an exception that is no std::exception");
    }
  }
  /// Whether it ended without an exception; else take_error() tells of it.
  template <typename F>
  bool caught(F morphism) {
    try {
      morphism();
      return true;
    } catch (const std::exception& error) {
      error_ = error.what();
    } catch (const char* error) {
      error_ = error;
    } catch (...) {
      error_ = "an exception that is no std::exception";  // what ends a test in some host frameworks, too
    }
    return false;
  }
  /// For other programs: strings as they are.
  static std::string plain_text(const In& in) {
    if constexpr (text::texted<In>)
      return std::string(std::string_view(in));
    else if constexpr (text::path_like<In>)
      return in.string();
    else
      return to_text(in);
  }
  void take(const program_answer& answer, outcome<Out>& to) {
    to.how = answer.how;
    if (answer.how == ended::output) {
      if constexpr (std::is_default_constructible_v<Out> && detail::has_text<Out>) {
        auto made = from_text<Out>(answer.text);
        if (made.value) {
          to.output = std::move(*made.value);
          return;
        }
        to.error = std::make_unique<std::string>("the answer is no output: " + made.error);
      } else {
        static_assert(text::never<Out>, "morph: what other programs answer has to be a type with a text and a default");
      }
      to.how = ended::exception;
      return;
    }
    to.error = std::make_unique<std::string>(answer.text);
  }

  std::uint32_t number_of_inputs() const override { return static_cast<std::uint32_t>(inputs_.size()); }
  void truncate_inputs(std::uint32_t size) override {
    if (size >= inputs_.size()) return;
    input_table_.truncate(size, input_ids_);
    inputs_.erase(inputs_.begin() + size, inputs_.end());
    input_ids_.resize(size);
    for (auto& each : outcomes_)
      if (each.size() > size) each.resize(size);
  }
  void reserve_inputs(std::uint32_t number) override {
    inputs_.reserve(number);
    input_ids_.reserve(number);
    input_table_.reserve(number, input_ids_);
  }
  std::uint64_t input_id(input_index in) const override { return input_ids_[in]; }
  std::string text_of_input(input_index in) const override { return to_text(inputs_[in]); }
  std::string show_input(input_index in) const override { return show(inputs_[in]); }
  input_index read_input(std::string_view written, std::string& error) override {
    if constexpr (std::is_default_constructible_v<In>) {
      auto made = from_text<In>(written);
      if (made.value) return intern(std::move(*made.value));
      error = made.error;
    } else {
      error = "the input type has no default, so that none can be read";
    }
    return nowhere;
  }
  void shrink_input(std::size_t maker, input_index in, std::vector<input_index>& to) override {
    std::vector<In> smaller;
    detail::shrink(In(inputs_[in]), [&](In value) { smaller.push_back(std::move(value)); });
    for (In& value : smaller) {
      if (is_possible(maker, value)) to.push_back(intern(std::move(value)));
    }
  }
  bool is_possible(std::size_t maker, const In& in) const {
    return (maker >= accepted_.size() || !accepted_[maker] || accepted_[maker](in)) && (!valid_ || valid_(in));
  }
  bool may_be_seed(std::size_t maker, input_index in) override { return is_possible(maker, inputs_[in]); }
  double distance(input_index a, input_index b) const override {
    return distance_ ? distance_(inputs_[a], inputs_[b]) : morph::distance(inputs_[a], inputs_[b]);
  }

  bool has_choice(std::size_t category, std::size_t choice, input_index in) const override {
    return predicates_[category][choice](inputs_[in]);
  }

  std::string make_seeds(std::size_t maker, std::uint64_t seed_of_random, std::vector<made_seed>& to) override {
    random_source random(seed_of_random);
    std::vector<seed<In, Out>> made;
    std::string error = makers_of_seeds_[maker](random, made);
    for (seed<In, Out>& each : made) {
      beat();
      made_seed one{intern(std::move(each.input)), nowhere};
      if (each.expected) {
        if (!detail::is_comparable<Out>)
          return "they have expected outputs, which cannot be compared: the output type has neither == nor a text; "
                 "write one, or `auto morph_save(const Out&)` in its namespace";
        one.label = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(std::move(*each.expected));
      }
      to.push_back(one);
    }
    return error;
  }
  void make_mutants(std::size_t datamorphism, std::uint16_t executer, const pool& cases, const case_index* sources,
                    std::uint32_t number_of_tuples, std::vector<made_input>& to, std::uint64_t& rejected,
                    std::uint64_t& threw) override {
    const std::size_t arity = datamorphisms_[datamorphism].arity;
    sink into{this, datamorphism, 0, &cases, sources, &to, &rejected};
    const auto& make = makers_of_mutants_[datamorphism];
    for (; into.tuple < number_of_tuples; ++into.tuple, into.sources += arity) {
      beat();
      const bool good = caught([&] { make(*this, executer, into); });
      if (!good && (to.empty() || to.back().tuple != into.tuple)) ++threw;
    }
  }

  void run(std::uint16_t executer, std::uint16_t operation, const input_index* which, std::size_t count) override {
    if (count == 0) return;
    room_for(executer, operation, static_cast<input_index>(inputs_.size() - 1));
    struct part {
      spec* self;
      const runner* run;
      std::vector<outcome<Out>>* to;
      const input_index* which;
    } all{this, &runner_at(executer, operation), &outcomes_[slot(executer, operation)], which};
    const auto run_part = [](void* context, std::size_t begin, std::size_t end) {
      const part& of = *static_cast<part*>(context);
      for (std::size_t i = begin; i < end; ++i) {
        outcome<Out>& to = (*of.to)[of.which[i]];
        of.self->beat();
        if (to.how == ended::not_run) run_one(*of.run, of.self->inputs_[of.which[i]], to);
      }
    };
    if (executers_[executer].thread_safe)
      detail::run_parallel(count, run_part, &all);
    else
      run_part(&all, 0, count);
  }
  ended how(std::uint16_t executer, std::uint16_t operation, input_index in) const override {
    return outcome_at(executer, operation, in).how;
  }
  void how(std::uint16_t executer, std::uint16_t operation, const input_index* inputs, std::size_t count,
           ended* to) const override {
    for (std::size_t i = 0; i < count; ++i) to[i] = outcome_at(executer, operation, inputs[i]).how;
  }
  std::string error(std::uint16_t executer, std::uint16_t operation, input_index in) const override {
    const auto& error = outcome_at(executer, operation, in).error;
    return error ? *error : std::string();
  }
  std::string text_of_output(std::uint16_t executer, std::uint16_t operation, input_index in) const override {
    if constexpr (detail::has_text<Out>) return to_text(*outcome_at(executer, operation, in).output);
    return {};
  }
  std::string show_output(std::uint16_t executer, std::uint16_t operation, input_index in) const override {
    if constexpr (detail::has_text<Out>) return show(*outcome_at(executer, operation, in).output);
    return "(an output without text)";
  }
  bool outputs_have_text() const override { return detail::has_text<Out> && std::is_default_constructible_v<Out>; }
  std::string set_outcome(std::uint16_t executer, std::uint16_t operation, input_index in, ended how,
                          std::string_view written) override {
    outcome<Out>& to = room_for(executer, operation, in);
    to.output.reset();
    to.error.reset();
    to.how = how;
    if (how != ended::output) {
      to.error = std::make_unique<std::string>(written);
      return {};
    }
    if constexpr (detail::has_text<Out> && std::is_default_constructible_v<Out>) {
      auto made = from_text<Out>(written);
      if (made.value) {
        to.output = std::move(*made.value);
        return {};
      }
      to.how = ended::not_run;
      return made.error;
    } else {
      to.how = ended::not_run;
      return "the output type has no text or no default";
    }
  }
  void forget_run(std::uint16_t executer, std::uint16_t operation, input_index in) override {
    outcome<Out>& run = room_for(executer, operation, in);
    run.output.reset();
    run.error.reset();
    run.how = ended::not_run;
  }
  void begin_samples(std::size_t places) override { samples_.assign(places, samples()); }
  ended sample(std::uint16_t executer, std::uint16_t operation, input_index in, std::size_t place,
               std::string& error) override {
    beat();
    outcome<Out> one;
    run_one(runner_at(executer, operation), inputs_[in], one);
    if (one.output) samples_[place].push_back(std::move(*one.output));
    if (one.error) error = std::move(*one.error);
    return one.how;
  }
  std::string add_sample(std::size_t place, std::string_view written) override {
    if constexpr (detail::has_text<Out> && std::is_default_constructible_v<Out>) {
      auto made = from_text<Out>(written);
      if (!made.value) return made.error;
      samples_[place].push_back(std::move(*made.value));
      return {};
    } else {
      return "the output type has no text or no default";
    }
  }
  verdict same_outcome(std::uint16_t executer, std::uint16_t other, std::uint16_t operation,
                       input_index in) const override {
    const outcome<Out>& a = outcome_at(executer, operation, in);
    const outcome<Out>& b = outcome_at(other, operation, in);
    if (a.how == ended::not_run || b.how == ended::not_run) return verdict::not_applicable;
    if (a.how != b.how) return verdict::fail;
    return a.output ? same_output(*a.output, *b.output) : verdict::pass;
  }
  /// By value: what pointers point to, and not-a-number is what it is.
  static verdict same_output(const Out& a, const Out& b) {
    if constexpr (detail::equatable<Out>)
      if (a == b) return verdict::pass;
    if constexpr (detail::has_text<Out>) return to_text(a) == to_text(b) ? verdict::pass : verdict::fail;
    return detail::equatable<Out> ? verdict::fail : verdict::not_applicable;
  }
  verdict same_class(std::uint16_t executer, input_index a, input_index b) override {
    const outcome<Out>& one = outcome_at(executer, 0, a);
    const outcome<Out>& other = outcome_at(executer, 0, b);
    if (!one.output || !other.output) return verdict::not_applicable;
    if (!same_class_) return same_output(*one.output, *other.output);
    return same_class_(*one.output, *other.output) ? verdict::pass : verdict::fail;
  }
  verdict matches_label(std::uint16_t executer, input_index in, std::uint32_t label) const override {
    const outcome<Out>& run = outcome_at(executer, 0, in);
    return run.output ? same_output(*run.output, labels_[label]) : verdict::not_applicable;
  }
  std::string show_label(std::uint32_t label) const override {
    if constexpr (detail::has_text<Out>) return show(labels_[label]);
    return "(an output without text)";
  }
  std::string text_of_label(std::uint32_t label) const override {
    if constexpr (detail::has_text<Out>) return to_text(labels_[label]);
    return {};
  }
  std::uint32_t read_label(std::string_view written, std::string& error) override {
    if constexpr (detail::has_text<Out> && std::is_default_constructible_v<Out>) {
      auto made = from_text<Out>(written);
      if (made.value) {
        labels_.push_back(std::move(*made.value));
        return static_cast<std::uint32_t>(labels_.size() - 1);
      }
      error = made.error;
    } else {
      error = "the output type has no text or no default";
    }
    return nowhere;
  }

  void check(std::size_t rule, std::uint16_t executer, const pool& cases, const case_index* which, std::size_t count,
             verdict* to) override {
    const auto& call = checks_[rule];
    for (std::size_t i = 0; i < count; ++i) {
      beat();
      if (!caught([&] { to[i] = call(*this, cases, executer, which[i]); })) to[i] = verdict::fail;
    }
  }
  double case_metric(std::size_t metric, std::uint16_t executer, const pool& cases, case_index which) override {
    return case_metric_calls_[metric](view(cases, executer, which), pool_view(*this, cases, executer));
  }
  bool case_filter(std::size_t filter, std::uint16_t executer, const pool& cases, case_index which) override {
    return case_filter_calls_[filter](view(cases, executer, which), pool_view(*this, cases, executer));
  }
  double set_metric(std::size_t metric, std::uint16_t executer, const pool& cases) override {
    return set_metric_calls_[metric](pool_view(*this, cases, executer));
  }
  std::vector<case_index> set_filter(std::size_t filter, std::uint16_t executer, const pool& cases) override {
    return set_filter_calls_[filter](pool_view(*this, cases, executer));
  }
  analysis analyse(std::size_t analyser, std::uint16_t executer, const pool& cases) override {
    return analyser_calls_[analyser](pool_view(*this, cases, executer));
  }

  std::vector<detail::erased<std::string(random_source&, std::vector<seed<In, Out>>&)>> makers_of_seeds_;
  std::vector<detail::erased<void(spec&, std::uint16_t, sink&)>> makers_of_mutants_;
  std::vector<detail::erased<bool(spec&, const In&, const pool&, const case_index*)>> filters_;
  std::vector<runner> runners_, operation_runners_;
  std::vector<detail::erased<verdict(spec&, const pool&, std::uint16_t, case_index)>> checks_;
  std::vector<detail::erased<double(const test_case&, const pool_view&)>> case_metric_calls_;
  std::vector<detail::erased<bool(const test_case&, const pool_view&)>> case_filter_calls_;
  std::vector<detail::erased<double(const pool_view&)>> set_metric_calls_;
  std::vector<detail::erased<std::vector<case_index>(const pool_view&)>> set_filter_calls_;
  std::vector<detail::erased<analysis(const pool_view&)>> analyser_calls_;
  detail::erased<double(const In&, const In&)> distance_;
  detail::erased<bool(const Out&, const Out&)> same_class_;
  detail::erased<bool(const In&)> valid_;
  detail::partition_predicates<In> predicates_;
  std::vector<detail::erased<bool(const In&)>> accepted_;  // by seed maker

  std::vector<In> inputs_;  // the distinct ones
  std::vector<std::uint64_t> input_ids_;
  id_table input_table_;
  std::vector<std::vector<outcome<Out>>> outcomes_;  // by executer and operation, then by input
  std::vector<Out> labels_;
  std::vector<samples> samples_;  // of the mutant and each origin
};

template <typename In, typename Out, std::size_t K>
template <typename F>
datamorphism<In, Out, K> datamorphism<In, Out, K>::filter(F accepts) const {
  spec_->filters_[index_] = [accepts](spec<In, Out>& self, const In& made, const pool& cases,
                                      const case_index* sources) -> bool {
    if constexpr (std::is_invocable_r_v<bool, F&, const In&>) {
      (void)self, (void)cases, (void)sources;
      return accepts(made);
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_assert(std::is_invocable_r_v<bool, F&, const In&, detail::always<const In&, I>...>,
                      "morph: the filter of a datamorphism takes the mutant's input, or that and the inputs of its "
                      "origins, and gives bool");
        return accepts(made, self.inputs_[cases.input(sources[I])]...);
      }
      (std::make_index_sequence<K>{});
    }
  };
  return *this;
}
template <typename In, typename Out, std::size_t K>
datamorphism<In, Out, K> datamorphism<In, Out, K>::symmetric() const {
  static_assert(K > 1, "morph: only a datamorphism of several arguments can be symmetric");
  spec_->datamorphisms_[index_].symmetric = true;
  return *this;
}
template <typename In, typename Out, std::size_t K>
datamorphism<In, Out, K> datamorphism<In, Out, K>::runs(operation_handle operation) const {
  spec_->datamorphisms_[index_].operation = operation.index;
  return *this;
}

namespace detail {

template <typename In, typename Out, void (*Define)(spec<In, Out>&)>
std::unique_ptr<spec_base> make_spec(const char* name) {
  auto made = std::make_unique<spec<In, Out>>(name);
  Define(*made);
  return made;
}

bool add_spec(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line);

}  // namespace detail
}  // namespace morph

/// Declares a spec and adds it to those of the program. `NAME` is an identifier; types with commas need an alias.
#define MORPH_SPEC(NAME, IN, OUT, s)                                                                              \
  static void morph_spec_##NAME(morph::spec<IN, OUT>&);                                                           \
  [[maybe_unused]] static const bool morph_spec_added_##NAME =                                                    \
      morph::detail::add_spec(#NAME, &morph::detail::make_spec<IN, OUT, &morph_spec_##NAME>, __FILE__, __LINE__); \
  static void morph_spec_##NAME([[maybe_unused]] morph::spec<IN, OUT>& s)
