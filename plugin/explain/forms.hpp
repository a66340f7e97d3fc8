// Explanations for people and for other programs: text, Markdown, JSON, SARIF.
#pragma once

#include <string>
#include <vector>

#include "plugin/explain/explanation.hpp"

namespace morph::explain {

/// What one run of `morph explain` says.
struct explain_report {
  std::vector<explanation> explanations{};
  std::size_t left_out = 0;          // survivors that were meant, too
  std::vector<std::string> notes{};  // what could not be done, and why
  std::int64_t at = 0;               // seconds since 1970
};

inline constexpr std::size_t most_lines = 12;

/// Of one mutant, at most `most_lines` lines, without their ends.
std::vector<std::string> lines_of(const explanation& of, bool has_colour);

std::string as_text(const explain_report& of, bool has_colour);

/// For a comment on a pull request.
std::string as_markdown(const explain_report& of);

/// Schema morph.explain/1; one line.
std::string as_json(const explain_report& of);

/// A proposed change of a test's source.
struct source_fix {
  struct replacement {
    std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;  // what is replaced
    std::string text{};
  };
  std::vector<std::string> mutants{};  // whose explanations it belongs to
  std::string file{};
  std::vector<replacement> replacements{};
};

/// SARIF 2.1.0, a result for each explanation. `root`: from the top of the repository to the project's sources.
std::string as_sarif(const explain_report& of, const std::vector<source_fix>& fixes, const std::string& root,
                     const std::string& version);

}  // namespace morph::explain
