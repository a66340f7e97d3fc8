// Runs single tests of the ordinary build, once each.
#include "plugin/mutating/ordinary_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/system/process.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::mutating {
namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

struct declared_program {
  const build::suite* suite = nullptr;
  const build::test_program* program = nullptr;
};

declared_program find(const build::build_tree& tree, const std::string& suite, const std::string& target) {
  const build::suite* const in = tree.find_suite(suite);
  if (in == nullptr) return {};
  const auto program = std::ranges::find(in->programs, target, &build::test_program::target);
  return program == in->programs.end() ? declared_program{} : declared_program{in, &*program};
}

}  // namespace

void ordinary_build::look() {
  if (has_looked_) return;
  has_looked_ = true;
  const auto built = build::read_built_code(tree_, {});
  is_up_to_date_ = built.has_value();
  if (!is_up_to_date_) return;
  for (const frameworks::run_outcome& each : workspace::last_runs(tree_))
    if (!each.suspect && each.at > built->newest / nanoseconds) known_[each.name] = !each.failed;
}

std::string ordinary_build::name_of(const build::suite& suite, const build::test_program& program,
                                    const std::string& test) {
  const auto [names, is_new] = names_.try_emplace(program.executable.string());
  if (is_new)
    for (const frameworks::listed_case& each : frameworks::list_program(tree_, suite, program).cases)
      names->second[each.case_name] = each.name;
  // A plain program is its only test, whatever either calls it.
  if (suite.framework == "none" && names->second.size() == 1) return names->second.begin()->second;
  const auto name = names->second.find(test);
  return name == names->second.end() ? std::string() : name->second;
}

std::optional<bool> ordinary_build::run(const build::suite& suite, const build::test_program& program,
                                        const std::string& test, const std::string& name) const {
  if (frameworks::find_framework(suite.framework) == nullptr) {
    const mutation::mutant_program how = mutant_program_of(suite, program);
    system::command what{{how.executable}, how.directory, how.environment};
    what.arguments.insert(what.arguments.end(), how.arguments.begin(), how.arguments.end());
    what.timeout = std::chrono::milliseconds(
        static_cast<std::int64_t>(1000 * suite.timeout.value_or(frameworks::default_timeout)));
    const system::process_end end = system::run(what);
    if (end.how == system::process_end::kind::interrupted) return std::nullopt;
    return end.succeeded() ||
           (end.how == system::process_end::kind::exited && std::to_string(end.code) == how.skip_status);
  }
  frameworks::batch alone = frameworks::make_batch(tree_, suite, suite.name + ".mutation");
  alone.programs.push_back({program.executable, {{test, name}}});
  const auto ran = frameworks::run_batch(
      alone, [](std::string_view) {}, [](const frameworks::case_result&) {});
  if (ran.interrupted || ran.cases.size() != 1 || ran.cases.front().how == frameworks::case_result::verdict::not_run)
    return std::nullopt;
  return !ran.cases.front().is_bad();
}

std::optional<bool> ordinary_build::passes(const std::string& suite, const std::string& target,
                                           const std::string& test) {
  look();
  const declared_program of = find(tree_, suite, target);
  if (!is_up_to_date_ || of.program == nullptr) return std::nullopt;
  const std::string name = name_of(*of.suite, *of.program, test);
  if (name.empty()) return std::nullopt;
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  return run(*of.suite, *of.program, test, name);
}

bool ordinary_build::has_failed(const std::string& suite, const std::string& target, const std::string& test) {
  look();
  // Most runs know of no failure: then no program is asked for its tests.
  if (std::ranges::all_of(known_, [](const auto& each) { return each.second; })) return false;
  const declared_program of = find(tree_, suite, target);
  if (of.program == nullptr) return false;
  const auto known = known_.find(name_of(*of.suite, *of.program, test));
  return known != known_.end() && !known->second;
}

std::string compare_with_build(ordinary_build& ordinary, const build::suite& suite, const build::test_program& program,
                               mutation::baseline_test& test, system::observer& told) {
  if (!test.fails) {
    if (!test.usable || !ordinary.has_failed(suite.name, program.target, test.name)) return {};
    told.warn(fmt::format("'{}' passes in the mutation twin, and has failed in the last run of the ordinary build",
                          test.name));
    return "fails";
  }
  const auto passes = ordinary.passes(suite.name, program.target, test.name);
  if (!passes) return {};
  test.why_not += *passes ? ", in the mutation twin alone" : ", as in the ordinary build";
  if (!*passes) return {};
  told.warn(fmt::format(
      "'{}' passes in the ordinary build and fails in the mutation twin, without any mutant: it judges none. To see "
      "why, run `{}`",
      test.name, command_of(suite, program, test.name)));
  return "passes";
}

std::string command_of(const build::suite& suite, const build::test_program& program, const std::string& test) {
  std::vector<std::string> words{program.executable.string()};
  if (const auto* framework = frameworks::find_framework(suite.framework)) {
    const auto chosen = framework->choose(std::array{test});
    words.insert(words.end(), chosen.begin(), chosen.end());
  }
  words.insert(words.end(), suite.extra_args.begin(), suite.extra_args.end());
  for (std::string& word : words)
    if (word.find_first_of(" '\"*?$\\;&|<>()") != std::string::npos && word.find('\'') == std::string::npos)
      word = '\'' + word + '\'';
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace morph::mutating
