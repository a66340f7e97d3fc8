// Headers and records of .gcno and .gcda files, as GCC and Clang lay them out.
#include "coverage/gcov/records.hpp"

#include <fmt/format.h>

#include "coverage/gcov/compilers.h"

namespace morph::gcov {
namespace {

constexpr int first_gcc_with_byte_lengths = 12;

std::uint32_t swapped(std::uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00) | ((word << 8) & 0xff0000) | (word << 24);
}

}  // namespace

int gcc_major(std::uint32_t version) {
  const auto tens = static_cast<int>(version >> 24) - 'A';
  const auto ones = static_cast<int>((version >> 16) & 0xff) - '0';
  if (tens < 0 || tens > 25 || ones < 0 || ones > 9) return 0;
  return tens * 10 + ones;
}

bool is_supported_gcc(int major) {
  return MORPH_OLDEST_GCC <= major && major <= MORPH_NEWEST_GCC;
}

tl::expected<file_header, std::string> record_reader::header(std::uint32_t expected_magic) {
  const std::uint32_t magic = in_.u32();
  file_header header;
  header.version = in_.u32();
  if (in_.failed()) return damaged("the header is cut off");
  if (magic == swapped(expected_magic)) {
    return tl::unexpected(
        fmt::format("the {} '{}' were written on a machine with another byte order: build and measure on one machine",
                    kind_, path_));
  }
  if (magic != expected_magic) {
    return tl::unexpected(fmt::format("'{}' does not hold gcc {}: it starts with 0x{:08x}, not with 0x{:08x}", path_,
                                      kind_, magic, expected_magic));
  }
  header.gcc = gcc_major(header.version);
  if (header.gcc == 0) {
    return tl::unexpected(
        fmt::format("'{}' has the version word 0x{:08x}, which is no version of gcc", path_, header.version));
  }
  if (!is_clang(header.version) && !is_supported_gcc(header.gcc)) {
    return tl::unexpected(fmt::format("gcc {} {} are not supported yet: '{}' (versions {} to {} are)", header.gcc,
                                      kind_, path_, MORPH_OLDEST_GCC, MORPH_NEWEST_GCC));
  }
  unit_ = header.gcc >= first_gcc_with_byte_lengths ? 1 : 4;
  header.stamp = in_.u32();
  if (header.gcc >= first_gcc_with_byte_lengths) header.checksum = in_.u32();
  if (in_.failed()) return damaged("the header is cut off");
  return header;
}

tl::expected<std::optional<record>, std::string> record_reader::next() {
  if (in_.remaining() == 0) return std::nullopt;
  record found;
  found.tag = in_.u32();
  if (!in_.failed() && found.tag == 0) return std::nullopt;  // libgcov may close a file with a zero word
  const std::uint32_t raw_length = in_.u32();
  if (in_.failed()) return damaged("a record's tag or length is cut off");
  const bool is_counters = found.tag == tag::arc_counters || found.tag == tag::condition_counters;
  found.zeros = is_counters && (raw_length & 0x80000000U) != 0;
  const std::uint64_t length = std::uint64_t{found.zeros ? 0U - raw_length : raw_length} * unit_;
  if (found.zeros && length < 1U << 31) {
    found.length = static_cast<std::uint32_t>(length);
    return found;
  }
  if (length > in_.remaining()) {
    return damaged(fmt::format("a record of {} bytes where only {} are left", length, in_.remaining()));
  }
  found.length = static_cast<std::uint32_t>(length);
  found.payload = byte_reader(in_.take(found.length));
  return found;
}

std::string_view record_reader::text_view(byte_reader& in) const {
  const std::uint64_t length = std::uint64_t{in.u32()} * unit_;
  const auto padded = in.take(static_cast<std::size_t>(length));
  return padded.substr(0, padded.find('\0'));
}

tl::unexpected<std::string> record_reader::damaged(std::string_view what) const {
  return tl::unexpected(
      fmt::format("the {} '{}' are damaged near byte {}: {}; rebuild the twin", kind_, path_, in_.offset(), what));
}

}  // namespace morph::gcov
