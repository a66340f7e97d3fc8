// What `morph mutate` found, and how it is printed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plugin/command/command.hpp"
#include "plugin/command/mutate_run.hpp"
#include "plugin/command/mutate_sources.hpp"

namespace morph::command {

struct reported_mutant {
  std::size_t file = 0;
  std::uint32_t place = 0;
  std::uint32_t alternative = 0;
  mutant_verdict verdict{};
};

struct left_out_test {
  std::string name;
  std::string why;
};

struct mutation_report {
  mutated_sources sources;
  std::vector<reported_mutant> mutants;
  std::size_t tests = 0;
  std::vector<left_out_test> left_out_tests;
  std::vector<std::string> not_run;
  bool is_whole = true;  // else a program could not judge
  std::size_t rejected_by_compiler = 0;
  double seconds = 0;
  // CPU seconds, of this process and all that it started
  double cpu_prepare = 0;
  double cpu_sources = 0;
  double cpu_build = 0;
  double cpu_baseline = 0;
  double cpu_judge = 0;
};

/// Killed, among all mutants and among those that a test reaches; crashes and time-outs are kills.
struct mutation_score {
  std::size_t killed = 0;
  std::size_t covered = 0;
  std::size_t all = 0;
  double of_all = 0;
  double of_covered = 0;
};
mutation_score score_of(const mutation_report& report);

/// Of a function: every extreme transformation of its body survives, some do, none does, or no test reaches it.
enum class tested { not_covered, pseudo_tested, partly_tested, tested };
struct tested_function {
  std::size_t file = 0;
  const mutation::function_extent* function = nullptr;
  tested how = tested::not_covered;
};
std::vector<tested_function> tested_functions(const mutation_report& report);

void print_report(const mutation_report& report, const common_options& common);

}  // namespace morph::command
