// Assertions that tests lack, as changes of their sources.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/explain/edits.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::explain {

/// An assertion that can be added to a test.
struct fix_candidate {
  std::string test{}, file{};
  std::uint32_t line = 0;
  placed_expression where{};
  std::string assertion{};
  std::vector<std::string> mutants{};  // that it saw differ: it would fail with them
};

/// Differences of tests as assertions. `placed`: for each of `asked`, in order. What cannot become an assertion goes to
/// `refused`, with the reason, once for a mutant that nothing else notices.
struct asked_place {
  std::string file{}, expression{};
  std::uint32_t line = 0, column = 0;

  auto operator<=>(const asked_place&) const = default;
};
struct fix_candidates {
  std::vector<fix_candidate> candidates{};
  std::vector<std::string> refused{};
};
std::vector<asked_place> places_asked(const std::vector<explanation>& of);
fix_candidates candidates_for(const std::vector<explanation>& of, const project_functions& functions,
                              const std::vector<asked_place>& asked, const std::vector<placed_expression>& placed,
                              const std::vector<std::string>& frameworks);

/// The fewest that see all mutants that any of them sees; among equal ones the plainest.
std::vector<fix_candidate> fewest(const std::vector<fix_candidate>& all);

struct proposed_fixes {
  std::vector<fix_candidate> fixes{};
  std::vector<std::string> refused{};          // what is suggested only, and why
  std::map<std::string, std::string> texts{};  // of the tests' sources, as they were read
  std::set<std::string> killed{};              // mutants, when the assertions are verified
  std::set<std::string> asserted{};            // mutants whose assertion is there already
};

/// Reads the tests with Clang, which also has to accept each change; nothing is compiled by the project's compiler, and
/// nothing runs.
result<proposed_fixes> make_fixes(const build::build_tree& tree, const explained& of, system::observer& told);

/// The tests' sources with these assertions, in the project's style. An error if one is not as it was read.
result<generate::proposal> files_with(const build::build_tree& tree, const proposed_fixes& fixes);

/// For SARIF: what is inserted where.
std::vector<source_fix> regions_of(const proposed_fixes& fixes);

}  // namespace morph::explain
