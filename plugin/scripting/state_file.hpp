// The file of `morph spec state`: pools, messages, scripts and the seed.
//
//   {"bytes":812,"kind":"pool","path":".morph/pools/cases.jsonl"}      a head of JSON, then so many bytes and a newline
//
// for each of them, between a first line with schema and seed and a last one with a digest of all before it: a file
// that was cut off or changed is told from a whole one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::scripting {

struct state_entry {
  std::string kind;  // pool, messages, script
  std::string path;  // from the top of the project on
  std::string content;
  bool operator==(const state_entry&) const = default;
};

struct saved_state {
  std::optional<std::uint64_t> seed;
  std::vector<state_entry> entries;
  bool operator==(const saved_state&) const = default;
};

std::string state_text(const saved_state& of);

/// An error says what is wrong and where; nothing of the file is to be trusted then.
tl::expected<saved_state, std::string> read_state(std::string_view text);

/// What is wrong with an entry: no place of its kind, or no content of it. Empty if nothing is.
std::string problem_of(const state_entry& entry);

}  // namespace morph::scripting
