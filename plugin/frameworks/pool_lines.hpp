// Saved pools of specs as texts: what their lines say of cases, without knowing the types (plugin/spec/pool_file.hpp
// has the format).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/git/repository.hpp"

namespace morph::frameworks {

struct pool_line {
  std::string id;                 // empty: written by hand, without one
  std::string by;                 // what made it
  std::vector<std::string> from;  // ids
  std::string input;              // as JSON
  std::string text;               // the whole line
  std::string bare;               // without what runs and relations said
  using by_executer = std::set<std::pair<std::string, std::string>>;
  by_executer said{};      // executer and relation, of those that applied
  by_executer violated{};  // those that did not hold
};

struct pool_text {
  std::string head;  // the line; empty if there is none
  std::string spec;  // that the head names
  std::vector<pool_line> lines;
};

/// An error names the line: `2: it is no JSON object`.
result<pool_text> read_pool_text(std::string_view text);

/// A line as `show --json` prints it, as pools have it.
std::string without_metrics(const std::string& line);

/// The ids of the cases of `now` whose lines, or those of what they were made of, differ between two texts of a pool.
/// Nothing if lines do not tell: the head differs, a line has no id, two have the same, a text is no pool.
std::optional<std::set<std::string>> changed_cases(std::string_view before, std::string_view now);

}  // namespace morph::frameworks
