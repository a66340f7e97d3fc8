// The steps of a search, one after the other.
#include "plugin/generate/run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/generate/assertions.hpp"
#include "plugin/generate/findings.hpp"
#include "plugin/generate/inputs.hpp"
#include "plugin/generate/killing.hpp"
#include "plugin/generate/minimize.hpp"
#include "plugin/generate/mutant_tests.hpp"
#include "plugin/generate/offered.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/generate/test_names.hpp"
#include "plugin/generate/user_values.hpp"
#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/descriptor.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

// Compiling takes longer than that.
constexpr std::size_t most_idle_of_killers = 5000;
constexpr double times_of_killers = 2;
constexpr std::uint64_t runs_of_killers = 10;

class generation {
 public:
  generation(const build::build_tree& tree, const request& asked, system::observer& told)
      : tree_(tree), asked_(asked), told_(told), random_(asked.seed) {}

  contract::outcome<report> all() {
    const double begun = system::cpu_seconds();
    if (auto locked = lock(); !locked) return contract::not_done(contract::environment, locked.error());
    auto subject = asked_.pair ? find_subject(tree_, *asked_.pair, asked_.with_tests, told_)
                               : find_subject(tree_, asked_.unit, asked_.with_tests, told_);
    if (!subject) return tl::unexpected(subject.error());
    subject_ = std::move(*subject);
    if (!asked_.killing.empty()) subject_.leading = asked_.leading;
    if (auto narrowed = narrow(subject_, asked_.killing, tree_.source_dir); !narrowed)
      return contract::not_done(contract::environment, narrowed.error());
    return tests_of_subject(begun).map_error([](const std::string& why) {
      return contract::failure{contract::environment, why, {}};
    });
  }

 private:
  result<report> tests_of_subject(double begun) {
    auto built = build_program(tree_, subject_, told_);
    if (!built) return tl::unexpected(built.error());
    program_ = std::move(*built);
    if (!asked_.killing.empty())
      kind_ = free_kind(folder_of_new_tests(tree_, program_), named_unit(), "survivors", asked_.taken);
    made_.cpu_build = system::cpu_seconds() - begun;
    auto offered = offer_calls(subject_, program_.dropped, literals_);
    if (!offered) return tl::unexpected(offered.error());
    api_ = std::move(offered->calls);
    made_.refused = std::move(offered->refused);
    for (const literal& each : constants_of(asked_.killing, tree_.source_dir)) literals_.offer_named("", each);
    made_.callables = offered->callables;
    made_.callable_now = offered->callable_now;
    auto served = served_program::start(program_.executable, program_.folder);
    if (!served) return tl::unexpected(served.error());
    const pair_distances pairs(subject_.goals);
    const evaluator evaluate = [&](const std::vector<sequence>& all) {
      auto outcomes = served->run(all, literals_, morph_run_leaves_out);
      if (outcomes)
        for (outcome& each : *outcomes) pairs.add(each);
      return outcomes;
    };
    // What only leads to the unit is no reason to keep a test.
    const auto is_reason = [&](const auto& each) { return is_kept_for(each.first); };
    const evaluator alone = [&](const std::vector<sequence>& all) {
      auto outcomes = served->run(all, literals_, morph_run_alone);
      if (outcomes)
        for (outcome& each : *outcomes) {
          pairs.add(each);
          std::erase_if(each.goals, std::not_fn(is_reason));
        }
      return outcomes;
    };
    const auto given = offer_values(subject_.offered, api_, literals_, *served, random_);
    if (!given) return tl::unexpected(given.error());
    made_.given = *given;
    auto inputs = read_inputs(tree_, subject_, api_, literals_,
                              {.resumes = asked_.resumes, .most_sequences = asked_.most_sequences}, told_);
    made_.inputs = std::move(inputs.counts);
    made_.resumed = inputs.resumed;
    if (!asked_.compared.empty()) return compared(inputs.known);
    auto found = look(evaluate, inputs.known);
    if (!found) return tl::unexpected(found.error());
    note_reached(*found);
    if (auto kept = keep_sequences(tree_, subject_.unit, *found, api_, literals_); !kept)
      return tl::unexpected(kept.error());
    std::erase_if(found->archive, std::not_fn(is_reason));
    made_.cpu_search = served->cpu_seconds();
    told_.status("making the tests shorter");
    auto kept = minimized(*found, api_, literals_, alone);
    if (!kept) return tl::unexpected(kept.error());
    if (auto done = make_tests(*kept, *found, *served); !done) return tl::unexpected(done.error());
    auto verified = verify(
        tree_, program_, made_.tests, [&](const auto& tests) { return source_of(tests); }, told_);
    if (!verified) return tl::unexpected(verified.error());
    made_.verified = std::move(*verified);
    if (!asked_.killing.empty()) made_.killers = keep_killers(made_.tests, mutants_, asked_.killing.size());
    count_kills(made_.tests, made_.mutation);
    if (asked_.killing.empty())
      if (auto done = report_findings(*found, {subject_.offered, api_, literals_, *served, alone}); !done)
        return tl::unexpected(done.error());
    finish(*found);
    if (!asked_.killing.empty() && made_.tests.empty()) return std::move(made_);
    auto proposed = propose(tree_, program_, named_unit(), file_name(named_unit(), kind_), made_.source);
    if (!proposed) return tl::unexpected(proposed.error());
    made_.proposed = std::move(*proposed);
    return std::move(made_);
  }

