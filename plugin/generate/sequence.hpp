// Sequences of calls: what the search varies, and what becomes a test.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "plugin/runtime/generate/morph_generate_format.h"

namespace morph::generate {

struct argument {
  morph_argument_kind kind = morph_argument_nothing;
  std::uint32_t number = 0;  // of an earlier call, or of a literal

  auto operator<=>(const argument&) const = default;
};

struct call {
  std::uint32_t callable = 0;
  std::vector<argument> arguments{};  // one a slot

  auto operator<=>(const call&) const = default;
};

using sequence = std::vector<call>;

/// Every value is used behind the call that gives it.
bool is_ordered(const sequence& of);

/// Without the calls that are not `kept`; nothing that is kept may use them.
sequence only(const sequence& of, const std::vector<bool>& kept);

}  // namespace morph::generate
