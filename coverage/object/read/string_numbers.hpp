// A table that finds the numbers of strings which its owner keeps.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/object/read/elf.hpp"

namespace morph::object {

/// Strings are numbered 0, 1, ... as they come; `string_of` gives a number's string. Linear probing: a number is in the
/// slot of its string's hash, or behind it.
class string_numbers {
 public:
  template <class StringOf>
  std::uint32_t find(std::string_view text, StringOf&& string_of) const {
    return slots_.empty() ? none : slots_[slot_of(text, hash_of(text), string_of)].number;
  }
  /// The number of the string, and whether it is a new one, which the owner then keeps.
  template <class StringOf>
  std::pair<std::uint32_t, bool> add(std::string_view text, std::uint32_t count, StringOf&& string_of) {
    if (2 * (count + std::size_t{1}) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(text);
    slot& at = slots_[slot_of(text, hash, string_of)];
    const bool is_new = at.number == none;
    if (is_new) at = {hash, count};
    return {at.number, is_new};
  }

 private:
  struct slot {
    std::uint32_t hash = 0;
    std::uint32_t number = none;
  };

  static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
  }
  template <class StringOf>
  std::size_t slot_of(std::string_view text, std::uint32_t hash, StringOf&& string_of) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = hash & last;
    while (slots_[at].number != none && (slots_[at].hash != hash || string_of(slots_[at].number) != text))
      at = (at + 1) & last;
    return at;
  }
  void grow() {
    const std::vector<slot> old = std::exchange(slots_, std::vector<slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    const std::size_t last = slots_.size() - 1;
    for (const slot& s : old) {
      if (s.number == none) continue;
      std::size_t at = s.hash & last;
      while (slots_[at].number != none) at = (at + 1) & last;
      slots_[at] = s;
    }
  }

  std::vector<slot> slots_;  // a power of two, half of them free
};

}  // namespace morph::object
