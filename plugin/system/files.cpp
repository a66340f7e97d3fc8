// Files, locks and globs.
#include "plugin/system/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "plugin/system/descriptor.hpp"

namespace morph::system {
namespace {

bool match(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**")) {
      std::string_view rest = pattern.substr(2);
      if (rest.starts_with('/') && match(rest.substr(1), text)) return true;
      for (std::size_t i = 0; i <= text.size(); ++i)
        if (match(rest, text.substr(i))) return true;
      return false;
    }
    if (pattern.front() == '*') {
      for (std::size_t i = 0;; ++i) {
        if (match(pattern.substr(1), text.substr(i))) return true;
        if (i == text.size() || text[i] == '/') return false;
      }
    }
    if (text.empty() || (pattern.front() == '?' ? text.front() == '/' : pattern.front() != text.front())) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  return text.empty();
}

}  // namespace

tl::expected<std::string, std::string> read_file(const std::filesystem::path& path) {
  const auto failed = [&](const char* why) {
    return tl::unexpected(fmt::format("cannot read '{}': {}", path.string(), why));
  };
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) return failed(std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return failed("it is a directory");
  constexpr off_t of_unknown_size = 4096;  // as files of /proc are
  std::string content(static_cast<std::size_t>(std::max(facts.st_size + 1, of_unknown_size)), '\0');
  for (std::size_t size = 0;;) {
    const ssize_t more = ::read(file.get(), content.data() + size, content.size() - size);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return failed(std::strerror(errno));
    size += static_cast<std::size_t>(more);
    if (more == 0) {
      content.resize(size);
      return content;
    }
    if (size == content.size()) content.resize(2 * size);
  }
}

bool is_inside(std::string_view path, std::string_view folder) {
  return !folder.empty() && path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::int64_t modification_time(const std::filesystem::path& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mtime : 0;
}

tl::expected<void, std::string> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  std::ofstream out(temporary, std::ios::binary);
  out << content;
  out.close();
  if (out) std::filesystem::rename(temporary, path, error);
  if (!out || error) {
    const std::string why = error ? error.message() : std::strerror(errno);
    std::filesystem::remove(temporary, error);
    return tl::unexpected(fmt::format("cannot write '{}': {}", path.string(), why));
  }
  return {};
}

file_lock::~file_lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

tl::expected<file_lock, std::string> lock_file(const std::filesystem::path& path, if_locked what) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return tl::unexpected(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
  file_lock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | (what == if_locked::refuse ? LOCK_NB : 0)) != 0)
    return tl::unexpected(fmt::format("'{}' is locked", path.string()));
  return lock;
}

bool matches_glob(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with('/')) {
    const std::string anchored(pattern.substr(1));
    if (path.starts_with('/')) path.remove_prefix(1);  // of a file outside of the repository
    return match(pattern.ends_with('/') ? anchored + "**" : anchored, path);
  }
  if (pattern.ends_with('/')) {
    const std::string_view folder = pattern.substr(0, pattern.size() - 1);
    for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1))
      if (matches_glob(folder, path.substr(0, at))) return true;
    return false;
  }
  if (pattern.find('/') == std::string_view::npos) return match(pattern, path.substr(path.rfind('/') + 1));
  return match(pattern, path);
}

}  // namespace morph::system
