// What `morph mutate` found, and as a result that reports are made of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/mutating/equivalence.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::mutating {

struct reported_mutant {
  std::size_t file = 0;
  std::uint32_t place = 0;
  std::uint32_t alternative = 0;
  mutation::mutant_verdict verdict{};
  equivalence code{};  // same_as: a place in the report's mutants
};

struct reported_test {
  std::string suite;
  std::string program;  // "suite/target"
  std::string name;
  std::string why_left_out;
  std::string in_build{};  // what it does in the ordinary build, if that is something else
};

struct mutation_report {
  mutated_sources sources;
  std::vector<reported_mutant> mutants;
  std::map<std::string, std::uint32_t> compile_time_only;  // of the sources', in files that are chosen
  std::vector<reported_test> tests;                        // verdicts name them by their numbers
  std::vector<std::string> not_run;
  report::run_record run{};
  bool is_whole = true;            // else a program could not judge
  bool has_all_killers = false;    // else a mutant has the first one that was found
  std::size_t sample_of = 0;       // the mutants are drawn from so many; 0: they are all
  std::vector<std::string> scope;  // options that chose the mutants; empty: they are all
  std::size_t rejected_by_compiler = 0;
  double seconds = 0;
  // CPU seconds, of this process and all that it started
  double cpu_prepare = 0;
  double cpu_sources = 0;
  double cpu_build = 0;
  double cpu_baseline = 0;
  double cpu_judge = 0;
  double cpu_compare = 0;
};

/// As reports have it. `at`: seconds since 1970.
report::mutation_result result_of(const mutation_report& report, std::int64_t at);

/// The sources that a run has rewritten, for `request::only`: with them the twin is as that run has left it. None,
/// which is all, if one has a sign of globs in its name.
std::vector<std::string> only_files_of(const report::mutation_result& of);

/// Where the last one of a build tree is kept.
std::filesystem::path mutation_result_path(const build::build_tree& tree);
result<report::mutation_result> last_result(const build::build_tree& tree);

}  // namespace morph::mutating
