// As many seeds as MORPH_SPEC_CASES says, which is a pool that nobody would read.
#include <cstdlib>
#include <morph/morph.hpp>
#include <vector>

#include "rules.hpp"

MORPH_SPEC(rules, unsigned, int, s) {
  s.execute(rules_for);
  s.seeds("many", [] {
    const char* const cases = std::getenv("MORPH_SPEC_CASES");
    std::vector<unsigned> made;
    for (unsigned i = 0; i < (cases == nullptr ? 100u : unsigned(std::atoi(cases))); ++i)
      made.push_back(i * 2654435761u);
    return made;
  });
  s.relation("no rule is broken twice", morph::all_cases, [](auto& c) { return c.output >= 0 && c.output <= 64; });
}
