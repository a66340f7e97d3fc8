// zlib's streams for byte strings.
#include "codec.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace {

Bytef* bytes_of(const char* from) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(from));
}

}  // namespace

Packed pack(const Plain& from) {
  z_stream stream{};
  if (deflateInit2(&stream, from.level, Z_DEFLATED, from.window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::invalid_argument("the level is not 0 to 9, or the window not 9 to 15");
  const std::size_t size = from.bytes.size(), piece = from.piece == 0 ? size : from.piece;
  Packed to{{}, adler32(0, nullptr, 0), crc32(0, nullptr, 0), deflateBound(&stream, size)};
  std::size_t at = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const auto count = static_cast<uInt>(std::min(piece, size - at));
    stream.next_in = bytes_of(from.bytes.data() + at);
    stream.avail_in = count;
    to.adler = adler32(to.adler, stream.next_in, count);
    to.crc = crc32(to.crc, stream.next_in, count);
    at += count;
    do {
      char room[1024];
      stream.next_out = bytes_of(room);
      stream.avail_out = sizeof room;
      state = deflate(&stream, at == size ? Z_FINISH : Z_NO_FLUSH);
      to.bytes.append(room, sizeof room - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return to;
}

Packed pack_wrong(const Plain& from) {
  return pack({std::string(from.bytes.c_str()), from.level, from.window, from.piece});
}

std::optional<std::string> unpack(const std::string& packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::runtime_error("there is no memory");
  stream.next_in = bytes_of(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string to;
  int state = Z_OK;
  while (state == Z_OK) {
    char room[1024];
    stream.next_out = bytes_of(room);
    stream.avail_out = sizeof room;
    state = inflate(&stream, Z_NO_FLUSH);
    to.append(room, sizeof room - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END) return std::nullopt;
  return to;
}
