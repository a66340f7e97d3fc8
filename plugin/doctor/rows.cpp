// Judging and printing.
#include "plugin/doctor/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "coverage/gcov/compilers.h"
#include "plugin/build/compiler_version.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/setup/estimate.hpp"

namespace morph::doctor {
namespace {

const char* name_of(row_state how) {
  switch (how) {
    case row_state::fine:
      return "fine";
    case row_state::note:
      return "note";
    case row_state::problem:
      return "problem";
  }
  return "";
}

}  // namespace

check_row judge_compiler(const std::string& compiler, const std::string& counters) {
  if (counters == "memory") return {row_state::fine, "compiler", compiler + ", can be measured", ""};
  if (counters == "probes" || counters == "blocks")
    return {row_state::fine, "compiler", compiler + "; probes record which functions tests enter, whatever it is", ""};
  if (counters == "off")
    return {row_state::note, "compiler", "MORPH_EVIDENCE is off: nothing is recorded, and every test runs",
            "configure with -DMORPH_EVIDENCE=probes"};
  if (counters == "files")
    return {
        row_state::note, "compiler",
        fmt::format("the counters of {} are read by its own gcov: measuring is slower, and a change outside of "
                    "functions selects every test of a program",
                    compiler),
        "Morph itself reads those of GCC " MORPH_TEXT(MORPH_OLDEST_GCC) " to " MORPH_TEXT(
            MORPH_NEWEST_GCC) " and of Clang " MORPH_TEXT(MORPH_OLDEST_CLANG) " to " MORPH_TEXT(MORPH_NEWEST_CLANG)};
  return {row_state::problem, "compiler",
          fmt::format("{} cannot be measured in this version: everything runs", compiler),
          "configure a build tree with GCC " MORPH_TEXT(MORPH_OLDEST_GCC_WITH_FILES) " or later, or with Clang "
          MORPH_TEXT(MORPH_OLDEST_CLANG_WITH_FILES) " or later (-DCMAKE_CXX_COMPILER=g++-12), for "
          "measuring and selecting"};
}

check_row judge_gcov(const std::string& compiler, const std::string& gcov, const std::string& gcov_version,
                     const std::string& libgcov, const std::string& counters) {
  if (!libgcov.starts_with('/'))
    return {row_state::problem, "gcov", "the compiler has no libgcov.a: nothing can be linked with counters",
            "install the whole compiler package"};
  const row_state if_missing = counters == "files" ? row_state::problem : row_state::note;
  const char* const advice = counters == "files" ? "install the whole compiler package: measuring needs it"
                             : gcov_version.empty()
                                 ? "only reports of other tools need it: Morph reads the compiler's files itself"
                                 : "reports of other tools need the compiler's own version";
  if (gcov_version.empty()) return {if_missing, "gcov", fmt::format("libgcov is there; no program '{}'", gcov), advice};
  const int found = build::gcov_major(gcov_version);
  if (found != build::major_version(compiler))
    return {if_missing, "gcov", fmt::format("libgcov is there; '{}' is of version {}", gcov, found), advice};
  return {row_state::fine, "gcov", fmt::format("{}, the compiler's version", gcov), ""};
}

check_row judge_clang_library(const std::string& compiler, const std::string& library) {
  if (library.starts_with('/')) return {row_state::fine, "profiling", "Clang's profiling library is there", ""};
  return {row_state::problem, "profiling",
          "the compiler has no libclang_rt.profile: nothing can be linked with --coverage",
          fmt::format("install the compiler's run-time libraries (Debian: libclang-rt-{}-dev)",
                      build::major_version(compiler))};
}

check_row judge_llvm_cov(const std::string& compiler, const std::string& llvm_cov, const std::string& version_text) {
  const int found = build::llvm_cov_major(version_text);
  if (found == build::major_version(compiler))
    return {row_state::fine, "gcov", llvm_cov + ", the compiler's version", ""};
  return {row_state::problem, "gcov",
          version_text.empty() ? fmt::format("no program '{}'", llvm_cov)
                               : fmt::format("'{}' is of version {}", llvm_cov, found),
          fmt::format("install the compiler's tools (Debian: llvm-{}): measuring needs them",
                      build::major_version(compiler))};
}

check_row judge_version(const std::string& what, const std::string& found, const std::string& expected) {
  if (found == expected) return {row_state::fine, what, found, ""};
  return {row_state::problem, what, fmt::format("{}, but the build tree was configured for morph {}", found, expected),
          "configure the build tree again; set MORPH_EXECUTABLE, or PATH and CMAKE_PREFIX_PATH, to one installation"};
}

check_row judge_solver(std::string_view solver) {
  if (!solver.empty()) return {row_state::fine, "solver", fmt::format("{}, for `morph optimize`", solver), ""};
  return {row_state::note, "solver", "no CBC: `morph optimize` gives bounds, and proves only what they prove",
          "install CBC (Debian: coinor-libcbc-dev) before Morph is built"};
}

check_row judge_space(std::uintmax_t free, std::uintmax_t needed) {
  check_row row{row_state::fine, "disk", fmt::format("{} free", setup::bytes_text(free)), ""};
  row.detail +=
      needed == 0 ? ", measuring needs no more" : fmt::format(", measuring needs about {}", setup::bytes_text(needed));
  if (free < needed) {
    row.how = row_state::problem;
    row.advice = "make room, or put the build tree on another disk";
  }
  return row;
}

check_row judge_time(std::optional<double> compiling, std::optional<double> running, unsigned processors,
                     bool twin_is_current) {
  check_row row{row_state::fine, "time", "", ""};
  if (twin_is_current)
    row.detail = "the twin needs no compiling";
  else if (compiling)
    row.detail =
        fmt::format("compiling the twin takes about {}{}", setup::seconds_text(*compiling / std::max(1U, processors)),
                    processors > 1 ? fmt::format(" on {} processors", processors) : "");
  else
    row.detail = "how long compiling takes is not known (it is with Ninja, once the build tree was built)";
  row.detail += running ? fmt::format("; running every test about {}", setup::seconds_text(*running))
                        : "; how long the tests run is not known yet";
  return row;
}

bool has_problem(const std::vector<check_row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.how == row_state::problem; });
}

std::string rows_as_text(const std::vector<check_row>& rows) {
  std::size_t width = 0;
  for (const check_row& row : rows) width = std::max(width, row.what.size());
  std::string text;
  for (const check_row& row : rows) {
    text += fmt::format("{:<7}  {:<{}}  {}", name_of(row.how), row.what, width, row.detail);
    if (!row.advice.empty()) text += "; " + row.advice;
    text += '\n';
  }
  return text;
}

std::string rows_as_json(const std::vector<check_row>& rows) {
  using nlohmann::json;
  json list = json::array();
  for (const check_row& row : rows)
    list.push_back({{"verdict", name_of(row.how)},
                    {"check", row.what},
                    {"detail", row.detail},
                    {"advice", row.advice.empty() ? json(nullptr) : json(row.advice)}});
  return json{{"schema", contract::doctor_schema}, {"checks", list}}.dump(1, ' ', false,
                                                                          json::error_handler_t::replace) +
         "\n";
}

}  // namespace morph::doctor
