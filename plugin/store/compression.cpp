// zstd, wrapped.
#include "plugin/store/compression.hpp"

#include <zstd.h>

#include <memory>
#include <new>

namespace morph::store {
namespace {

constexpr unsigned long long largest = 1ULL << 30;

}  // namespace

std::string compressed(std::string_view bytes, check_sum sum) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, ZSTD_CLEVEL_DEFAULT);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, sum == check_sum::added ? 1 : 0);
  std::string to(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), to.data(), to.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only error where the room is enough
  to.resize(size);
  return to;
}

std::optional<std::string> decompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > largest) return std::nullopt;  // and all that are no size
  std::string to(size, '\0');
  const std::size_t read = ZSTD_decompress(to.data(), to.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(read) != 0 || read != size) return std::nullopt;
  return to;
}

}  // namespace morph::store
