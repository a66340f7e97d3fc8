// Whether the evidence store has changed on disk.
#pragma once

#include <sys/stat.h>

#include <filesystem>

#include "plugin/system/descriptor.hpp"

namespace morph::studio {

/// Watches by inotify, also before the file or its folder is there. Readers of the store change nothing.
class store_watch {
 public:
  explicit store_watch(std::filesystem::path file);
  /// Readable when something may have happened; -1: the kernel gives no inotify.
  int descriptor() const { return events_.get(); }
  /// Takes what was readable. The file may be being written: ask has_changed() a moment later.
  void take_events();
  /// Since the last time, or the start.
  bool has_changed();

 private:
  struct stamp {
    dev_t device = 0;
    ino_t number = 0;
    off_t size = 0;
    timespec written{};
  };
  stamp look() const;
  void watch() const;

  std::filesystem::path file_;
  system::descriptor events_;
  stamp last_;
};

}  // namespace morph::studio
