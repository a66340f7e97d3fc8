// Which program mutants a run judges: those of changed functions, a sample, a share of several machines; and how many
// at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coverage/mutation/overlay.hpp"
#include "plugin/build/build_tree.hpp"

namespace morph::mutating {

struct line_run {
  std::uint32_t first;
  std::uint32_t last;
};

/// Lines that the work tree has changed, by path from the root of the project; of a deletion, the line before it and
/// the one behind.
using changed_lines = std::map<std::string, std::vector<line_run>>;

/// Since a revision; without one, since HEAD left the branch that others work on.
result<changed_lines> lines_changed_since(const build::build_tree& tree, const std::string& revision);

/// Whether the function around a place has changed, or the lines of the place if it is in none.
bool is_changed(const mutation::mutated_file& file, const mutation::place& place, const changed_lines& changed);

/// One of `of` parts, from 1.
struct shard {
  std::uint32_t number = 1;
  std::uint32_t of = 1;
};
/// "2/8"
std::optional<shard> parse_shard(const std::string& text);

/// Every mutant is in one shard, by its name alone.
bool is_in(const shard& part, const std::string& mutant);

/// A simple random sample without replacement, the same for the same names: the `count` least digests.
std::vector<std::size_t> draw_sample(const std::vector<std::string>& names, std::size_t count);

/// Tests that ctest does not run beside each other (RUN_SERIAL, RESOURCE_LOCK) judge one mutant at a time, others
/// `jobs`.
unsigned jobs_for(const build::suite& suite, unsigned jobs);

}  // namespace morph::mutating
