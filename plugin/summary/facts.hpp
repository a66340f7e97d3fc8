// What a summary says: rows that its forms print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/explain/explanation.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/report/answers.hpp"
#include "plugin/summary/violations.hpp"

namespace morph::summary {

/// Selected tests by the first of their reasons.
struct reason_group {
  std::string reason{};  // a name of the closed list
  std::size_t tests = 0;
  std::vector<std::string> details{};  // what changed, that of the most tests first
};

struct planned_tests {
  std::string state{}, base{};  // "affected", "baseline 1a2b3c4, 1 commit back"
  planning::plan_sums sums{};
  std::vector<reason_group> groups{};  // the largest first
  std::vector<std::string> notes{};
};

/// Lines that follow each other.
struct unrun_lines {
  std::string path{};
  git::line_range lines{};
  std::string text{};  // of the first one
};

struct covered_changes {
  report::diff_totals totals{};
  std::vector<unrun_lines> not_run{};
};

struct survivor {
  explain::explained_change change{};
  std::string advice{};  // of the last `morph explain`; may be empty
};

/// Of functions that changed.
struct judged_changes {
  report::mutation_tally mutants{};
  std::vector<survivor> survivors{};      // best first; not bodies of pseudo-tested functions
  std::vector<survivor> pseudo_tested{};  // one replaced body of each
  std::vector<std::string> outdated{};    // files that changed after `morph mutate`
};

/// What is not known, and the commands that find it out.
struct gap {
  std::string what{};
  std::vector<std::string> commands{};
};

struct facts {
  std::string since{};  // a revision; empty without a repository, and in one whose branch has left no other
  planned_tests planned{};
  std::size_t ran = 0;                        // tests, on the present content
  std::vector<std::string> failed{};          // of these
  std::vector<violated_relation> violated{};  // in their output
  std::optional<covered_changes> covered{};
  std::optional<judged_changes> judged{};
  std::vector<std::string> flaky{};  // those that failed now come first
  std::vector<gap> gaps{};
};

}  // namespace morph::summary
