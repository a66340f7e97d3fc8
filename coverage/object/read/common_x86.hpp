// The instructions of x86-64 that compilers use most, told apart by tables of their own: a tenth of what LLVM's cost.
#pragma once

#include <cstdint>
#include <string_view>

#include "coverage/object/read/decoder.hpp"

namespace morph::object {

struct common_instruction {
  std::uint32_t size = 0;  // 0: not one of these
  flow control = flow::next;
  std::uint32_t distance_size = 0;  // its last bytes say how far away it goes, or is what it takes the address of
  bool is_direct = false;           // see decoder::is_direct()
};

/// What LLVM says of the same bytes; tests/unit/common_x86_test.cpp compares them. `code` is not empty.
common_instruction common_x86(std::string_view code);

}  // namespace morph::object
