// Opens, writes and closes.
#include "plugin/report/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "plugin/system/files.hpp"

namespace morph::report {

namespace fs = std::filesystem;

result<output> output::open(const std::string& path) {
  output made;
  if (path.empty()) return made;
  std::error_code error;
  // A device or a pipe cannot be replaced.
  const bool is_replaceable = !fs::exists(path, error) || fs::is_regular_file(path, error);
  made.path_ = path;
  made.written_ = is_replaceable ? fmt::format("{}.{}.tmp", path, ::getpid()) : path;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) fs::create_directories(folder, error);
  made.file_.reset(std::fopen(made.written_.c_str(), "wb"));
  if (!made.file_) return tl::unexpected(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  return made;
}

void output::write(std::string_view text) {
  std::FILE* to = file_ ? file_.get() : stdout;
  if (std::fwrite(text.data(), 1, text.size(), to) != text.size() && error_ == 0) error_ = errno;
}

result<void> output::close() {
  if (std::fflush(file_ ? file_.get() : stdout) != 0 && error_ == 0) error_ = errno;
  file_.reset();
  if (error_ == 0 && written_ != path_ && std::rename(written_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ == 0) return {};
  if (written_ != path_) ::unlink(written_.c_str());
  return tl::unexpected(
      fmt::format("cannot write {}: {}", path_.empty() ? "the report" : "'" + path_ + "'", std::strerror(error_)));
}

std::function<bool(const std::string&)> filter_of(const std::vector<std::string>& only,
                                                  const std::vector<std::string>& without) {
  const auto is_in = [](const std::vector<std::string>& globs, const std::string& path) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& g) { return system::matches_glob(g, path); });
  };
  return [only, without, is_in](const std::string& path) {
    return (only.empty() || is_in(only, path)) && !is_in(without, path);
  };
}

}  // namespace morph::report
