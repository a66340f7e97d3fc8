// Where the lines of an old text stand in a new one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/git/repository.hpp"

namespace morph::git {

/// Lines first..last, from 1.
struct line_range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool operator==(const line_range&) const = default;
};

/// By the hunks of a diff without context, in their order.
class line_map {
 public:
  explicit line_map(std::vector<hunk> hunks) : hunks_(std::move(hunks)) {}

  /// Nothing for a line that changed or went. Cost: the hunks before it.
  std::optional<std::uint32_t> now(std::uint32_t old_line) const;

  /// The lines of the new text that the old one did not have, ascending.
  std::vector<line_range> new_lines() const;

 private:
  std::vector<hunk> hunks_;
};

}  // namespace morph::git
