// A growing row of bytes: what records are made of.
#ifndef MORPH_RUNTIME_BYTES_H
#define MORPH_RUNTIME_BYTES_H

#include <stdint.h>
#include <string.h>

#include "morph_pages.h"

namespace morph_runtime {

class byte_buffer {
 public:
  byte_buffer() = default;
  byte_buffer(const byte_buffer&) = delete;
  byte_buffer& operator=(const byte_buffer&) = delete;
  ~byte_buffer() { release(); }

  const char* data() const { return bytes_; }
  size_t size() const { return size_; }
  void clear() { size_ = 0; }
  void release() {
    if (bytes_ != nullptr) munmap(bytes_, capacity_);
    bytes_ = nullptr;
    size_ = capacity_ = 0;
  }

  void bytes(const void* data, size_t size) {
    if (size == 0) return;
    memcpy(room(size), data, size);
    size_ += size;
  }
  void u8(uint8_t value) { bytes(&value, sizeof value); }
  void u32(uint32_t value) { bytes(&value, sizeof value); }
  void i32(int32_t value) { bytes(&value, sizeof value); }
  void u64(uint64_t value) { bytes(&value, sizeof value); }
  void string(const char* text) {
    const size_t length = strlen(text);
    u32(static_cast<uint32_t>(length));
    bytes(text, length);
  }
  void varint(uint64_t value) {
    char* out = room(10);
    while (value >= 0x80) {
      *out++ = static_cast<char>(static_cast<unsigned char>(value | 0x80));
      value >>= 7;
    }
    *out++ = static_cast<char>(static_cast<unsigned char>(value));
    size_ = static_cast<size_t>(out - bytes_);
  }
  void set_u32(size_t offset, uint32_t value) { memcpy(bytes_ + offset, &value, sizeof value); }

 private:
  char* room(size_t more) {
    if (size_ + more > capacity_) {
      const size_t size = size_, capacity = 2 * (size_ + more) + 4096;
      char* const larger = static_cast<char*>(new_pages(capacity));
      if (size != 0) memcpy(larger, bytes_, size);
      release();
      bytes_ = larger;
      size_ = size;
      capacity_ = capacity;
    }
    return bytes_ + size_;
  }

  char* bytes_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace morph_runtime

#endif
