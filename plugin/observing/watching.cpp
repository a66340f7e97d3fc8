// Each test runs without mutants first; what is not the same every time is left out. Then mutant after mutant.
#include "plugin/observing/watching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "coverage/mutation/server_group.hpp"
#include "coverage/observation/record.hpp"
#include "plugin/observing/call_paths.hpp"

namespace morph::observing {
namespace {

using mutation::server_question;
using observation::observed_mutant;

constexpr std::size_t most_given = 8;
constexpr std::uint64_t longest_us = 600'000'000;
constexpr std::uint64_t mutant_factor = 50;
constexpr std::uint64_t mutant_base_us = 2'000'000;

/// Fresh memory holds another byte in each run.
std::uint32_t fill_of(unsigned run) {
  constexpr std::array<std::uint32_t, 6> first{0x5a, 0xa5, 0x01, 0xff, 0x80, 0x7f};
  return run < first.size() ? first[run] : 1 + (run * 37) % 255;
}

bool passes(const morph_mutants::answer& said) {
  return (said.how == morph_mutants::ending::passed && said.skipped == 0) ||
         (said.how == morph_mutants::ending::exited && said.detail == 0);
}

/// `name` of "a::name(int)", "a::name<int>(int)[abi:cxx11] const".
std::string_view last_name(std::string_view function) {
  function = function.substr(0, function.find('('));
  if (const auto tag = function.find("[abi:"); tag != std::string_view::npos) function = function.substr(0, tag);
  int depth = 0;
  std::size_t begin = function.size(), end = function.size();
  while (begin > 0) {
    const char c = function[begin - 1];
    if (c == '>') ++depth;
    if (depth == 0 && (c == ':' || c == ' ')) break;
    --begin;
    if (c == '<' && depth > 0 && --depth == 0) end = begin;
  }
  return function.substr(begin, end - begin);
}

/// A function that was inlined has no frame of its own.
void end_with(std::vector<std::string>& path, const std::string& function) {
  if (path.empty() || last_name(path.back()) != last_name(function)) path.push_back(function);
}

/// One test, and where its mutants are.
struct watched_test {
  std::uint32_t test = 0;  // of the baseline
  std::vector<std::size_t> mutants{};
  std::vector<std::size_t> unaffecting{};  // mutants that change nothing in it
  observation::stable_state original{};
  std::size_t at = 0;  // in `mutants`
  std::optional<observation::stable_state> mutated{};
  std::uint64_t cpu_us = 0;  // the most without mutants
};

class watch_run {
 public:
  watch_run(const watched_program& program, const std::vector<watched_mutant>& mutants, const woven_twin& twin,
            const request& asked, system::observer& told, std::vector<watched_result>& results)
      : program_(program),
        mutants_(mutants),
        twin_(twin),
        asked_(asked),
        told_(told),
        results_(results),
        paths_(program.what.executable) {}

  result<void> run(unsigned jobs) {
    std::map<std::uint32_t, watched_test> by_test;
    for (std::size_t m = 0; m < mutants_.size(); ++m) {
      for (const std::uint32_t test : mutants_[m].tests) by_test[test].mutants.push_back(m);
      for (const std::uint32_t test : mutants_[m].unaffected) by_test[test].unaffecting.push_back(m);
    }
    for (auto& [test, watched] : by_test) {
      watched.test = test;
      tests_.push_back(std::move(watched));
    }
    if (tests_.empty()) return {};
    told_.begin(tests_.size(), "tests");
    auto group =
        mutation::server_group::start(program_.what, std::min<unsigned>(jobs, static_cast<unsigned>(tests_.size())));
    if (!group) return tl::unexpected(group.error());
    numbers_ = mutation::numbers_in(group->first().tests(), *program_.baseline);
    for (watched_test& each : tests_)
      if (!numbers_[each.test]) leave_out(each, "the observed program does not have it");
    std::erase_if(tests_, [&](const watched_test& each) { return !numbers_[each.test]; });
    std::size_t next = 0;
    const auto ran = group->run(
        [&](std::size_t) -> std::optional<server_question> {
          if (next == tests_.size()) return std::nullopt;
          return without_mutant(next++);
        },
        [&](std::size_t, std::size_t about, const mutation::mutant_answer& answer) { return take(about, answer); });
    told_.end();
    return ran;
  }

 private:
  std::string name_of(const watched_test& test) const { return program_.names[test.test]; }

  server_question question(std::size_t about, unsigned run) const {
    server_question q;
    q.what.tests = 1;
    q.what.observes = 1;
    q.what.point = morph_mutants::all_points;
    q.what.fill = fill_of(run);
    q.what.wall_limit_us = longest_us;
    q.turns.push_back({*numbers_[tests_[about].test], UINT32_MAX, longest_us});
    q.about = about;
    return q;
  }

