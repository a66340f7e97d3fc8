// Classes of elements that all tests of a program have.
#include "plugin/measuring/common_functions.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace morph::measuring {

probe::symbols functions_of_every_test(const store::evidence& base, const build::build_tree& tree,
                                       const std::string& path) {
  constexpr std::size_t fewest = 8;
  if (!store::is_probed(base)) return {};
  std::set<std::pair<std::string, std::string>> programs;  // suite, target
  for (const build::suite& suite : tree.suites)
    for (const build::test_program& program : suite.programs)
      if (program.executable == tree.binary_dir / path) programs.insert({suite.name, program.target});
  std::vector<bool> is_of_program(base.tests.size());
  for (std::size_t t = 0; t < base.tests.size(); ++t) {
    const store::measured_program& of = base.programs[base.tests[t].program];
    is_of_program[t] = base.tests[t].measured && !base.tests[t].is_startup() &&
                       (programs.empty() || programs.contains({of.suite, of.target}));
  }
  const auto tests = static_cast<std::size_t>(std::ranges::count(is_of_program, true));
  probe::symbols found;
  for (const store::element_class& c : base.classes) {
    if (tests < fewest || c.tests.size() < tests) continue;
    const auto own = std::ranges::count_if(c.tests, [&](std::uint32_t test) { return is_of_program[test]; });
    if (static_cast<std::size_t>(own) != tests) continue;
    for (const store::element x : c.elements)
      if (store::kind_of(x) == optimizer::requirement_kind::function)
        if (const std::string& symbol = base.functions[store::number_of(x)].symbol; !store::is_block(symbol))
          found.emplace(probe::function_of(symbol));
  }
  return found;
}

}  // namespace morph::measuring
