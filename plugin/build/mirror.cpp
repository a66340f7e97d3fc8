// Links what is the same, writes what is not.
#include "plugin/build/mirror.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

bool is_left_out(const fs::directory_entry& entry, const std::vector<fs::path>& without) {
  const fs::path name = entry.path().filename();
  if (name == ".git") return true;
  if (!entry.is_directory() || entry.is_symlink()) return false;
  std::error_code none;
  return name == ".morph" || name == "morph-twin" || fs::exists(entry.path() / "CMakeCache.txt", none) ||
         std::ranges::find(without, entry.path()) != without.end();
}

/// A link that leads to the same file from the mirror.
fs::path link_target(const fs::path& link, const fs::path& source) {
  const fs::path target = fs::read_symlink(link);
  if (target.is_absolute()) return target;
  const fs::path there = (link.parent_path() / target).lexically_normal();
  const auto [end, rest] = std::mismatch(source.begin(), source.end(), there.begin(), there.end());
  return end == source.end() ? target : there;
}

bool same_content(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  const auto x = system::read_file(a), y = system::read_file(b);
  return x && y && *x == *y;
}

/// By size and time, which a copy has of its original.
bool is_untouched_copy(const fs::path& original, const fs::path& copy) {
  struct stat a {};
  struct stat b {};
  return ::lstat(original.c_str(), &a) == 0 && ::lstat(copy.c_str(), &b) == 0 && S_ISREG(b.st_mode) &&
         a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

result<std::size_t> update_mirror(const fs::path& source, const fs::path& mirror, const std::vector<fs::path>& without,
                                  const std::map<std::string, std::optional<std::string>>& replaced) {
  std::size_t written = 0;
  std::set<fs::path> wanted;
  try {
    fs::create_directories(mirror);
    for (auto i = fs::recursive_directory_iterator(source); i != fs::recursive_directory_iterator(); ++i) {
      const fs::directory_entry& entry = *i;
      if (is_left_out(entry, without)) {
        if (entry.is_directory() && !entry.is_symlink()) i.disable_recursion_pending();
        continue;
      }
      const fs::path relative = entry.path().lexically_relative(source);
      const fs::path there = mirror / relative;
      const auto is_at = fs::symlink_status(there);
      if (entry.is_symlink()) {
        wanted.insert(relative);
        const fs::path target = link_target(entry.path(), source);
        if (fs::is_symlink(is_at) && fs::read_symlink(there) == target) continue;
        fs::remove_all(there);
        fs::create_symlink(target, there);
        ++written;
      } else if (entry.is_directory()) {
        wanted.insert(relative);
        if (!fs::is_directory(is_at)) {
          fs::remove(there);
          fs::create_directory(there);
        }
      } else if (entry.is_regular_file()) {
        wanted.insert(relative);
        if (!fs::is_regular_file(is_at) && fs::exists(is_at)) fs::remove_all(there);
        const auto other = replaced.find(relative.string());
        if (other != replaced.end() && !other->second && fs::exists(is_at)) continue;
        if (other != replaced.end() && other->second) {
          const auto now = system::read_file(there);
          if (now && *now == *other->second) continue;
          if (auto put = system::write_file_atomically(there, *other->second); !put) return tl::unexpected(put.error());
          ++written;
        } else if (!is_untouched_copy(entry.path(), there) && !same_content(entry.path(), there)) {
          const bool is_new = !fs::exists(is_at);
          fs::remove(there);  // a copy of what is read-only is read-only
          fs::copy_file(entry.path(), there);
          // One that was another before has changed now, whenever its original did.
          if (is_new) fs::last_write_time(there, entry.last_write_time());
          ++written;
        }
      }
    }
    for (auto i = fs::recursive_directory_iterator(mirror); i != fs::recursive_directory_iterator();) {
      const fs::path path = i->path();
      const bool gone = wanted.count(path.lexically_relative(mirror)) == 0;
      if (gone) i.disable_recursion_pending();
      ++i;
      if (gone) fs::remove_all(path);
    }
  } catch (const fs::filesystem_error& error) {
    const bool is_full = error.code() == std::errc::no_space_on_device;
    return tl::unexpected(fmt::format("the mirror of the sources '{}': {}{}", mirror.string(), error.what(),
                                      is_full ? "; make room in the build tree, then run it again" : ""));
  }
  return written;
}

result<void> link_neighbours(const fs::path& source, const fs::path& mirror) {
  std::error_code none;
  fs::path top = source;
  while (top.has_relative_path() && !fs::exists(top / ".git", none)) top = top.parent_path();
  if (!top.has_relative_path()) top = source;
  try {
    for (fs::path here = source, there = mirror; here.has_relative_path();) {
      const bool is_last = here == top;
      const fs::path own = here.filename();
      here = here.parent_path();
      there = there.parent_path();
      fs::create_directories(there);
      std::set<fs::path> wanted{own};
      for (auto i = fs::directory_iterator(here, none); i != fs::directory_iterator(); i.increment(none)) {
        const fs::path name = i->path().filename();
        if (name == own || is_left_out(*i, {})) continue;
        wanted.insert(name);
        if (fs::is_symlink(fs::symlink_status(there / name))) continue;
        fs::remove_all(there / name);
        fs::create_symlink(i->path(), there / name);
      }
      std::set<fs::path> present;
      for (const auto& entry : fs::directory_iterator(there)) present.insert(entry.path());
      for (const fs::path& path : present)
        if (!wanted.contains(path.filename())) fs::remove_all(path);
      if (is_last) break;
    }
  } catch (const fs::filesystem_error& error) {
    return tl::unexpected(
        fmt::format("what lies beside the mirror of the sources '{}': {}", mirror.string(), error.what()));
  }
  return {};
}

result<std::vector<std::string>> mirrored_files(const fs::path& source, const std::vector<fs::path>& without) {
  std::vector<std::string> files;
  try {
    for (auto i = fs::recursive_directory_iterator(source); i != fs::recursive_directory_iterator(); ++i) {
      if (!is_left_out(*i, without)) {
        if (i->is_symlink() || i->is_regular_file()) files.push_back(i->path().lexically_relative(source).string());
      } else if (i->is_directory() && !i->is_symlink()) {
        i.disable_recursion_pending();
      }
    }
  } catch (const fs::filesystem_error& error) {
    return tl::unexpected(fmt::format("the sources in '{}': {}", source.string(), error.what()));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace morph::build