  /// One run says how it calls functions; more of them, what is the same each time.
  unsigned original_runs(const watched_test& of) const { return of.mutants.empty() ? 1U : std::max(1U, asked_.runs); }

  server_question without_mutant(std::size_t about) const {
    return question(about, static_cast<unsigned>(tests_[about].original.runs()));
  }

  std::optional<server_question> with_mutant(std::size_t about) {
    watched_test& test = tests_[about];
    if (test.at == test.mutants.size()) {
      test.original = {};
      told_.step("observing");
      return std::nullopt;
    }
    const watched_mutant& mutant = mutants_[test.mutants[test.at]];
    if (!test.mutated) test.mutated.emplace();
    server_question q = question(about, static_cast<unsigned>(test.mutated->runs()));
    q.what.point = mutant.point;
    if (!asked_.is_null) {
      q.what.node = mutant.what->node;
      q.what.function = mutant.what->function_node;
      q.what.alternative = mutant.what->number + 1;
    } else {
      // The rewritten copy of the function runs, with no alternative of it.
      q.what.node = q.what.function = mutant.what->function_node;
      q.what.alternative = UINT32_MAX;
    }
    q.turns.front().cpu_limit_us = mutant_base_us + mutant_factor * test.cpu_us;
    q.what.wall_limit_us = 60'000'000 + 10 * q.turns.front().cpu_limit_us;
    return q;
  }

  std::optional<server_question> take(std::size_t about, const mutation::mutant_answer& answer) {
    return tests_[about].original.runs() < original_runs(tests_[about]) ? take_original(about, answer)
                                                                        : take_mutated(about, answer);
  }

  /// Nothing if the answer has no record that can be read.
  std::optional<observation::test_record> record_of(const mutation::mutant_answer& answer) {
    auto record = observation::read_record(answer.record, names_);
    if (record) paths_.name(*record);
    return record;
  }

  std::optional<server_question> take_original(std::size_t about, const mutation::mutant_answer& answer) {
    watched_test& test = tests_[about];
    auto record = passes(answer.said) ? record_of(answer) : std::nullopt;
    if (!record || !record->is_whole) {
      leave_out(test, passes(answer.said) ? "its record cannot be read" : "it does not pass while it is observed");
      return std::nullopt;
    }
    test.cpu_us = std::max(test.cpu_us, answer.said.cpu_us);
    if (test.original.runs() == 0) note_calls(test, *record);
    test.original.add(*record);
    if (test.original.runs() < original_runs(test)) return without_mutant(about);
    note_unstable(test);
    return with_mutant(about);
  }

  void note_unstable(const watched_test& test) {
    for (const std::size_t m : test.mutants)
      for (const std::uint32_t name : test.original.unstable_names(mutants_[m].point))
        note_not_read(results_[m].seen, fmt::format("test '{}': {}, which is not the same in each run", name_of(test),
                                                    names_.of(name).text));
  }

  void leave_out(watched_test& test, const std::string& why) {
    for (const auto* mutants : {&test.mutants, &test.unaffecting})
      for (const std::size_t m : *mutants)
        results_[m].seen.not_read.push_back(fmt::format("test '{}': {}", name_of(test), why));
    test.original = {};
    told_.step("observing");
  }

  void note_calls(const watched_test& test, const observation::test_record& record) {
    std::map<std::uint32_t, std::uint32_t> depths;  // by point
    for (const observation::seen_event& event : record.events) {
      if (event.point >= twin_.points.size() || twin_.points[event.point].what.kind != observation::point_kind::call)
        continue;
      if (record.paths[event.path].empty()) continue;
      std::vector<std::string> path = record.paths[event.path];
      end_with(path, twin_.points[event.point].what.text);
      const auto depth = static_cast<std::uint32_t>(path.size() - 1);
      const auto [known, is_new] = depths.try_emplace(event.point, depth);
      if (!is_new) known->second = std::min(known->second, depth);
    }
    std::vector<std::size_t> calling = test.mutants;
    calling.insert(calling.end(), test.unaffecting.begin(), test.unaffecting.end());
    for (const std::size_t m : calling) {
      watched_result& to = results_[m];
      const std::uint32_t point = mutants_[m].point;
      const auto calls = record.counts.find(point);
      const auto depth = depths.find(point);
      to.seen.tests.push_back({name_of(test), point == 0 || calls == record.counts.end() ? 0 : calls->second,
                               depth == depths.end() ? 0 : depth->second});
      std::map<std::uint32_t, std::uint64_t> read;  // by name: calls
      for (const observation::seen_event& event : record.events) {
        if (event.point != point) continue;
        for (const observation::seen_value& each : event.given) {
          given_values& to_values = to.given[names_.of(each.name).text];
          ++read[each.name];
          if (to_values.known.size() < most_given)
            to_values.known.insert(each.text);
          else
            to_values.has_others = to_values.has_others || !to_values.known.contains(each.text);
        }
      }
      for (const auto& [name, number] : read)
        if (calls != record.counts.end() && number < calls->second) to.given[names_.of(name).text].has_others = true;
      for (const auto& [which, why] : record.not_read)
        if (which.first == point) note_not_read(to.seen, fmt::format("{}: {}", which.second, why));
      if (calls != record.counts.end() && calls->second > morph_mutants::most_observed)
        note_not_read(to.seen, fmt::format("test '{}': calls behind the first {} of {}", name_of(test),
                                           morph_mutants::most_observed, calls->second));
      if (record.in_other_threads != 0)
        note_not_read(to.seen, fmt::format("test '{}': what {} calls and evaluations in other threads saw",
                                           name_of(test), record.in_other_threads));
    }
  }