  bool is_kept_for(std::uint32_t objective) const {
    const goal_set& all = subject_.goals;
    return subject_.pair ? objective >= all.goals.size() : all.goals[objective].is_wanted;
  }

  /// Its files have fixed names.
  result<void> lock() {
    const auto folder = tree_.own_dir() / "generate";
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    const std::string file = (folder / "lock").string();
    lock_ = system::descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock_.get() < 0) return tl::unexpected(fmt::format("'{}' cannot be written: {}", file, std::strerror(errno)));
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
      return tl::unexpected(
          fmt::format("another `morph generate` runs in '{}'; wait for it", tree_.binary_dir.string()));
    return {};
  }

  result<search_result> look(const evaluator& evaluate, known_inputs& known) {
    const auto begun = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    told_.begin(
        static_cast<std::size_t>(std::ranges::count_if(
            subject_.goals.objectives, [](const objective& each) { return each.is_wanted && each.is_possible; })),
        subject_.pair ? "branches and pairs of them" : "branches");
    const search_options options{.by = asked_.by, .most_sequences = asked_.most_sequences};
    auto found = search(
        api_, literals_, subject_.goals.objectives, options, evaluate,
        [&](const search_row& row) {
          told_.reach(row.reached, fmt::format("{} sequences", row.sequences));
          return system::interrupted() || (asked_.budget > 0 && seconds() >= asked_.budget);
        },
        random_, optimize::search_goals_by_pagmo, &known);
    told_.end();
    if (system::interrupted()) {
      system::forget_interrupt();
      made_.is_interrupted = true;
      told_.warn("interrupted; what was found so far becomes tests");
    }
    return found;
  }

  result<report> compared(const known_inputs& known) {
    auto done = compare_searches(subject_, program_, api_, literals_, known,
                                 {asked_.compared, asked_.budget, asked_.most_sequences, asked_.seed}, told_);
    if (!done) return tl::unexpected(done.error());
    if (system::interrupted()) {
      system::forget_interrupt();
      made_.is_interrupted = true;
      told_.warn("interrupted; the last search is cut short, and those that would follow are left out");
    }
    made_.unit = subject_.unit;
    report_pairs();
    made_.compared = std::move(*done);
    return std::move(made_);
  }

  result<void> make_tests(std::vector<kept_test>& kept, const search_result& found, served_program& served) {
    // The order of the sources under test.
    std::ranges::stable_sort(kept, {}, [&](const kept_test& each) {
      return shown_goal(*std::ranges::min_element(each.goals, {}, [&](std::uint32_t g) { return shown_goal(g); }));
    });
    std::vector<judged> tests;
    for (kept_test& each : kept) {
      auto seen = observed(each, subject_.offered, api_, literals_, served, made_.unstable);
      if (!seen) return tl::unexpected(seen.error());
      if (*seen && (each.one.did.how != morph_outcome_threw || has_exceptions()))
        tests.push_back({.kept = std::move(each), .seen = std::move(**seen)});
    }
    std::vector<individual> others = found.population;
    for (const auto& [goal, one] : found.archive) others.push_back(one);
    mutation_limits limits = limits_beside(asked_.budget, asked_.most_sequences, tests.size());
    if (!asked_.killing.empty()) {
      limits.most_idle = most_idle_of_killers;
      limits.seconds *= times_of_killers;
      limits.most_runs *= runs_of_killers;
    }
    mutation_outcome done =
        asked_.without_mutants
            ? without_mutants(std::move(tests), "left out, as asked")
            : by_mutants(tree_, subject_, program_, asked_.killing, std::move(tests), others,
                         {subject_.offered, api_, literals_, served, made_.unstable, random_}, limits, told_);
    if (system::interrupted()) {
      system::forget_interrupt();
      made_.is_interrupted = true;
    }
    made_.mutation = std::move(done.summary);
    mutants_ = std::move(done.mutants);
    if (!asked_.killing.empty()) std::erase_if(done.tests, [](const judged& each) { return each.kills.empty(); });
    std::set<std::string> names;
    for (const judged& each : done.tests) made_.tests.push_back(named(each, mutants_, names));
    return {};
  }

  /// Of a pair the callee's, which tells more of its tests apart.
  std::uint32_t shown_goal(std::uint32_t objective) const {
    const std::size_t goals = subject_.goals.goals.size();
    return objective < goals ? objective : subject_.goals.pairs[objective - goals].callee;
  }

  void note_pairs(const kept_test& kept, test_case& test) {
    const goal_set& all = subject_.goals;
    for (const std::uint32_t objective : kept.goals) test_of_pair_[objective - all.goals.size()] = test.name;
    const goal_pair& first = all.pairs[kept.goals.front() - all.goals.size()];
    test.purpose = fmt::format("{}; {}", described(all.goals[first.caller]), described(all.goals[first.callee]));
    if (kept.goals.size() > 1)
      test.purpose += fmt::format("; and {} more pair{}", kept.goals.size() - 1, kept.goals.size() == 2 ? "" : "s");
  }

  void note_reached(const search_result& found) {
    made_.reached.assign(subject_.goals.goals.size(), false);
    for (const auto& [objective, one] : found.archive)
      if (objective < made_.reached.size()) made_.reached[objective] = true;
  }

  void report_pairs() {
    const goal_set& all = subject_.goals;
    made_.pair = subject_.pair;
    made_.unseen_pairs = all.unseen_pairs;
    for (std::size_t p = 0; p < all.pairs.size(); ++p) {
      const std::string& test = test_of_pair_[p];
      const bool is_there = std::ranges::find(made_.tests, test, &test_case::name) != made_.tests.end();
      made_.pairs.push_back({all.goals[all.pairs[p].caller], all.goals[all.pairs[p].callee], is_there ? test : ""});
    }
  }

  test_case named(const judged& of, const std::vector<unit_mutant>& mutants, std::set<std::string>& names) {
    test_case made = with_assertions(of.seen, of.chosen);
    made.kills = of.kills;
    made.kills_anyway = of.anyway;
    const goal* shown = nullptr;
    for (const std::uint32_t objective : of.kept.goals) {
      const goal& reached = subject_.goals.goals[shown_goal(objective)];
      if (shown == nullptr || (shown->condition.empty() && !reached.condition.empty())) shown = &reached;
    }
    const modelled_callable& last = subject_.offered.callables[of.kept.one.calls.back().callable];
    const std::string name = plain_name(last) + (shown != nullptr ? goal_name(*shown) : "");
    // "Case" of the second test and "Case2" of a condition are one name.
    made.name = name;
    for (int number = 2; !names.insert(made.name).second; ++number) made.name = fmt::format("{}{}", name, number);
    if (shown != nullptr) made.purpose = described(*shown);
    if (subject_.pair && !of.kept.goals.empty()) note_pairs(of.kept, made);
    if (!of.only_for.empty()) made.purpose = "kept for mutants: " + described(of.only_for, mutants);
    if (!asked_.killing.empty()) made.purpose = "fails with " + described(of.kills, mutants);
    return made;
  }

  /// Where tests cannot catch, none can expect an exception.
  bool has_exceptions() const {
    return std::ranges::find(program_.as.arguments, "-fno-exceptions") == program_.as.arguments.end();
  }

  /// The headers that declare what the tests call.
  std::vector<std::string> includes(const std::vector<test_case>& tests) const {
    std::set<std::string> used;
    for (const test_case& each : tests)
      for (const call& one : each.calls) {
        const modelled_callable& called = subject_.offered.callables[one.callable];
        used.insert({called.file, called.defined_in});
        if (subject_.instances.contains(called.signature)) used.insert(subject_.usual_header);
        if (const auto& gives = api_.callables[one.callable].gives)
          used.insert(subject_.offered.classes[gives->type].file);
        for (const parameter& p : called.parameters)
          if (p.how == parameter::kind::object || p.how == parameter::kind::pointer || p.how == parameter::kind::made)
            used.insert(subject_.offered.classes[p.class_number].file);
        // What is thrown away is destroyed nevertheless: std::vector<ns::of_a_class>.
        for (const modelled_class& part : subject_.offered.classes)
          if (called.result.type.find(part.name) != std::string::npos) used.insert(part.file);
      }
    for (const modelled_class& thrown : subject_.offered.classes)
      for (const test_case& each : made_.tests)
        if (each.did.exception == thrown.name) used.insert(thrown.file);
    std::vector<std::string> made;
    for (const std::string& each : subject_.headers)
      if (used.contains(each)) made.push_back(include_name(each, program_.as, folder_of_tests()));
    return made;
  }

  std::string source_of(const std::vector<test_case>& tests) const {
    return source_text(tests, subject_.offered, literals_, includes(tests), dialect());
  }

  result<void> report_findings(const search_result& found, const finding_ground& with) {
    auto shortest = shortest_findings(found.findings, with, told_);
    if (!shortest) return tl::unexpected(shortest.error());
    for (const explained_finding& each : *shortest) made_.findings.push_back(reported(each));
    return {};
  }

  reported_finding reported(const explained_finding& of) const {
    const modelled_callable& blamed = subject_.offered.callables[of.shortest.calls[of.shortest.did.call].callable];
    const test_case shown{
        .name = plain_name(blamed), .purpose = {}, .calls = of.shortest.calls, .did = of.shortest.did};
    return {.what = described(of.shortest.did),
            .callable = blamed.signature,
            .file = blamed.file,
            .line = blamed.line,
            .test = test_text(shown, subject_.offered, literals_, dialect()),
            .misuse = of.misuse};
  }

  std::filesystem::path folder_of_tests() const {
    return program_.tests ? program_.tests->source.parent_path()
                          : std::filesystem::path(program_.as.file).parent_path();
  }

  /// What the tests and their file are called after.
  std::string named_unit() const { return subject_.pair ? name_of(*subject_.pair) : subject_.unit; }

  static std::string capitalized(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

  test_dialect dialect() const {
    const std::string unit = named_unit();
    const auto at = unit.rfind("::");
    const bool is_file = unit.find_first_of("/.") != std::string::npos;
    std::string suite;
    for (const char c : is_file                   ? std::filesystem::path(unit).stem().string()
                        : at == std::string::npos ? unit
                                                  : unit.substr(at + 2))
      suite += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return {program_.tests ? program_.tests->framework : "gtest", capitalized(suite) + capitalized(kind_),
            program_.tests ? program_.tests->include : "<gtest/gtest.h>"};
  }

  void finish(const search_result& found) {
    made_.unit = subject_.unit;
    made_.framework = dialect().framework;
    made_.goals = subject_.goals.goals;
    made_.unseen = subject_.goals.unseen;
    if (subject_.pair) report_pairs();
    made_.rows = found.rows;
    made_.sequences = found.sequences;
    made_.crashed = found.crashed;
    made_.threw = found.threw;
    made_.hung = found.hung;
    made_.ended = found.ended;
    made_.refused_calls = found.refused;
    made_.without_value = found.without_value;
    made_.source = source_of(made_.tests);
    if (found.archive.empty())
      made_.why_nothing = "nothing that the headers offer reaches it" + first_refusal(made_.refused, subject_.unit);
    for (const refusal& each : made_.refused)
      if (each.name.find(subject_.unit + "::") != std::string::npos) made_.refused_of_unit.push_back(each);
  }

  const build::build_tree& tree_;
  const request& asked_;
  system::observer& told_;
  optimizer::random_source random_;
  subject subject_;
  call_program program_;
  system::descriptor lock_;
  literal_table literals_;
  api api_;
  std::map<std::size_t, std::string> test_of_pair_;
  std::vector<unit_mutant> mutants_;  // that tests were judged with
  std::string kind_ = "generated";    // of the file of tests
  report made_;
};

}  // namespace

contract::outcome<report> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  return generation(tree, asked, told).all();
}

}  // namespace morph::generate
