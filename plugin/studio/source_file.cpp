// Opens a file, then looks where it is.
#include "plugin/studio/source_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "plugin/system/descriptor.hpp"
#include "plugin/system/files.hpp"

namespace morph::studio {
namespace {

namespace fs = std::filesystem;

struct found_file {
  system::descriptor handle;
  std::string path;  // no link in it
};

/// Without any effect on what it is: a device, a pipe.
std::optional<found_file> find(const fs::path& file) {
  found_file found{system::descriptor(::open(file.c_str(), O_PATH | O_CLOEXEC)), {}};
  if (found.handle.get() < 0) return std::nullopt;
  std::error_code error;
  found.path = fs::read_symlink(fmt::format("/proc/self/fd/{}", found.handle.get()), error).string();
  if (error) return std::nullopt;
  return found;
}

}  // namespace

answer source_file(const std::string& file, const settings& of, std::size_t longest) {
  if (file.empty() || file.find('\0') != std::string::npos) return refused(400, "file=PATH is missing");
  std::optional<found_file> found;
  for (const fs::path& folder : {of.repository, of.build})
    if (!found) found = find(folder / file);
  if (!found) return refused(404, fmt::format("there is no file '{}'", file));
  if (!system::is_inside(found->path, of.repository.string()) && !system::is_inside(found->path, of.build.string()))
    return refused(403, fmt::format("'{}' lies outside of the repository and the build tree", file));
  struct stat facts {};
  if (::fstat(found->handle.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return refused(404, fmt::format("'{}' is no file with text", file));
  if (static_cast<std::size_t>(facts.st_size) > longest)
    return refused(413, fmt::format("'{}' has {} bytes; the longest text has {}", file, facts.st_size, longest));
  auto text = system::read_file(fmt::format("/proc/self/fd/{}", found->handle.get()));
  if (!text) return refused(404, fmt::format("'{}' cannot be read: {}", file, std::strerror(errno)));
  return {.type = "text/plain; charset=utf-8", .body = std::move(*text)};
}

}  // namespace morph::studio
