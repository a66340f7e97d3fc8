// Assertions as insertions into the text of a test's source.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace morph::explain {

/// Where an assertion can stand, as coverage/source/placing says.
struct placed_expression {
  enum class placing : std::uint8_t { none, before, after, hoist } how = placing::none;
  std::string why_not{}, macro{};
  std::string expression{};  // what is asserted
  std::uint32_t begin = 0, end = 0, from = 0, to = 0;
  bool is_whole_statement = false;
  std::string type{};  // of the expression, as far as assertions ask for it
};
placed_expression placed_of(const nlohmann::json& from);

/// What stands at byte `at` for `removed` bytes.
struct edit {
  std::uint32_t at = 0, removed = 0;
  std::string text{};

  auto operator<=>(const edit&) const = default;
};

/// A line of its own beside a statement that has one; else text on the statement's line. Marked as observed.
std::vector<edit> edits_of(const std::string& source, const placed_expression& where, const std::string& assertion);

struct edited_text {
  std::string text{};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines{};  // first and last of what is new, from 1
};
/// Edits at one place stand in their order.
edited_text edited(const std::string& source, std::vector<edit> edits);

}  // namespace morph::explain
