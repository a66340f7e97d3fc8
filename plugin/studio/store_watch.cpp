// inotify on the folder of the file, or on the nearest that is there.
#include "plugin/studio/store_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

namespace morph::studio {

namespace fs = std::filesystem;

store_watch::store_watch(fs::path file)
    : file_(std::move(file)), events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), last_(look()) {
  watch();
}

void store_watch::take_events() {
  std::array<char, 16384> bytes;
  while (::read(events_.get(), bytes.data(), bytes.size()) > 0) {
  }
  watch();  // the folder may be new, or another one
}

bool store_watch::has_changed() {
  const stamp now = look();
  const bool is_same = now.device == last_.device && now.number == last_.number && now.size == last_.size &&
                       now.written.tv_sec == last_.written.tv_sec && now.written.tv_nsec == last_.written.tv_nsec;
  last_ = now;
  return !is_same;
}

store_watch::stamp store_watch::look() const {
  struct stat facts {};
  if (::stat(file_.c_str(), &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtim};
}

void store_watch::watch() const {
  std::error_code ignored;
  fs::path folder = file_.parent_path();
  while (!fs::is_directory(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  constexpr unsigned changes = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  ::inotify_add_watch(events_.get(), folder.c_str(), changes);
}

}  // namespace morph::studio
