// Byte strings packed and unpacked by zlib, at once or in pieces.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

struct Plain {
  std::string bytes;
  int level;          // 0 (stored) to 9
  int window;         // repetitions are found up to 2^window bytes back; 9 to 15
  std::size_t piece;  // how many bytes are handed over at a time; 0: all of them
};

struct Packed {
  std::string bytes;
  unsigned long adler, crc;  // of the plain bytes, made piece by piece
  unsigned long bound;       // how long zlib says that they may become
};

Packed pack(const Plain& from);
/// Takes the plain bytes for a C string.
Packed pack_wrong(const Plain& from);
/// Nothing if `packed` is no whole stream. What stands behind the stream is ignored.
std::optional<std::string> unpack(const std::string& packed);
