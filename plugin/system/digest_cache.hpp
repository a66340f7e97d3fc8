// Digests of files, kept from run to run: a file is read again only when its size, times or number differ.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace morph::system {

class digest_cache {
 public:
  using digest_of_content = std::function<std::string(const std::string& content)>;

  /// `record`: the file that keeps them, empty = none. One that cannot be read or written costs time alone.
  digest_cache(std::filesystem::path record, digest_of_content digest);
  ~digest_cache();
  digest_cache(const digest_cache&) = delete;
  digest_cache& operator=(const digest_cache&) = delete;

  /// `facts`: of stat(2). Nothing if the file cannot be read.
  std::optional<std::string> of(const std::string& path, const struct stat& facts);

 private:
  struct known {
    std::vector<std::int64_t> stamp;  // size, times, inode
    std::string digest;
  };
  std::filesystem::path record_;
  digest_of_content digest_;
  std::map<std::string, known> known_;
  std::set<std::string> used_;
  bool is_changed_ = false;
};

}  // namespace morph::system
