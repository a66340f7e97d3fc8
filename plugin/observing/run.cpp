// Which tests reach the mutants is recorded in the twin as it is; then it is rewritten, and they run again.
#include "plugin/observing/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "coverage/mutation/judge.hpp"
#include "coverage/mutation/temporary_files.hpp"
#include "plugin/build/twin_states.hpp"
#include "plugin/mutating/build.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/observing/chosen.hpp"
#include "plugin/observing/watching.hpp"
#include "plugin/observing/woven.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::observing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_differences = 32, most_operands = 3, most_bytes_of_operand = 80;

struct program_coverage {
  mutating::judging_program judging;
  mutation::mutant_program what;
  mutation::program_baseline baseline;
  unsigned jobs = 1;
};

/// The operators of the last result: others would number the nodes in another way.
std::vector<std::string> operators_of(const report::mutation_result& last) {
  std::vector<std::string> names;
  if (last.run)
    if (const auto facts = last.run->facts.find("operators"); facts != last.run->facts.end())
      for (const auto& [name, digest] : facts->second) names.push_back(name);
  if (names.empty())
    for (const auto& [name, summary] : last.operators) names.push_back(name);
  return names;
}

void say_what_fails(const mutation::program_baseline& of, system::observer& told) {
  constexpr std::size_t most = 5;
  std::size_t failing = 0;
  for (const mutation::baseline_test& test : of.tests) {
    if (test.usable || test.why_not.starts_with("is skipped")) continue;
    if (++failing <= most) told.warn(fmt::format("'{}' is not observed: {}", test.name, test.why_not));
  }
  if (failing > most)
    told.warn(fmt::format("{} are not observed either", system::counted(failing - most, "more test")));
}

result<std::vector<program_coverage>> cover(const mutating::setting& run, const mutating::prepared_twin& twin) {
  std::vector<program_coverage> all;
  for (const mutating::judging_program& each : mutating::judging_programs_of(twin.tree).able) {
    program_coverage made{each, mutating::mutant_program_of(*each.suite, *each.program), {}, 1};
    made.what.temporary = run.temporary_folder().string();
    made.jobs = mutating::jobs_for(*each.suite, run.limits.jobs);
    mutation::run_limits limits = run.limits;
    limits.jobs = made.jobs;
    run.told.begin(0, "tests");
    auto baseline = mutation::run_baseline(made.what, limits, [&] { run.told.step("running tests without mutants"); });
    run.told.end();
    if (!baseline) return tl::unexpected(fmt::format("suite '{}': {}", each.suite->name, baseline.error()));
    made.baseline = std::move(*baseline);
    say_what_fails(made.baseline, run.told);
    all.push_back(std::move(made));
  }
  return all;
}

bool is_reached_at_start(const program_coverage& by, std::uint32_t node) {
  return std::ranges::binary_search(by.baseline.reached_at_start, node);
}

struct reaching_tests {
  std::vector<std::uint32_t> affected{};    // that may notice it
  std::vector<std::uint32_t> unaffected{};  // in which its value never differs from the original's
};

/// `most` of them, and first those that may notice it; of these those that reach the least.
reaching_tests tests_of(const program_coverage& by, const chosen_mutant& mutant, const request& asked,
                        std::size_t& left_out) {
  std::vector<std::tuple<bool, std::size_t, std::uint32_t>> found;
  for (std::uint32_t t = 0; t < by.baseline.tests.size(); ++t) {
    const mutation::baseline_test& test = by.baseline.tests[t];
    if (!test.usable) continue;
    const auto reached = std::ranges::lower_bound(test.reached, mutant.node, {}, &mutation::reached_node::node);
    if (reached == test.reached.end() || reached->node != mutant.node) continue;
    const bool is_unaffected = mutant.is_compared && !asked.is_null && (reached->differ >> mutant.number & 1) == 0;
    found.emplace_back(is_unaffected, test.reached.size(), t);
  }
  std::ranges::sort(found);
  left_out += found.size() - std::min(found.size(), asked.most_tests);
  if (found.size() > asked.most_tests) found.resize(asked.most_tests);
  reaching_tests made;
  for (const auto& [is_unaffected, reached, test] : found)
    (is_unaffected ? made.unaffected : made.affected).push_back(test);
  return made;
}

