// Looks for units that are linked beside archives, which others are linked of, too.
#include "plugin/changes/loading_tests.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace morph::changes {

std::optional<std::vector<std::uint32_t>> tests_that_load(const store::evidence& facts,
                                                          const store::measured_link& link,
                                                          const std::vector<std::uint32_t>& programs) {
  if (!store::is_probed(facts)) return std::nullopt;
  std::set<std::string_view> own;
  for (const store::linked_object& o : link.objects)
    if (o.member.empty()) own.insert(o.path);
  std::set<store::element> units;
  for (std::uint32_t u = 0; u < facts.units.size(); ++u)
    if (own.contains(facts.units[u].object)) units.insert(store::make_element(optimizer::requirement_kind::unit, 0, u));
  if (units.empty()) return std::nullopt;
  std::vector<bool> loads(facts.tests.size(), false), of_program(facts.programs.size(), false);
  for (const std::uint32_t program : programs) of_program[program] = true;
  for (const store::element_class& c : facts.classes)
    if (std::any_of(c.elements.begin(), c.elements.end(), [&](store::element x) { return units.contains(x); }))
      for (const std::uint32_t test : c.tests) {
        loads[test] = true;
        if (facts.tests[test].is_startup()) of_program[facts.tests[test].program] = true;
      }
  std::vector<std::uint32_t> found;
  for (std::uint32_t test = 0; test < loads.size(); ++test)
    if (loads[test] || of_program[facts.tests[test].program]) found.push_back(test);
  return found;
}

}  // namespace morph::changes
