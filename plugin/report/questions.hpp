// What people ask a coverage report for, in terms of its model: lines by name, changes as lines.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plugin/git/line_map.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/report/answers.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/work_tree.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/result.hpp"

namespace morph::report {

struct named_line {
  std::string path;
  std::uint32_t line = 0;
};
/// "src/area.cpp:12"
result<named_line> parse_line(const std::string& text);

/// A line that the file has; the file as seen from where we are, else from the top of the repository.
result<named_line> find_line(const git::repository& repo, const std::string& text);

/// The lines that changes have made, in files that the report tells of or could tell of.
std::vector<changed_lines> lines_of_changes(const coverage& c, const selection::file_kinds& kinds,
                                            const std::function<bool(const std::string&)>& wanted,
                                            std::span<const git::file_change> changes, work_tree_text& texts);

}  // namespace morph::report
