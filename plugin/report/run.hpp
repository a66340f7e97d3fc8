// What `morph report coverage` does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/report/answers.hpp"
#include "plugin/report/pair_tally.hpp"
#include "plugin/report/tracefiles.hpp"
#include "plugin/workspace/baseline.hpp"

namespace morph::report {

enum class coverage_form { text, json, lcov, gcovr };

/// The figure of coupled branches, which stand on a higher floor: of a measurement, and of it where lines stand now.
using coupled_source = std::function<coupled_figure(const git::repository&, const workspace::found_baseline&,
                                                    const coverage&, const std::function<bool(const std::string&)>&)>;

struct coverage_request {
  coverage_form form = coverage_form::text;
  std::vector<std::string> only, without;  // globs of files
  std::string test, line, revision;        // one question at most; none: the whole report
  bool approximate = false;                // what was measured without isolation will do
  coupled_source coupled{};                // asked for whole reports alone

  bool is_tracefile() const { return form == coverage_form::lcov || form == coverage_form::gcovr; }
  bool is_question() const { return !test.empty() || !line.empty() || !revision.empty(); }
};

struct coverage_reply {
  std::function<void(const text_sink&)> write;
  std::vector<std::string> notes;  // which the written form has no place for
  bool has_findings = false;       // a changed line that no test is known to run
};

/// Of the measurement that reports start from, with lines as they stand now. The error says what to do.
result<coverage> measured_coverage(const build::build_tree& tree);

/// Which lines that changed since the revision are run by that measurement. The error says what to do.
result<diff_coverage> coverage_of_changes(const build::build_tree& tree, const std::string& revision);

/// Reads the measurement that plans start from, and nothing runs.
contract::outcome<coverage_reply> run(const build::build_tree& tree, const coverage_request& asked);

}  // namespace morph::report
