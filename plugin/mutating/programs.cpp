// Test programs of suites as servers of mutants.
#include "plugin/mutating/programs.hpp"

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

}  // namespace morph::mutating
