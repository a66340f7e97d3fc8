// `morph generate`: a search for the tests of a unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/emit.hpp"
#include "plugin/generate/mutant_tests.hpp"
#include "plugin/generate/search.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/generate/verify.hpp"
#include "plugin/generate/write.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct request {
  std::string unit{};
  double budget = 60;                // seconds of search
  std::uint64_t most_sequences = 0;  // 0: as many as the budget allows
  std::uint64_t seed = 1;
  search_options::algorithm by = search_options::algorithm::dyna_mosa;
  bool without_mutants = false;  // that choose assertions, and tests
};

/// A crash, a hang, an end of the program: the shortest sequence that shows it.
struct reported_finding {
  std::string what{};  // "killed by signal 11 (Segmentation fault)"
  std::string callable{}, file{};
  std::uint32_t line = 0;
  std::string test{};    // C++
  std::string misuse{};  // why it is likely no fault; empty: it likely is one
};

struct report {
  std::string unit{}, framework{};
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
  mutation_summary mutation{};
  std::uint64_t unstable = 0;  // observations that differ from run to run
};

result<report> run(const build::build_tree& tree, const request& asked, system::observer& told);

std::size_t likely_faults(const report& of);
std::string as_text(const report& of);
std::string as_json(const report& of);

}  // namespace morph::generate
