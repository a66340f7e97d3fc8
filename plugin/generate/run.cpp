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
#include "plugin/generate/inputs.hpp"
#include "plugin/generate/minimize.hpp"
#include "plugin/generate/misuse.hpp"
#include "plugin/generate/mutant_tests.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/generate/source_texts.hpp"
#include "plugin/generate/test_names.hpp"
#include "plugin/generate/user_values.hpp"
#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/source_reader/constants.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/descriptor.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

constexpr std::size_t most_texts_of_sources = 100;

/// A template without an instance is none yet.
std::size_t refused_functions(const model& of) {
  return static_cast<std::size_t>(std::ranges::count_if(
      of.refused, [](const refusal& each) { return each.reason != "template without an instance"; }));
}

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
    return tests_of_subject(begun).map_error([](const std::string& why) {
      return contract::failure{contract::environment, why, {}};
    });
  }

 private:
  result<report> tests_of_subject(double begun) {
    auto built = build_program(tree_, subject_, told_);
    if (!built) return tl::unexpected(built.error());
    program_ = std::move(*built);
    made_.cpu_build = system::cpu_seconds() - begun;
    if (auto settled = settle(program_.dropped); !settled) return tl::unexpected(settled.error());
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
    count_kills(made_.tests, made_.mutation);
    if (auto done = report_findings(*found, *served, alone); !done) return tl::unexpected(done.error());
    finish(*found);
    auto proposed = propose(tree_, program_, named_unit(), made_.source);
    if (!proposed) return tl::unexpected(proposed.error());
    made_.proposed = std::move(*proposed);
    return std::move(made_);
  }

  bool is_kept_for(std::uint32_t objective) const {
    const goal_set& all = subject_.goals;
    return subject_.pair ? objective >= all.goals.size() : all.goals[objective].is_wanted;
  }

  result<void> settle(const std::vector<bool>& dropped) {
    model& offered = subject_.offered;
    made_.refused = offered.refused;
    api_ = api_of(offered, literals_);
    // What the compiler rejects needs an object that nothing makes.
    const auto nowhere = static_cast<std::uint32_t>(api_.bases.size());
    api_.bases.push_back({nowhere});
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      if (!dropped[i]) continue;
      api_.callables[i].slots = {{.from = slot::source::value, .type = nowhere}};
      api_.callables[i].gives.reset();
      if (offered.callables[i].is_implied) continue;
      made_.refused.push_back(
          {offered.callables[i].signature, offered.callables[i].file, "the compiler or the linker rejects a call",
           "a function of the unit's library that calls it, in a header", offered.callables[i].line});
    }
    for (const modelled_callable& each : offered.callables)
      if (is_of_unit(each))
        for (const parameter& p : each.parameters)
          if (p.how == parameter::kind::object || p.how == parameter::kind::pointer)
            taken_by_unit_.insert(p.class_number);
    for (std::size_t i = 0; i < api_.callables.size(); ++i)
      api_.callables[i].is_of_unit = is_of_unit(offered.callables[i]);
    prefer_values(offered, api_);
    const std::vector<bool> reached = api_.settle();
    // Signatures, since a callable with default arguments is there several times.
    std::set<std::string> now, all;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (offered.callables[i].is_implied) continue;
      all.insert(offered.callables[i].signature);
      if (reached[i]) now.insert(offered.callables[i].signature);
    }
    made_.callables = all.size() + refused_functions(offered);
    made_.callable_now = now.size();
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (const modelled_callable& each = offered.callables[i];
          !reached[i] && !dropped[i] && !each.is_implied && !now.contains(each.signature))
        made_.refused.push_back(
            {each.signature, each.file,
             each.why_not.empty() ? "nothing makes its receiver or an argument" : each.why_not,
             each.remedy.empty() ? "a function in a header that returns such an object" : each.remedy, each.line});
    // What others alone can call is reached through them.
    const bool is_offered = std::ranges::any_of(api_.callables, [](const callable& each) { return each.is_of_unit; });
    if (!is_offered)
      for (std::uint32_t i = 0; i < reached.size(); ++i)
        if (reached[i]) api_.of_unit.push_back(i);
    prefer_leading();
    if (api_.of_unit.empty())
      return tl::unexpected(fmt::format("nothing of '{}' can be called{}", subject_.unit, why_not()));
    for (const literal& each : literals_of_conditions()) literals_.offer(each);
    for (const literal& each : texts_of_sources()) literals_.offer(each);
    offer_characters();
    return {};
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

  std::string why_not() const {
    const refusal* shown = nullptr;
    for (const refusal& each : made_.refused)
      if (shown == nullptr ||
          (shown->name.find(subject_.unit) == std::string::npos && each.name.find(subject_.unit) != std::string::npos))
        shown = &each;
    return shown == nullptr ? "" : fmt::format("; {}:{}: {}: {}", shown->file, shown->line, shown->name, shown->reason);
  }

  /// Half of the calls of a caller are of what leads to its callee.
  void prefer_leading() {
    std::vector<std::uint32_t> leading;
    for (const std::uint32_t each : api_.of_unit) {
      const modelled_callable& one = subject_.offered.callables[each];
      const bool makes = one.how == modelled_callable::kind::constructor;
      const auto at = one.class_name.rfind(':');
      const std::string name = makes ? one.class_name.substr(at == std::string::npos ? 0 : at + 1) : one.method;
      if (subject_.leading.contains(one.class_name + "::" + name)) leading.push_back(each);
    }
    if (leading.empty()) return;
    for (std::size_t i = api_.of_unit.size() - leading.size(); i >= leading.size(); i -= leading.size())
      api_.of_unit.insert(api_.of_unit.end(), leading.begin(), leading.end());
  }

  /// Of the class under test, or of a class that has functions in the file.
  bool is_of_unit(const modelled_callable& of) const {
    if (subject_.pair) return subject_.called_classes.contains(of.class_name);
    const std::string& unit = subject_.unit;
    if (of.class_name == unit || of.class_name.starts_with(unit + "::") || of.name.starts_with(unit + "::"))
      return true;
    for (const parameter& each : of.parameters)
      if ((each.how == parameter::kind::object || each.how == parameter::kind::pointer) && !each.is_constant &&
          subject_.offered.classes[each.class_number].name == unit && !of.has_receiver)
        return true;
    if (of.how == modelled_callable::kind::member && !of.parameters.empty() && taken_by_unit_.contains(of.class_number))
      return true;
    for (const tested_function& each : subject_.goals.functions) {
      if (!each.is_wanted) continue;
      if (!each.class_name.empty() && (of.class_name == each.class_name || of.name.starts_with(each.class_name + "::")))
        return true;
      if (each.class_name.empty() && each.name.starts_with(of.name + "(")) return true;
    }
    return false;
  }

  /// Numbers and texts that stand in conditions.
  std::vector<literal> literals_of_conditions() const {
    std::vector<literal> made;
    for (const goal& each : subject_.goals.goals)
      for (const auto& [is, number, text] : source_reader::constants_in(each.condition)) {
        using kind = source_reader::constant::kind;
        if (is != kind::text) made.push_back({.kind = 'i', .number = number});
        if (is != kind::number)
          made.push_back({.kind = 's', .text = is == kind::text ? text : std::string(1, static_cast<char>(number))});
      }
    return made;
  }

  /// Short texts anywhere in the sources under test: what a parser looks for is often in a constant.
  std::vector<literal> texts_of_sources() const {
    std::set<std::string> texts;
    for (const auto& unit : subject_.sources) {
      const auto source = system::read_file(unit.file);
      if (!source) continue;
      for (const std::string& each : short_texts(*source)) texts.insert(each);
    }
    std::vector<literal> made;
    for (const std::string& each : texts)
      if (made.size() < most_texts_of_sources) made.push_back({.kind = 's', .text = each});
    return made;
  }

  void offer_characters() {
    std::set<std::string> files(subject_.headers.begin(), subject_.headers.end());
    for (const auto& unit : subject_.sources) files.insert(unit.file);
    for (const std::string& each : files)
      if (const auto source = system::read_file(each))
        for (const char c : characters_of(*source)) literals_.offer_tokens(std::string(1, c));
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
    const mutation_limits limits = limits_beside(asked_.budget, asked_.most_sequences, tests.size());
    mutation_outcome done =
        asked_.without_mutants
            ? without_mutants(std::move(tests), "left out, as asked")
            : by_mutants(tree_, subject_, program_, std::move(tests), others,
                         {subject_.offered, api_, literals_, served, made_.unstable, random_}, limits, told_);
    if (system::interrupted()) {
      system::forget_interrupt();
      made_.is_interrupted = true;
    }
    made_.mutation = std::move(done.summary);
    std::set<std::string> names;
    for (const judged& each : done.tests) made_.tests.push_back(named(each, done.mutants, names));
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
    return made;
  }

  result<bool> ends_at_last(const sequence& calls, served_program& served) {
    auto outcomes = served.run(std::span(&calls, 1), literals_, morph_run_alone | morph_run_is_patient);
    return outcomes.map([](const std::vector<outcome>& did) { return did.front().how != morph_outcome_hung; });
  }

  result<void> report_findings(const search_result& found, served_program& served, const evaluator& alone) {
    told_.begin(found.findings.size(), "findings");
    for (const finding& each : found.findings) {
      told_.step("making findings shorter");
      auto shortest = minimized_finding(each, alone);
      if (!shortest) return tl::unexpected(shortest.error());
      if (shortest->did.call >= shortest->calls.size()) continue;
      const modelled_callable& blamed = subject_.offered.callables[shortest->calls[shortest->did.call].callable];
      reported_finding made{.what = shortest->did.how == morph_outcome_hung ? "it did not end within 200 ms of CPU time"
                                    : shortest->did.how == morph_outcome_ended
                                        ? fmt::format("it ended the program with exit status {}", shortest->did.code)
                                        : fmt::format("it was killed by signal {} ({})", shortest->did.code,
                                                      ::strsignal(shortest->did.code)),
                            .callable = blamed.signature,
                            .file = blamed.file,
                            .line = blamed.line};
      made.misuse = misuse_in(*shortest, subject_.offered, api_, literals_);
      const bool is_of_unit = api_.callables[shortest->calls[shortest->did.call].callable].is_of_unit;
      if (made.misuse.empty() && !is_of_unit) made.misuse = "the call is not one of the unit's";
      if (made.misuse.empty() && shortest->did.how == morph_outcome_hung) {
        auto ends = ends_at_last(shortest->calls, served);
        if (!ends) return tl::unexpected(ends.error());
        if (*ends) made.misuse = "it only takes long";
      }
      const test_case shown{.name = plain_name(blamed), .purpose = {}, .calls = shortest->calls, .did = shortest->did};
      made.test = test_text(shown, subject_.offered, literals_, dialect());
      made_.findings.push_back(std::move(made));
    }
    told_.end();
    std::stable_partition(made_.findings.begin(), made_.findings.end(),
                          [](const reported_finding& each) { return each.misuse.empty(); });
    return {};
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

  std::filesystem::path folder_of_tests() const {
    return program_.tests ? program_.tests->source.parent_path()
                          : std::filesystem::path(program_.as.file).parent_path();
  }

  /// What the tests and their file are called after.
  std::string named_unit() const { return subject_.pair ? name_of(*subject_.pair) : subject_.unit; }

  test_dialect dialect() const {
    const std::string unit = named_unit();
    const auto at = unit.rfind("::");
    const bool is_file = unit.find('/') != std::string::npos || at == std::string::npos;
    std::string suite;
    for (const char c : is_file ? unit : unit.substr(at + 2))
      suite += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (!suite.empty()) suite[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(suite[0])));
    return {program_.tests ? program_.tests->framework : "gtest", suite + "Generated",
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
    if (found.archive.empty()) made_.why_nothing = "nothing that the headers offer reaches it" + why_not();
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
  std::set<std::uint32_t> taken_by_unit_;  // classes whose fields the calls of the unit read
  report made_;
};

}  // namespace

contract::outcome<report> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  return generation(tree, asked, told).all();
}

}  // namespace morph::generate
