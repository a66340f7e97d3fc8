#include "plugin/command/ordinary_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "plugin/command/mutate_run.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/batch_runner.hpp"
#include "plugin/project/built_code.hpp"
#include "plugin/project/discovery.hpp"
#include "plugin/project/framework.hpp"
#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

struct declared_program {
  const project::suite* suite = nullptr;
  const project::test_program* program = nullptr;
};

declared_program find(const project::build_tree& tree, const std::string& suite, const std::string& target) {
  const project::suite* const in = tree.find_suite(suite);
  if (in == nullptr) return {};
  const auto program = std::ranges::find(in->programs, target, &project::test_program::target);
  return program == in->programs.end() ? declared_program{} : declared_program{in, &*program};
}

}  // namespace

void ordinary_build::look() {
  if (has_looked_) return;
  has_looked_ = true;
  const auto built = project::read_built_code(tree_, {});
  is_up_to_date_ = built.has_value();
  if (!is_up_to_date_) return;
  for (const project::run_outcome& each : last_runs(tree_))
    if (!each.suspect && each.at > built->newest / nanoseconds) known_[each.name] = !each.failed;
}

std::string ordinary_build::name_of(const project::suite& suite, const project::test_program& program,
                                    const std::string& test) {
  const auto [names, is_new] = names_.try_emplace(program.executable.string());
  if (is_new)
    for (const project::listed_case& each : project::list_program(tree_, suite, program).cases)
      names->second[each.case_name] = each.name;
  // A plain program is its only test, whatever either calls it.
  if (suite.framework == "none" && names->second.size() == 1) return names->second.begin()->second;
  const auto name = names->second.find(test);
  return name == names->second.end() ? std::string() : name->second;
}

std::optional<bool> ordinary_build::run(const project::suite& suite, const project::test_program& program,
                                        const std::string& test, const std::string& name) const {
  if (project::find_framework(suite.framework) == nullptr) {
    const mutant_program how = mutant_program_of(suite, program);
    project::command what{{how.executable}, how.directory, how.environment};
    what.arguments.insert(what.arguments.end(), how.arguments.begin(), how.arguments.end());
    what.timeout =
        std::chrono::milliseconds(static_cast<std::int64_t>(1000 * suite.timeout.value_or(project::default_timeout)));
    const project::process_end end = project::run(what);
    if (end.how == project::process_end::kind::interrupted) return std::nullopt;
    return end.succeeded() ||
           (end.how == project::process_end::kind::exited && std::to_string(end.code) == how.skip_status);
  }
  project::batch alone = project::make_batch(tree_, suite, suite.name + ".mutation");
  alone.programs.push_back({program.executable, {{test, name}}});
  const auto ran = project::run_batch(
      alone, [](std::string_view) {}, [](const project::case_result&) {});
  if (ran.interrupted || ran.cases.size() != 1 || ran.cases.front().how == project::case_result::verdict::not_run)
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

std::string command_of(const project::suite& suite, const project::test_program& program, const std::string& test) {
  std::vector<std::string> words{program.executable.string()};
  if (const auto* framework = project::find_framework(suite.framework)) {
    const auto chosen = framework->choose(std::array{test});
    words.insert(words.end(), chosen.begin(), chosen.end());
  }
  words.insert(words.end(), suite.extra_args.begin(), suite.extra_args.end());
  for (std::string& word : words)
    if (word.find_first_of(" '\"*?$\\;&|<>()") != std::string::npos && word.find('\'') == std::string::npos)
      word = '\'' + word + '\'';
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace morph::command
