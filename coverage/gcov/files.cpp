// Reading whole files with the C library: one allocation, and errno for the message.
#include "coverage/gcov/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace morph::gcov {

tl::expected<std::string, std::string> read_file(const std::string& path) {
  const auto failure = [&] { return tl::unexpected(fmt::format("cannot read '{}': {}", path, std::strerror(errno))); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return failure();
  std::string bytes;
  if (std::fseek(file.get(), 0, SEEK_END) == 0) {
    // A directory opens and seeks; its "size" is LONG_MAX, and reading it is what fails.
    const long size = std::ftell(file.get());
    constexpr long largest = 1L << 31;
    if (size > 0 && size <= largest) bytes.reserve(static_cast<std::size_t>(size) + 1);
    std::rewind(file.get());
  }
  char buffer[1 << 16];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) bytes.append(buffer, got);
  if (std::ferror(file.get()) != 0) return failure();
  return bytes;
}

}  // namespace morph::gcov
