// A growing row of bytes: what records are made of.
#ifndef MORPH_RUNTIME_BYTES_H
#define MORPH_RUNTIME_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace morph_runtime {

class byte_buffer {
 public:
  byte_buffer() = default;
  byte_buffer(const byte_buffer&) = delete;
  byte_buffer& operator=(const byte_buffer&) = delete;
  ~byte_buffer() { free(bytes_); }

  const char* data() const { return bytes_; }
  size_t size() const { return size_; }
  void clear() { size_ = 0; }

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
      capacity_ = 2 * (size_ + more) + 4096;
      bytes_ = static_cast<char*>(realloc(bytes_, capacity_));
      if (bytes_ == nullptr) abort();
    }
    return bytes_ + size_;
  }

  char* bytes_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace morph_runtime

#endif
