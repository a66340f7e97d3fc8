// Goals of a search: the branches and entries of the functions under test, and the sources that report them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "plugin/generate/search.hpp"

namespace morph::generate {

struct goal {
  std::string file{};  // from the root of the project
  std::uint32_t line = 0;
  std::string function{};
  std::string condition{};  // empty: that the function is entered
  std::string outcome{};    // "true", "false", "case 3", "default"
  bool is_possible = true;  // Clang does not rule it out
  bool is_wanted = true;    // of the unit; else of its files
};

/// Text at a byte of a source in place of so many bytes.
struct edit {
  std::uint32_t offset = 0;
  std::uint32_t removed = 0;
  std::int64_t rank =
      0;  // among edits of one byte: what closes comes first, inner before outer; then outer before inner
  std::string text{};
};

/// One function under test, with the goals in it.
struct tested_function {
  std::string name{}, class_name{}, file{};
  std::uint32_t line = 0, end_line = 0;
  std::vector<edit> edits{};
  std::vector<std::uint32_t> goals{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> branches{};  // by site and outcome: the goal
  std::uint32_t body = 0;                                                       // behind its brace
  bool is_wanted = true;                                                        // of the unit
  bool is_dropped = false;  // the compiler rejects what was written into it
};

/// Two goals that one test should reach.
struct goal_pair {
  std::uint32_t caller = 0, callee = 0;

  bool operator==(const goal_pair&) const = default;
};

struct goal_set {
  std::vector<goal> goals{};
  std::vector<goal_pair> pairs{};
  std::uint64_t unseen_pairs = 0;       // a branch of theirs cannot report
  std::vector<objective> objectives{};  // one a goal, then one a pair
  std::vector<tested_function> functions{};
  std::uint64_t unseen = 0;  // conditions that cannot report

  std::set<std::string> files() const;
};

/// `functions`: by file, as `morph-source` writes them for its task "branches". Those with `"wanted": false` are not of
/// the unit.
goal_set goals_of(const std::map<std::string, std::vector<nlohmann::json>>& functions);

/// A source with the edits of its functions, those that are dropped left out. Lines keep their numbers.
std::string rewritten(const std::string& source, const std::string& file, const goal_set& of);

/// Drops the functions around a line. False if there is none that is not dropped.
bool drop_functions_at(goal_set& of, const std::string& file, std::uint32_t line);

}  // namespace morph::generate
