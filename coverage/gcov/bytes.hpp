// A reader of foreign bytes that cannot leave them.
#ifndef MORPH_COVERAGE_GCOV_BYTES_HPP
#define MORPH_COVERAGE_GCOV_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace morph::gcov {

// Integers are in native byte order. A read past the end gives zeros and sets failed(), once and for all: a caller
// checks after a record, not after a field. Loops over a count taken from the bytes must check it against remaining()
// first.
class byte_reader {
 public:
  explicit byte_reader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t remaining() const { return bytes_.size() - at_; }
  std::size_t offset() const { return at_; }
  bool failed() const { return failed_; }

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  std::int32_t i32() { return fixed<std::int32_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }

  // LEB128; more than 64 bits are a failure.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = u8();
      const std::uint64_t low = byte & 0x7f;
      if (shift == 63 && low > 1) break;
      value |= low << shift;
      if ((byte & 0x80) == 0) return value;
    }
    failed_ = true;
    return 0;
  }

  std::string_view take(std::size_t size) {
    if (size > remaining()) {
      failed_ = true;
      at_ = bytes_.size();
      return {};
    }
    const auto taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

 private:
  template <class Integer>
  Integer fixed() {
    Integer value = 0;
    const auto taken = take(sizeof(Integer));
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof(Integer));
    return value;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace morph::gcov

#endif