  static void note_not_read(observed_mutant& to, const std::string& what) {
    constexpr std::size_t most = 16;
    if (to.not_read.size() < most && std::ranges::find(to.not_read, what) == to.not_read.end())
      to.not_read.push_back(what);
  }

  std::optional<server_question> take_mutated(std::size_t about, const mutation::mutant_answer& answer) {
    watched_test& test = tests_[about];
    const std::size_t m = test.mutants[test.at];
    const auto next = [&] {
      ++test.at;
      test.mutated.reset();
      return with_mutant(about);
    };
    const auto record = record_of(answer);
    if (!record || !record->is_whole || !passes(answer.said)) {
      note_not_read(results_[m].seen,
                    fmt::format("test '{}' does not pass with it while it is observed", name_of(test)));
      return next();
    }
    test.mutated->add(*record);
    const auto seen = observation::differences(test.original, *test.mutated,
                                               [&](std::uint32_t point) { return considers(mutants_[m], point); });
    // What differs nowhere in one run does not differ; what differs may do so by chance.
    if (!seen.empty() && test.mutated->runs() < asked_.runs) return with_mutant(about);
    for (const observation::state_difference& each : seen) add(results_[m].seen, test, each);
    return next();
  }

  bool considers(const watched_mutant& mutant, std::uint32_t point) const {
    if (point >= twin_.points.size()) return false;
    const bool is_call = twin_.points[point].what.kind == observation::point_kind::call;
    if (asked_.only && (*asked_.only == observation::level::call) != is_call) return false;
    return !is_call || point == mutant.point;
  }

  observation::source_place place_of(std::uint32_t point) const {
    if (point == 0 || point >= twin_.points.size()) return {};
    const numbered_point& at = twin_.points[point];
    return {at.file, at.what.line, at.what.column};
  }

  void add(observed_mutant& to, const watched_test& test, const observation::state_difference& seen) const {
    const numbered_point& point = twin_.points[seen.key.point];
    const bool is_call = point.what.kind == observation::point_kind::call;
    observation::difference made;
    made.where = is_call ? observation::level::call : observation::level::test;
    made.test = name_of(test);
    made.place = place_of(seen.key.point);
    made.expression = point.what.text;
    made.type = point.what.type;
    if (seen.key.number == 0) {
      made.property = "invocations";
    } else {
      const auto& name = names_.of(seen.key.name);
      made.property = name.text;
      made.is_private = name.is_private;
    }
    made.original = seen.original;
    made.mutated = seen.mutated;
    made.invocation =
        seen.key.number == 0 || seen.key.number == observation::observed_key::others ? 0 : seen.key.number - 1;
    made.instruction = place_of(seen.instruction);
    made.call_path = seen.path;
    if (is_call && !made.call_path.empty()) {
      end_with(made.call_path, point.what.text);
      made.call_path.front() = made.test;
    }
    to.differences.push_back(std::move(made));
  }

  const watched_program& program_;
  const std::vector<watched_mutant>& mutants_;
  const woven_twin& twin_;
  const request& asked_;
  system::observer& told_;
  std::vector<watched_result>& results_;
  call_paths paths_;
  observation::property_names names_;
  std::vector<watched_test> tests_;
  std::vector<std::optional<std::uint32_t>> numbers_;  // in the observed program
};

}  // namespace

result<void> watch(const watched_program& program, const std::vector<watched_mutant>& mutants, const woven_twin& twin,
                   const request& asked, unsigned jobs, system::observer& told, std::vector<watched_result>& results) {
  return watch_run(program, mutants, twin, asked, told, results).run(jobs);
}

}  // namespace morph::observing
