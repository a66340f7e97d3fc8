// Answers to single questions: what one test runs, who runs one line, which changed lines nobody runs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plugin/git/line_map.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/summary.hpp"

namespace morph::report {

// ---- one test

/// The lines and functions of these tests; JSON: schema morph.test-coverage/1.
std::string tests_as_text(const coverage& c, const origin& from, std::span<const std::uint32_t> tests);
std::string tests_as_json(const coverage& c, const origin& from, std::span<const std::uint32_t> tests);

// ---- one line

enum class line_state { run, not_run, not_executable, unknown, no_counters, in_no_program };

struct line_answer {
  std::string path;
  std::uint32_t line = 0;
  line_state state = line_state::in_no_program;
  std::vector<std::uint32_t> tests;
  struct outcome {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> tests;
  };
  std::vector<outcome> branches{};
  std::vector<outcome> conditions{};
};
line_answer ask_line(const coverage& c, const std::string& path, std::uint32_t line);

/// JSON: schema morph.line-coverage/1.
std::string line_as_text(const coverage& c, const origin& from, const line_answer& answer);
std::string line_as_json(const coverage& c, const origin& from, const line_answer& answer);

// ---- changed lines

/// Of ascending lines.
std::vector<git::line_range> ranges_of(const std::vector<std::uint32_t>& lines);

/// Lines of a file that a revision did not have, as they stand now. `whole`: what changed in it cannot be told by
/// lines.
struct changed_lines {
  std::string path;
  std::vector<git::line_range> lines;
  bool whole = false;
};

struct diff_file {
  std::string path;
  std::vector<std::uint32_t> run, not_run;  // changed lines that can run
  struct branching {
    std::uint32_t line = 0;
    tally taken;
  };
  std::vector<branching> branches{};   // of those that are run
  std::vector<std::uint32_t> unknown;  // changed since the measurement
  std::string all_unknown;             // why nothing is known of the file; else empty
};

struct diff_totals {
  std::size_t run = 0, not_run = 0, unknown = 0;  // lines
  tally branches;                                 // of lines that are run
  std::size_t unknown_files = 0;

  /// Not every changed line is known to be run. A branch that nobody takes is told and no finding.
  bool has_findings() const { return not_run + unknown + unknown_files > 0; }
};

struct diff_coverage {
  std::string revision;          // as it was asked for
  std::string commit;            // that it names
  std::vector<diff_file> files;  // with a changed line that can run, or of which nothing is known; by path
  diff_totals totals() const;
};

/// `is_blank` says of a changed line that it cannot be code, whatever was measured.
diff_coverage make_diff(const coverage& c, std::span<const changed_lines> changed,
                        const std::function<bool(const std::string& path, std::uint32_t line)>& is_blank);

/// `text_at` gives the text of a line. JSON: schema morph.diff-coverage/1.
std::string diff_as_text(const coverage& c, const origin& from, const diff_coverage& diff,
                         const std::function<std::string(const std::string& path, std::uint32_t line)>& text_at);
std::string diff_as_json(const coverage& c, const origin& from, const diff_coverage& diff);

}  // namespace morph::report
