// The source of a program of calls: one function a callable, and the tables that the server reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/generate/model.hpp"

namespace morph::generate {

struct thunk_source {
  std::string text{};
  std::vector<std::uint32_t> first_line{};  // of each callable's function; they are ascending
  std::vector<std::uint32_t> last_line{};
  /// An object as one of a base, at a line.
  struct conversion {
    std::uint32_t line = 0, from = 0, to = 0;
  };
  std::vector<conversion> conversions{};
};

/// `includes`: as they stand in #include lines, with their quotes. Callables that are `dropped` throw.
thunk_source thunks_of(const model& of, const std::vector<std::string>& includes, const std::vector<bool>& dropped,
                       std::uint32_t goals);

}  // namespace morph::generate
