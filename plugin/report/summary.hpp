// A coverage report as a table for a person and as JSON for a script.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plugin/report/coverage.hpp"
#include "plugin/report/pair_tally.hpp"

namespace morph::report {

/// Where a report comes from, and what it cannot tell.
struct origin {
  std::string commit;                     // that was measured
  std::optional<std::uint32_t> distance;  // commits between it and HEAD; none: of another branch
  bool complete = true;
  std::vector<std::string> changed;        // files that differ from what was measured, by path
  std::vector<std::string> in_no_program;  // source files that no measured program was compiled from, by path
};

/// "baseline 1a2b3c4, 1 commit back"
std::string base_text(const std::string& commit, std::optional<std::uint32_t> distance);

/// What the report lacks, a sentence each: every form of a report says it.
std::vector<std::string> notes_on(const coverage& c, const origin& from);

/// The members that every JSON report has: schema, base, notes.
nlohmann::json json_head(const char* schema, const coverage& c, const origin& from);
nlohmann::json as_json(const reported_test& test);
std::string dump(const nlohmann::json& root);

/// Of pairs that are neither covered nor uncovered: ", 2 not mapped, 1 changed since the measurement".
std::string others_as_text(const pair_tally& of);

/// Lines, branches and functions of each folder and file, and a line with the coupled branches, if it has some.
std::string summary_as_text(const coverage& c, const origin& from, const coupled_figure& coupled);

/// Schema morph.coverage/1. A line is [number, set], a branch [line, number, set], a set of tests is a list of indices
/// into "tests".
std::string coverage_as_json(const coverage& c, const origin& from, const coupled_figure& coupled);

}  // namespace morph::report
