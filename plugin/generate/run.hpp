// `morph generate`: a search for the tests of a unit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/generate/compare.hpp"
#include "plugin/generate/emit.hpp"
#include "plugin/generate/mutant_tests.hpp"
#include "plugin/generate/search.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/generate/user_values.hpp"
#include "plugin/generate/verify.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct request {
  std::string unit{};
  std::optional<class_pair> pair{};  // else the unit
  double budget = 60;                // seconds of search
  std::uint64_t most_sequences = 0;  // 0: as many as the budget allows
  std::uint64_t seed = 1;
  search_options::algorithm by = search_options::algorithm::dyna_mosa;
  bool with_tests = true;                   // of the project, as a source of inputs
  bool resumes = false;                     // begins with what the last run of the unit found
  bool without_mutants = false;             // that choose assertions, and tests
  std::vector<mutant_text> killing{};       // tests for these mutants, and for nothing else
  std::set<std::string> leading{};          // of killing: functions that lead to them, "ns::C::m"; half of the calls
  std::set<std::filesystem::path> taken{};  // files that other new tests will be in
  std::vector<std::string> compared{};      // of a pair: these searches, and no tests; `budget` is CPU time of each
};

/// A crash, a hang, an end of the program: the shortest sequence that shows it.
struct reported_finding {
  std::string what{};  // "killed by signal 11 (Segmentation fault)"
  std::string callable{}, file{};
  std::uint32_t line = 0;
  std::string test{};    // C++
  std::string misuse{};  // why it is likely no fault; empty: it likely is one
};

/// Coupled branches, and the test that takes both; none: an empty name.
struct reported_pair {
  goal caller{}, callee{};
  std::string test{};
};

struct report {
  std::string unit{}, framework{};
  std::optional<class_pair> pair{};
  std::vector<reported_pair> pairs{};
  std::uint64_t unseen_pairs = 0;  // a branch of theirs cannot report
  std::vector<goal> goals{};
  std::vector<bool> reached{};  // one a goal
  std::uint64_t unseen = 0;     // conditions that cannot report
  std::size_t callables = 0, callable_now = 0;
  std::vector<refusal> refused{}, refused_of_unit{};
  std::string why_nothing{};  // no goal is reached
  std::vector<search_row> rows{};
  std::uint64_t sequences = 0, crashed = 0, threw = 0, hung = 0, ended = 0, refused_calls = 0, without_value = 0;
  double cpu_build = 0, cpu_search = 0;
  std::vector<test_case> tests{};
  std::vector<reported_finding> findings{};
  std::string source{};  // all tests
  proposal proposed{};
  verification verified{};
  recipe_counts inputs{};
  user_value_counts given{};
  std::size_t resumed = 0;  // sequences of the last run
  mutation_summary mutation{};
  std::vector<std::string> killers{};    // of each mutant of `killing` a test; empty: none
  std::optional<comparison> compared{};  // and nothing else
  bool is_interrupted = false;           // what was found until then is reported
  std::uint64_t unstable = 0;            // observations that differ from run to run
};

contract::outcome<report> run(const build::build_tree& tree, const request& asked, system::observer& told);

/// All pairs of classes that could be asked for, the best first: as text, or as JSON.
result<std::string> listed_pairs(const build::build_tree& tree, bool as_json, system::observer& told);

/// How many pairs `--pairs auto` takes.
inline constexpr std::size_t most_pairs = 5;

struct pairs_report {
  std::vector<report> reports{};
  std::vector<std::string> failed{};  // pairs that no tests can be searched for, with the reason
};

/// The best pairs of classes of the project, one after the other; the budget is split among them.
result<pairs_report> run_pairs(const build::build_tree& tree, const request& asked, system::observer& told);

std::size_t likely_faults(const report& of);
std::string as_text(const report& of);
std::string as_json(const report& of);
std::size_t likely_faults(const pairs_report& of);
std::string as_text(const pairs_report& of);
std::string as_json(const pairs_report& of);
proposal proposed(const pairs_report& of);

}  // namespace morph::generate
