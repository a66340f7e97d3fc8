// Whole files in and out, locks, globs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace morph::system {

tl::expected<std::string, std::string> read_file(const std::filesystem::path& path);

/// Whether `path` is `folder` or something below it. Both as text, without a slash at the end; "" is no folder.
bool is_inside(std::string_view path, std::string_view folder);

/// Seconds since 1970; 0 if there is no such file.
std::int64_t modification_time(const std::filesystem::path& path);

/// Readers see the old content or the new, never a part. Makes missing folders.
tl::expected<void, std::string> write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Holds a lock until it is destroyed; the lock of a process that dies goes with it.
class file_lock {
 public:
  explicit file_lock(int descriptor) : descriptor_(descriptor) {}
  file_lock(file_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  file_lock& operator=(file_lock&&) = delete;
  ~file_lock();

 private:
  int descriptor_;
};

/// Makes the file if it is missing.
enum class if_locked { wait, refuse };
tl::expected<file_lock, std::string> lock_file(const std::filesystem::path& path, if_locked what);

/// `*` and `?` stop at a slash, `**` does not; a pattern that ends in a slash names everything below that folder; one
/// without a slash matches the last component of the path; one that begins with a slash starts at the top (as in
/// .gitignore).
bool matches_glob(std::string_view pattern, std::string_view path);

}  // namespace morph::system