/// `path:line` of a test as a file of the project; empty if it is none.
std::string file_of(const mutating::setting& run, const std::string& place) {
  if (place.empty()) return {};
  const fs::path named = place.substr(0, place.rfind(':'));
  const std::string path = (named.is_absolute() ? named : run.at.binary / named).lexically_normal().string();
  for (const std::string& root : {run.at.source.string() + "/", run.tree.source_dir.string() + "/"})
    if (path.starts_with(root)) return path.substr(root.size());
  return {};
}

/// As the last result calls it.
std::vector<std::string> names_of(const report::mutation_result& last, const program_coverage& of) {
  std::map<std::string, std::string> known;
  for (const report::judging_test& each : last.tests)
    if (each.program == of.judging.name()) known[each.own_name] = each.name;
  std::vector<std::string> names;
  for (const mutation::baseline_test& each : of.baseline.tests) {
    const auto name = known.find(each.name);
    names.push_back(name == known.end() ? each.name : name->second);
  }
  return names;
}

bool names_word(const std::string& text, const std::string& word) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

/// Numbers by value, other texts as they stand.
std::vector<std::string> sorted(const std::set<std::string>& values) {
  std::vector<std::string> made(values.begin(), values.end());
  const auto number_of = [](const std::string& text) -> std::optional<double> {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return end == text.c_str() || *end != '\0' ? std::nullopt : std::optional(number);
  };
  if (std::ranges::all_of(made, [&](const std::string& each) { return number_of(each).has_value(); }))
    std::ranges::stable_sort(made, {}, [&](const std::string& each) { return *number_of(each); });
  return made;
}

/// "many: 1, 2": of what the text names, as far as people want to read it.
std::vector<std::string> operands_named(const watched_result& of, const std::string& by) {
  constexpr std::string_view given = "given ", field = "this->";
  std::vector<std::string> made;
  for (const auto& [property, values] : of.given) {
    std::string_view name = std::string_view(property).substr(given.size());
    if (name.starts_with(field)) name.remove_prefix(field.size());
    std::string text;
    for (const std::string& each : sorted(values.known)) text += (text.empty() ? "" : ", ") + each;
    if (values.has_others) text += ", others";
    if (text.size() <= most_bytes_of_operand && made.size() < most_operands &&
        names_word(by, std::string(name.substr(0, name.find_first_of(".-[")))))
      made.push_back(fmt::format("{}: {}", name, text));
  }
  return made;
}

/// Of the mutant's original, or else of the lines around it.
std::vector<std::string> operands_of(const watched_result& of, const chosen_mutant& mutant) {
  auto made = operands_named(of, mutant.original);
  return made.empty() ? operands_named(of, mutant.lines) : made;
}

void finish(watched_result& of, const chosen_mutant& mutant) {
  observation::observed_mutant& seen = of.seen;
  seen.id = mutant.id;
  seen.means = observation::symptom_of(seen.differences);
  std::ranges::stable_sort(seen.tests, {},
                           [](const observation::observed_test& each) { return std::tuple(each.depth, each.name); });
  const auto deciding =
      seen.means == observation::symptom::weak_oracle ? observation::level::test : observation::level::call;
  std::ranges::stable_sort(seen.differences, {}, [&](const observation::difference& each) {
    // Which test was ready first is chance.
    return std::tuple(each.where != deciding, each.is_private, each.property == "invocations", each.test);
  });
  if (seen.differences.size() > most_differences) {
    seen.left_out = seen.differences.size() - most_differences;
    seen.differences.resize(most_differences);
  }
  if (seen.means == observation::symptom::no_infection) seen.operands = operands_of(of, mutant);
}

/// In place while this lives.
struct observed_state {
  explicit observed_state(const build::build_tree& tree) : of(tree), put(build::put_observed_twin(tree)) {}
  ~observed_state() { static_cast<void>(build::put_judging_twin(of)); }
  observed_state(const observed_state&) = delete;
  observed_state& operator=(const observed_state&) = delete;
  const build::build_tree& of;
  const result<void> put;
};

