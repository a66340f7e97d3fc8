// Instructions of x86-64 and AArch64: how long they are, where they go, which constants they hold. By LLVM's tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "coverage/object/read/elf.hpp"

namespace morph::object {

struct code_target {
  std::uint64_t address;
  std::uint32_t field;  // the bytes of the instruction that hold it
  std::uint32_t field_size;
};

enum class flow : std::uint8_t { next, branch, jump, call, unknown, end };

/// Where a constant is moved to: a register that passes arguments, memory, or elsewhere.
enum class constant_place : std::uint8_t { elsewhere, argument, memory };

/// One instruction, valid until the next one is decoded.
struct instruction {
  std::uint32_t size = 0;
  bool known = false;          // else some bytes that are none
  std::uint32_t constant = 0;  // a number below 2^32 that it moves, if constant_field is not 0 (x86-64) or its bytes
  bool has_constant = false;   // say so
  std::uint32_t constant_field = 0;
  constant_place constant_to = constant_place::elsewhere;
};

/// Whether LLVM tells the length of every instruction, or only of those that common_x86() does not know.
enum class decoding : std::uint8_t { quick, by_llvm };

/// Costs a millisecond to make. Not for two threads at once.
class decoder {
 public:
  explicit decoder(machine target, decoding how = decoding::quick);
  ~decoder();
  decoder(decoder&&) noexcept;

  /// `code` is not empty, and there until the next one is decoded. What is no instruction counts as one of the least
  /// size.
  instruction decode(std::string_view code, std::uint64_t address);

  // Of the instruction decoded last:

  /// Where it goes, or the address that it takes or reads, as its bytes say if the linker changes none of them.
  std::optional<code_target> target() const;
  /// Reads or writes memory at one fixed address, so that nothing beside that is reached.
  bool is_direct() const;
  flow control() const;
  bool is_padding() const;
  bool stores() const;
  /// Name and operands without what the linker fills in and where a frame keeps its variables: places relative to the
  /// stack appear as 'stack', targets as 'target'.
  std::string canonical(bool relocated) const;

  struct state;

 private:
  std::unique_ptr<state> state_;
};

}  // namespace morph::object
