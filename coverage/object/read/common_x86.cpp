// One byte of traits an opcode, for the opcodes without a prefix, with 0F, and with a prefix and 0F.
#include "coverage/object/read/common_x86.hpp"

#include <array>

namespace morph::object {
namespace {

// What follows the opcode, and what it does. No trait: left to LLVM.
constexpr std::uint16_t known = 1, operands = 2, byte_follows = 4, word_follows = 8, goes_near = 16, goes_far = 32,
                        branches = 64, jumps = 128, calls = 256, returns = 512, by_operation = 1024,
                        takes_address = 2048, moves_whole = 4096;
using traits = std::array<std::uint16_t, 256>;

constexpr void set(traits& of, int first, int last, std::uint16_t to) {
  for (int i = first; i <= last; ++i) of[static_cast<std::size_t>(i)] = known | to;
}

constexpr traits one_byte() {
  traits t{};
  // add, or, adc, sbb, and, sub, xor, cmp
  for (int i = 0; i < 0x40; i += 8) {
    set(t, i, i + 3, operands);
    set(t, i + 4, i + 4, byte_follows);
    set(t, i + 5, i + 5, word_follows);
  }
  set(t, 0x50, 0x5f, 0);  // push, pop
  set(t, 0x63, 0x63, operands);
  set(t, 0x68, 0x68, word_follows);
  set(t, 0x69, 0x69, operands | word_follows);
  set(t, 0x6a, 0x6a, byte_follows);
  set(t, 0x6b, 0x6b, operands | byte_follows);
  set(t, 0x70, 0x7f, goes_near | branches);
  set(t, 0x80, 0x80, operands | byte_follows);
  set(t, 0x81, 0x81, operands | word_follows);
  set(t, 0x83, 0x83, operands | byte_follows);
  set(t, 0x84, 0x8b, operands);
  set(t, 0x8d, 0x8d, operands | takes_address);
  set(t, 0x90, 0x90, 0);
  set(t, 0x98, 0x99, 0);
  set(t, 0xa8, 0xa8, byte_follows);
  set(t, 0xa9, 0xa9, word_follows);
  set(t, 0xb0, 0xb7, byte_follows);
  set(t, 0xb8, 0xbf, word_follows | moves_whole);
  set(t, 0xc0, 0xc1, operands | byte_follows | by_operation);
  set(t, 0xc3, 0xc3, returns);
  set(t, 0xc6, 0xc6, operands | byte_follows | by_operation);
  set(t, 0xc7, 0xc7, operands | word_follows | by_operation);
  set(t, 0xc9, 0xc9, 0);
  set(t, 0xd0, 0xd3, operands | by_operation);
  set(t, 0xe8, 0xe8, goes_far | calls);
  set(t, 0xe9, 0xe9, goes_far | jumps);
  set(t, 0xeb, 0xeb, goes_near | jumps);
  set(t, 0xf6, 0xf7, operands | by_operation);
  set(t, 0xfe, 0xff, operands | by_operation);
  return t;
}

constexpr traits two_bytes() {
  traits t{};
  set(t, 0x10, 0x11, operands);
  set(t, 0x14, 0x15, operands);
  set(t, 0x28, 0x29, operands);
  set(t, 0x2e, 0x2f, operands);
  set(t, 0x40, 0x4f, operands);  // cmov
  set(t, 0x54, 0x5f, operands);
  set(t, 0x80, 0x8f, goes_far | branches);
  set(t, 0x90, 0x9f, operands);  // set
  set(t, 0xa3, 0xa3, operands);
  set(t, 0xaf, 0xaf, operands);
  set(t, 0xb0, 0xb1, operands);
  set(t, 0xb6, 0xb7, operands);
  set(t, 0xbe, 0xbf, operands);
  set(t, 0xc0, 0xc1, operands);
  set(t, 0xc6, 0xc6, operands | byte_follows);
  return t;
}

// Of scalars and vectors, behind 66, F2 or F3.
constexpr traits two_bytes_66() {
  traits t{};
  set(t, 0x14, 0x15, operands);
  set(t, 0x28, 0x29, operands);
  set(t, 0x2e, 0x2f, operands);
  set(t, 0x54, 0x5f, operands);
  set(t, 0x60, 0x6f, operands);
  set(t, 0x70, 0x70, operands | byte_follows);
  set(t, 0x7e, 0x7f, operands);
  set(t, 0xd4, 0xd4, operands);
  set(t, 0xd6, 0xd6, operands);
  set(t, 0xef, 0xef, operands);
  set(t, 0xfa, 0xfe, operands);
  return t;
}
constexpr traits two_bytes_f2() {
  traits t{};
  set(t, 0x10, 0x11, operands);
  set(t, 0x2a, 0x2a, operands);
  set(t, 0x2c, 0x2d, operands);
  set(t, 0x51, 0x51, operands);
  set(t, 0x58, 0x5a, operands);
  set(t, 0x5c, 0x5f, operands);
  return t;
}
constexpr traits two_bytes_f3() {
  traits t = two_bytes_f2();
  set(t, 0x6f, 0x6f, operands);
  set(t, 0x7e, 0x7f, operands);
  return t;
}

constexpr traits alone = one_byte(), behind_0f = two_bytes(), behind_66 = two_bytes_66(), behind_f2 = two_bytes_f2(),
                 behind_f3 = two_bytes_f3();

/// Of the byte behind the opcode, which says what the operands are: how many bytes belong to them, itself among them.
/// A place in memory may have an index, which is one more byte.
constexpr std::uint8_t size_mask = 7, in_memory = 8, indexed = 16, relative = 32;
constexpr std::array<std::uint8_t, 256> operand_bytes() {
  std::array<std::uint8_t, 256> all{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const unsigned mode = byte >> 6U, base = byte & 7U;
    unsigned is = 1 + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
    if (mode != 3) is |= in_memory;
    if (mode != 3 && base == 4) is = (is + 1) | indexed;
    if (mode == 0 && base == 5) is = (is + 4) | relative;
    all[byte] = static_cast<std::uint8_t>(is);
  }
  return all;
}
constexpr auto operands_of = operand_bytes();

/// What the operation says of opcodes that are several instructions. False: of these some are left to LLVM.
bool tell_apart(unsigned char opcode, unsigned operation, bool narrow, std::size_t word, common_instruction& found,
                std::size_t& follow) {
  if (opcode >= 0xfe) {  // inc, dec, call, jmp, push
    if (operation == 2) found.control = flow::call;
    if (operation == 4) found.control = flow::unknown;
    return operation < 2 || (opcode == 0xff && !narrow && operation % 2 == 0);
  }
  if (opcode >= 0xf6) {
    if (operation == 0) follow = opcode == 0xf6 ? 1 : word;  // test
    return operation != 1;
  }
  if (opcode == 0xc6 || opcode == 0xc7) return operation == 0;
  return operation != 6;
}

}  // namespace

common_instruction common_x86(std::string_view code) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(code.data());
  const std::size_t size = code.size();
  std::size_t at = 0;
  const unsigned char prefix = bytes[0];
  const bool narrow = prefix == 0x66, prefixed = narrow || prefix == 0xf2 || prefix == 0xf3;
  if (prefixed && ++at == size) return {};
  const unsigned char rex = (bytes[at] & 0xf0U) == 0x40 ? bytes[at] : 0;
  if (rex != 0 && ++at == size) return {};
  unsigned char opcode = bytes[at++];
  const traits* table = &alone;
  if (opcode == 0x0f) {
    if (at == size) return {};
    table = !prefixed ? &behind_0f : narrow ? &behind_66 : prefix == 0xf2 ? &behind_f2 : &behind_f3;
    opcode = bytes[at++];
  } else if (prefixed && !narrow) {
    return {};
  }
  const std::uint16_t is = (*table)[opcode];
  if (is == 0 || (narrow && (is & (goes_near | goes_far | returns)) != 0)) return {};
  const bool wide = (rex & 8U) != 0;
  const std::size_t word = narrow && !wide ? 2 : 4;
  common_instruction found;
  std::size_t follow = 0;
  if ((is & (byte_follows | goes_near)) != 0) follow = 1;
  if ((is & word_follows) != 0) follow = word;
  if ((is & goes_far) != 0) follow = 4;
  if ((is & moves_whole) != 0 && wide) follow = 8;
  if ((is & operands) != 0) {
    if (at == size) return {};
    const unsigned byte = bytes[at], kind = operands_of[byte];
    if ((is & takes_address) != 0 && (kind & in_memory) == 0) return {};
    if ((is & by_operation) != 0 && !tell_apart(opcode, byte >> 3U & 7U, narrow, word, found, follow)) return {};
    bool direct = (kind & relative) != 0;
    if ((is & takes_address) != 0 && direct && wide) found.distance_size = 4;
    if ((kind & indexed) != 0) {
      if (at + 1 == size) return {};
      const bool displaced = byte < 0x40 && (bytes[at + 1] & 7U) == 5;
      constexpr unsigned char nothing_but_displaced = 0x25;
      direct = displaced && bytes[at + 1] == nothing_but_displaced && (rex & 2U) == 0;
      if (displaced) at += 4;
    }
    found.is_direct = direct && (is & takes_address) == 0;
    at += kind & size_mask;
  }
  if ((is & (goes_near | goes_far)) != 0) found.distance_size = static_cast<std::uint32_t>(follow);
  if (at + follow > size) return {};
  found.size = static_cast<std::uint32_t>(at + follow);
  if ((is & branches) != 0) found.control = flow::branch;
  if ((is & jumps) != 0) found.control = flow::jump;
  if ((is & calls) != 0) found.control = flow::call;
  if ((is & returns) != 0) found.control = flow::end;
  return found;
}

}  // namespace morph::object
