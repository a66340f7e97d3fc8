// The rows of `morph doctor` and what each check makes of the facts it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace morph::doctor {

enum class row_state { fine, note, problem };

struct check_row {
  row_state how = row_state::fine;
  std::string what;    // one or two words
  std::string detail;  // what was found
  std::string advice;  // what to do; empty unless something is to be done
};

// ---- judging

/// `compiler` as CMake names it: "GNU 12.2.0"; `counters` as build_tree::counters.
check_row judge_compiler(const std::string& compiler, const std::string& counters);
/// `gcov_version`: what `gcov --version` printed; `libgcov`: what the compiler answered to -print-file-name.
check_row judge_gcov(const std::string& compiler, const std::string& gcov, const std::string& gcov_version,
                     const std::string& libgcov, const std::string& counters);
/// `library`: what Clang answered to -print-file-name of its profiling library.
check_row judge_clang_library(const std::string& compiler, const std::string& library);
/// `version_text`: what llvm-cov prints of itself, empty if it does not run. Where it reads the counters.
check_row judge_llvm_cov(const std::string& compiler, const std::string& llvm_cov, const std::string& version_text);
check_row judge_version(const std::string& what, const std::string& found, const std::string& expected);
/// `solver`: the library that proves that sets of tests are minimal; empty if there is none.
check_row judge_solver(std::string_view solver);
check_row judge_space(std::uintmax_t free, std::uintmax_t needed);
/// Seconds of compiling one after the other and of running; nothing = not known.
check_row judge_time(std::optional<double> compiling, std::optional<double> running, unsigned processors,
                     bool twin_is_current);

// ---- printing

bool has_problem(const std::vector<check_row>& rows);
std::string rows_as_text(const std::vector<check_row>& rows);
/// Schema morph.doctor/2.
std::string rows_as_json(const std::vector<check_row>& rows);

}  // namespace morph::doctor
