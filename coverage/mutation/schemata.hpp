// A source that holds all of its program mutants at once: the text that is compiled in place of the original.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/mutation/place.hpp"

namespace morph::mutation {

/// Alternatives that are left out: by place and number.
struct alternative_id {
  std::uint32_t place = 0;
  std::uint32_t number = 0;

  auto operator<=>(const alternative_id&) const = default;
};

/// Where an alternative, or all that stands in place of a place, lies in the rewritten text; or its original there.
struct emitted_span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t place = 0;
  std::optional<std::uint32_t> alternative{};
  bool is_original = false;
};

/// Of a place as many can be compared with the original while nodes are recorded: those whose number is below, if they
/// are pure.
inline constexpr std::uint32_t compared_alternatives = 31;
bool is_compared(const place& of, std::uint32_t number);

/// From byte `offset` on lines count from `line`.
struct line_restart {
  std::uint32_t offset = 0;
  std::uint32_t line = 0;
};

/// Bytes of the original, where they stand in the rewritten text.
struct copied_run {
  std::uint32_t begin = 0;
  std::uint32_t from = 0;
  std::uint32_t size = 0;
};

struct rewritten_source {
  std::string text;
  std::vector<emitted_span> spans;  // as they begin; outer ones first
  std::vector<line_restart> restarts;
  std::vector<copied_run> copies{};  // ascending
};

/// A function with a place of mutants in its body that are not all dropped stands twice there: as it was, with one test
/// for all of its mutants, and rewritten. Which one has this place, as its number in `file`; nothing if it stands once.
std::optional<std::uint32_t> doubled_function(const file_places& file, const place& of,
                                              std::span<const alternative_id> dropped = {});

/// Rewrites `source` so that each alternative can be switched on at run time; see plugin/runtime/morph_mutants.h for
/// the macros. Place i is node `first_node` + i, its alternative k number k + 1; the nodes of functions follow. Every
/// line of the original has its number. `file` as settle_places() leaves it; `dropped` sorted. Linear in the length of
/// the result, which is linear in the original's for places that are nested to a bounded depth: alternatives hold
/// original text only.
rewritten_source rewrite(std::string_view source, const file_places& file, std::span<const alternative_id> dropped,
                         std::uint32_t first_node);

/// The innermost span that contains a byte of the rewritten text.
const emitted_span* innermost(const rewritten_source& source, std::uint32_t offset);

/// Where a byte of the rewritten text is from; of what was written around the original, where that goes on.
std::uint32_t original_of(const rewritten_source& source, std::uint32_t offset);

/// The byte that a compiler calls `line`:`column`; of a function that stands twice, where it was rewritten.
std::optional<std::uint32_t> offset_of(const rewritten_source& source, std::uint32_t line, std::uint32_t column);

}  // namespace morph::mutation
