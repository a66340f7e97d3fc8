// The twin of `morph mutate` has all that is needed: mutants that can be switched on, and servers of tests.
#include "plugin/explain/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/explain/sanitized.hpp"
#include "plugin/mutating/build.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/report/mutant_ids.hpp"
#include "plugin/system/files.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;

constexpr unsigned runs = 5;

/// Sources of the mirror with other texts, until it is destroyed.
class changed_mirror {
 public:
  changed_mirror() = default;
  changed_mirror(const changed_mirror&) = delete;
  changed_mirror& operator=(const changed_mirror&) = delete;
  ~changed_mirror() {
    for (const auto& [path, text] : before_) static_cast<void>(system::write_file_atomically(path, text));
  }

  result<void> write(const fs::path& path, const std::string& text) {
    const auto before = system::read_file(path);
    if (!before) return tl::unexpected(before.error());
    before_.emplace(path, *before);
    return system::write_file_atomically(path, text);
  }

 private:
  std::map<fs::path, std::string> before_;
};

struct verdicts {
  std::map<std::string, std::string> failing;  // by test: why it is no good
  std::set<std::string> passing;
  std::map<std::string, std::set<std::string>> killed;  // by the id of a mutant: tests
};

class verifier {
 public:
  verifier(const build::build_tree& tree, proposed_fixes& fixes, unsigned jobs, system::observer& told)
      : tree_(tree),
        fixes_(fixes),
        jobs_(jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency())),
        told_(told) {}

  result<void> run() {
    if (fixes_.fixes.empty()) return {};
    const auto last = mutating::last_result(tree_);
    if (!last) return tl::unexpected(last.error());
    const auto lock = system::lock_file(tree_.own_dir() / "mutate.lock", system::if_locked::refuse);
    if (!lock) return tl::unexpected(fmt::format("{}; is `morph mutate` at work in this build tree?", lock.error()));
    const auto files = files_with(tree_, fixes_);
    if (!files) return tl::unexpected(files.error());
    mutating::request asked;
    asked.jobs = jobs_;
    for (const auto& [name, summary] : last->operators) asked.operators.push_back(name);
    asked.only = mutating::only_files_of(*last);
    const mutating::setting setting = mutating::setting_of(tree_, asked, told_);
    auto twin = mutating::prepare(setting, report_);
    if (!twin) return tl::unexpected(twin.error());
    if (auto built = mutating::build_mutants(setting, *twin, report_); !built) return built;
    changed_mirror mirror;
    for (const auto& each : files->files)
      if (auto written = mirror.write(setting.at.source / each.path.lexically_relative(tree_.source_dir), each.after);
          !written)
        return written;
    told_.status("building the tests with their new assertions");
    if (auto built = build::build_mutation_twin(tree_, {.jobs = jobs_}); !built) {
      refuse_all(": it does not compile, see " + setting.at.log.string());
      return {};
    }
    verdicts found;
    for (const mutating::judging_program& each : mutating::judging_programs_of(twin->tree).able)
      if (auto done = judge(each, *last, found); !done) return tl::unexpected(done.error());
    if (auto done = sanitize(*files, *last, found); !done) return done;
    keep(found);
    return {};
  }

 private:
  result<void> sanitize(const generate::proposal& files, const report::mutation_result& last, verdicts& found) {
    if (found.passing.empty()) return {};
    told_.status("running tests with their new assertions under AddressSanitizer");
    const auto said = unsanitary(tree_, files, {found.passing.begin(), found.passing.end()}, last);
    if (!said) return tl::unexpected(said.error());
    for (const auto& [test, why] : *said) found.failing[test] = why;
    return {};
  }

  /// By the program's own names, the reports' names of tests with new assertions.
  std::map<std::string, std::string> tests_in(const std::string& program, const report::mutation_result& last) const {
    std::map<std::string, std::string> made;
    for (const report::judging_test& each : last.tests)
      if (each.program == program &&
          std::ranges::find(fixes_.fixes, each.name, &fix_candidate::test) != fixes_.fixes.end())
        made[each.own_name.empty() ? each.name : each.own_name] = each.name;
    return made;
  }

  result<void> judge(const mutating::judging_program& program, const report::mutation_result& last, verdicts& found) {
    const auto tests = tests_in(program.name(), last);
    if (tests.empty()) return {};
    mutation::mutant_program what = mutating::mutant_program_of(*program.suite, *program.program);
    what.temporary = (tree_.own_dir() / "mutation" / "tmp").string();
    mutation::run_limits limits{.jobs = jobs_, .unmutated_runs = runs - 2};
    const auto step = [&] { told_.step("running tests with their new assertions"); };
    told_.begin(0, "tests");
    auto baseline = mutation::run_baseline(what, limits, step);
    mutation::mutant_program filled = what;
    filled.environment.emplace_back("MALLOC_PERTURB_", "165");
    limits.unmutated_runs = 2;
    const auto again = mutation::run_baseline(filled, limits, step);
    if (!baseline || !again) {
      told_.end();
      return tl::unexpected(
          fmt::format("suite '{}': {}", program.suite->name, baseline ? again.error() : baseline.error()));
    }
    for (std::size_t t = 0; t < baseline->tests.size(); ++t) {
      mutation::baseline_test& test = baseline->tests[t];
      const auto own = tests.find(test.name);
      if (own == tests.end()) {
        test.usable = false;  // others judge nothing here
        continue;
      }
      const bool fails_later = t < again->tests.size() && !again->tests[t].usable;
      if (!test.usable || fails_later) {
        found.failing[own->second] = test.usable ? again->tests[t].why_not : test.why_not;
        test.usable = false;
      } else {
        found.passing.insert(own->second);
      }
    }
    const auto ids = mutants_of_fixes();
    auto mutants = judged_mutants(ids, last);
    limits.all_killers = true;
    auto judged = mutation::judge_mutants(what, *baseline, limits, mutants, step);
    told_.end();
    if (!judged) return tl::unexpected(judged.error());
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (const std::uint32_t t : mutants[i].found.killers)
        found.killed[ids[i]].insert(tests.at(baseline->tests[t].name));
    return {};
  }

  std::vector<std::string> mutants_of_fixes() const {
    std::set<std::string> ids;
    for (const fix_candidate& each : fixes_.fixes) ids.insert(each.mutants.begin(), each.mutants.end());
    return {ids.begin(), ids.end()};
  }

  /// By what the sources are rewritten to now.
  std::vector<mutation::judged_mutant> judged_mutants(const std::vector<std::string>& ids,
                                                      const report::mutation_result& last) const {
    std::vector<mutation::judged_mutant> made;
    for (const std::string& each : ids) {
      const auto named = report::mutants_named(last, each);
      if (named.empty()) {
        made.push_back({.is_wanted = false});
        continue;
      }
      const report::mutated_source& file = last.files[named.front().file];
      made.push_back(judged_mutant(file.path, file.mutants[named.front().mutant]));
    }
    return made;
  }

  mutation::judged_mutant judged_mutant(const std::string& path, const report::mutant_result& of) const {
    for (const mutation::mutated_file& file : report_.sources.files) {
      if (file.path != path) continue;
      for (std::uint32_t p = 0; p < file.places.places.size(); ++p) {
        const mutation::place& place = file.places.places[p];
        if (place.begin != of.begin || place.end != of.end) continue;
        for (std::uint32_t a = 0; a < place.alternatives.size(); ++a)
          if (place.alternatives[a].op == of.op && place.alternatives[a].text == of.replacement)
            return {.node = file.node_of(p), .function = file.switch_of(p), .alternative = a + 1};
      }
    }
    return {.is_wanted = false};
  }

  void refuse(const fix_candidate& of, const std::string& why) {
    fixes_.refused.push_back(
        fmt::format("{}: no assertion at {}:{}: {}{}", of.mutants.front(), of.file, of.line, of.assertion, why));
  }

  void refuse_all(const std::string& why) {
    for (const fix_candidate& each : fixes_.fixes) refuse(each, why);
    fixes_.fixes.clear();
  }

  void keep(const verdicts& found) {
    std::vector<fix_candidate> kept;
    for (fix_candidate& each : fixes_.fixes) {
      const auto failing = found.failing.find(each.test);
      const auto kills = [&](const std::string& mutant) {
        const auto by = found.killed.find(mutant);
        return by != found.killed.end() && by->second.contains(each.test);
      };
      if (failing != found.failing.end()) {
        refuse(each, fmt::format(": {} {}", each.test, failing->second));
      } else if (!found.passing.contains(each.test)) {
        refuse(each, fmt::format(" was not run: no program that judges mutants has '{}'", each.test));
      } else if (std::ranges::none_of(each.mutants, kills)) {
        refuse(each, fmt::format(": {} does not fail with the mutant", each.test));
      } else {
        std::ranges::copy_if(each.mutants, std::inserter(fixes_.killed, fixes_.killed.end()), kills);
        kept.push_back(std::move(each));
      }
    }
    fixes_.fixes = std::move(kept);
  }

  const build::build_tree& tree_;
  proposed_fixes& fixes_;
  unsigned jobs_;
  system::observer& told_;
  mutating::mutation_report report_{};  // with the sources as they are rewritten
};

}  // namespace

result<void> verify(const build::build_tree& tree, proposed_fixes& fixes, unsigned jobs, system::observer& told) {
  return verifier(tree, fixes, jobs, told).run();
}

}  // namespace morph::explain
