// A string of limited length on the stack.
#ifndef MORPH_RUNTIME_PROBE_TEXT_H
#define MORPH_RUNTIME_PROBE_TEXT_H

#include <stddef.h>
#include <stdint.h>

namespace morph_probe {

struct text {
  char bytes[1536];
  size_t size = 0;
  bool fits = true;

  text() { bytes[0] = '\0'; }
  text& add(char c) {
    fits = fits && size + 1 < sizeof bytes;
    if (!fits) return *this;
    bytes[size++] = c;
    bytes[size] = '\0';
    return *this;
  }
  text& operator<<(const char* words) {
    while (*words != '\0') add(*words++);
    return *this;
  }
  text& add_hex(const uint8_t* from, size_t count) {
    for (size_t i = 0; i < count; ++i) add("0123456789abcdef"[from[i] >> 4]).add("0123456789abcdef"[from[i] & 15]);
    return *this;
  }
  text& add_hex(uint64_t number) {
    int shift = 60;
    while (shift > 0 && (number >> shift) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) add("0123456789abcdef"[(number >> shift) & 15]);
    return *this;
  }
  void cut(size_t to) {
    size = to;
    bytes[size] = '\0';
  }
};

inline bool begins_with(const char* words, const char* with) {
  while (*with != '\0')
    if (*words++ != *with++) return false;
  return true;
}

}  // namespace morph_probe

#endif
