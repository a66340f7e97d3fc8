// Test programs of suites as servers of mutants.
#include "plugin/mutating/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plugin/frameworks/framework.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {

mutation::mutant_program mutant_program_of(const build::suite& suite, const build::test_program& program) {
  mutation::mutant_program made;
  made.interrupted = system::interrupted;
  made.also_set = [](const std::string& temporary) { return system::counters_kept_in(temporary + "/gcda"); };
  made.executable = program.executable.string();
  made.arguments = suite.extra_args;
  made.directory = suite.working_directory.string();
  for (const auto& [name, value] : suite.properties)
    if (name == "SKIP_RETURN_CODE") made.skip_status = value;
  const auto* const framework = frameworks::find_framework(suite.framework);
  if (framework != nullptr) {
    for (const std::string& name : framework->variables) made.environment.emplace_back(name, std::nullopt);
    if (!framework->silence.first.empty()) made.environment.push_back(framework->silence);
  }
  for (const std::string& entry : suite.environment) {
    const auto equals = std::min(entry.find('='), entry.size());
    if (framework != nullptr && frameworks::divides_tests(entry.substr(0, equals))) continue;
    made.environment.emplace_back(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
  }
  return made;
}

std::string why_not(const build::suite& suite) {
  if (suite.is_adopted()) return "adopted tests cannot judge mutants yet";
  // The status of a program that runs many tests says nothing of one of them, and nobody reads what programs print.
  const std::string unknown_skip = suite.framework == "none" ? "SKIP_REGULAR_EXPRESSION" : "SKIP_RETURN_CODE";
  for (const auto& [name, value] : suite.properties)
    if (name == "WILL_FAIL" || name == "PASS_REGULAR_EXPRESSION" || name == "FAIL_REGULAR_EXPRESSION" ||
        name == unknown_skip)
      return fmt::format("tests with the property {} cannot judge mutants yet", name);
  return {};
}

judging_programs judging_programs_of(const build::build_tree& twin) {
  judging_programs found;
  for (const build::suite& suite : twin.suites) {
    if (const std::string why = why_not(suite); !why.empty()) {
      found.not_run.push_back(fmt::format("suite '{}': {}", suite.name, why));
      continue;
    }
    for (const build::test_program& program : suite.programs) found.able.push_back({&suite, &program});
  }
  return found;
}

result<void> some_can_judge(const judging_programs& programs) {
  if (!programs.able.empty()) return {};
  if (programs.not_run.empty()) return tl::unexpected(std::string("no suite of this build has a test program"));
  return tl::unexpected(why_nobody_judges(programs.not_run));
}

std::string why_nobody_judges(const std::vector<std::string>& not_run) {
  return fmt::format("no suite can judge mutants: {}", fmt::join(not_run, "; "));
}

}  // namespace morph::mutating