result<std::vector<observation::observed_mutant>> run_all(const mutating::setting& run, const request& asked,
                                                          const report::mutation_result& last) {
  mutating::mutation_report report;
  auto twin = mutating::prepare(run, report);
  if (!twin) return tl::unexpected(twin.error());
  if (auto built = mutating::build_mutants(run, *twin, report); !built) return tl::unexpected(built.error());
  const auto mutants = choose(last, report.sources, asked);
  if (!mutants) return tl::unexpected(mutants.error());

  mutation::remove_folder(run.temporary_folder());
  auto programs = cover(run, *twin);
  if (!programs) return tl::unexpected(programs.error());
  std::set<std::string> test_files;
  std::vector<std::vector<reaching_tests>> tests(programs->size());  // by program and mutant
  std::vector<std::size_t> left_out(mutants->size(), 0);
  for (std::size_t p = 0; p < programs->size(); ++p) {
    for (std::size_t m = 0; m < mutants->size(); ++m) {
      const chosen_mutant& mutant = (*mutants)[m];
      const program_coverage& by = (*programs)[p];
      tests[p].push_back(is_reached_at_start(by, mutant.node) ? reaching_tests()
                                                              : tests_of(by, mutant, asked, left_out[m]));
      if (asked.only == observation::level::call) continue;
      for (const std::uint32_t t : tests[p].back().affected)
        if (std::string file = file_of(run, by.baseline.tests[t].place); !file.empty()) test_files.insert(file);
    }
  }

  const observed_state state(run.tree);
  if (!state.put) return tl::unexpected(state.put.error());
  auto woven = weave(run, *twin, report.sources, *mutants, test_files);
  if (!woven) return tl::unexpected(woven.error());
  if (auto built = build_woven(run, *twin, report.sources, *woven); !built) return tl::unexpected(built.error());

  std::vector<watched_result> results(mutants->size());
  for (std::size_t m = 0; m < mutants->size(); ++m)
    if (left_out[m] > 0)
      results[m].seen.not_read.push_back(system::counted(left_out[m], "more test") + " that reach it");
  for (std::size_t p = 0; p < programs->size() && !system::interrupted(); ++p) {
    program_coverage& by = (*programs)[p];
    std::vector<watched_mutant> watched;
    for (std::size_t m = 0; m < mutants->size(); ++m) {
      const chosen_mutant& mutant = (*mutants)[m];
      const mutation::mutated_file& file = report.sources.files[mutant.file];
      std::uint32_t point = 0;
      if (mutant.has_function) {
        const mutation::function_extent& function = file.places.functions[mutant.function];
        if (const auto known = woven->calls.find({file.path, function.end}); known != woven->calls.end())
          point = known->second;
        const auto why = woven->not_read.find({file.path, function.begin});
        if (point == 0 && p == 0)
          results[m].seen.not_read.push_back(
              fmt::format("calls of {}: {}", function.name,
                          why == woven->not_read.end() ? "a compiler rejects its body as a lambda" : why->second));
      }
      if (is_reached_at_start(by, mutant.node))
        results[m].seen.not_read.push_back(fmt::format("'{}': it acts before the first test", by.judging.name()));
      watched.push_back({&mutant, point, std::move(tests[p][m].affected), std::move(tests[p][m].unaffected)});
    }
    if (auto done =
            watch({by.what, &by.baseline, names_of(last, by)}, watched, *woven, asked, by.jobs, run.told, results);
        !done)
      return tl::unexpected(fmt::format("suite '{}': {}", by.judging.suite->name, done.error()));
  }
  mutation::remove_folder(run.temporary_folder());
  if (system::interrupted()) return tl::unexpected(std::string("interrupted"));

  std::vector<observation::observed_mutant> all;
  for (std::size_t m = 0; m < results.size(); ++m) {
    finish(results[m], (*mutants)[m]);
    all.push_back(std::move(results[m].seen));
  }
  return all;
}

}  // namespace

result<std::vector<observation::observed_mutant>> run(const build::build_tree& tree, const request& asked,
                                                      system::observer& told) {
  const auto lock = system::lock_file(tree.own_dir() / "mutate.lock", system::if_locked::refuse);
  if (!lock) return tl::unexpected(fmt::format("{}; is `morph mutate` at work in this build tree?", lock.error()));
  const auto last = mutating::last_result(tree);
  if (!last) return tl::unexpected(last.error());
  mutating::request mutated;
  mutated.jobs = asked.jobs;
  mutated.operators = operators_of(*last);
  mutated.only = mutating::only_files_of(*last);
  return run_all(mutating::setting_of(tree, mutated, told), asked, *last);
}

}  // namespace morph::observing
