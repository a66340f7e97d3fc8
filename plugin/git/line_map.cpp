// Following lines through a diff.
#include "plugin/git/line_map.hpp"

namespace morph::git {

std::optional<std::uint32_t> line_map::now(std::uint32_t old_line) const {
  std::uint32_t line = old_line;  // wraps, and comes back
  for (const hunk& h : hunks_) {
    // A hunk without old lines stands behind old_start.
    const std::uint32_t first = h.old_count == 0 ? h.old_start + 1 : h.old_start;
    if (old_line < first) break;
    if (old_line - first < h.old_count) return std::nullopt;
    line += h.new_count - h.old_count;
  }
  return line;
}

std::vector<line_range> line_map::new_lines() const {
  std::vector<line_range> lines;
  for (const hunk& h : hunks_)
    if (h.new_count > 0) lines.push_back({h.new_start, h.new_start + h.new_count - 1});
  return lines;
}

}  // namespace morph::git
