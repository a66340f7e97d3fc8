// Files that are there, or are different, only as long as something works on them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "plugin/build/build_tree.hpp"
#include "plugin/system/files.hpp"

namespace morph::pools {

/// A file beside the other ones of the build tree, gone with this.
class scratch_file {
 public:
  scratch_file(const build::build_tree& tree, const char* name)
      : path_(tree.own_dir() / fmt::format("{}.{}.jsonl", name, ::getpid())) {}
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The pool as it was, unless something better took its place.
class kept_pool {
 public:
  kept_pool(std::filesystem::path path, std::optional<std::string> text)
      : path_(std::move(path)), text_(std::move(text)) {}
  kept_pool(const kept_pool&) = delete;
  kept_pool& operator=(const kept_pool&) = delete;
  ~kept_pool() {
    if (is_replaced_) return;
    std::error_code ignored;
    if (text_)
      (void)system::write_file_atomically(path_, *text_);
    else
      std::filesystem::remove(path_, ignored);
  }
  void replaced() { is_replaced_ = true; }

 private:
  std::filesystem::path path_;
  std::optional<std::string> text_;
  bool is_replaced_ = false;
};

}  // namespace morph::pools
