// 128-bit digests of content.
#pragma once

#include <xxhash.h>

#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace morph::object {

/// Equal content, equal digest, on every machine of this byte order. All zeros: no content.
struct digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend auto operator<=>(const digest&, const digest&) = default;
};

inline digest digest_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

/// 32 hexadecimal digits.
std::string hex(const digest& of);
std::optional<digest> parse_digest(std::string_view digits);

/// Collects values; two different sequences of calls never collect the same bytes.
class digest_writer {
 public:
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void add(const digest& value) {
    number(value.low);
    number(value.high);
  }
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }
  digest finish() const { return digest_of(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace morph::object
