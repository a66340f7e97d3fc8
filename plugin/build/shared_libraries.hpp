// Which shared libraries a program needs, where the loader finds them, and which build of each that is.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace morph::build {

struct needed_library {
  std::filesystem::path path;  // as the loader opens it
  bool by_variable = false;    // it lies in a folder of LD_LIBRARY_PATH
};

/// What DT_NEEDED of a program asks for, directly and through other libraries; by path. Found as ld.so does (RPATH,
/// LD_LIBRARY_PATH, RUNPATH, ld.so.cache, the system's folders), without running anything. Of several builds for
/// different processors all count. Nothing of what is no 64-bit ELF program, or is not found.
std::vector<needed_library> needed_libraries(const std::filesystem::path& program, const std::string& library_path);

/// Entries of an ld.so.cache by name: the paths of `soname` in it.
std::vector<std::string> paths_in_loader_cache(std::string_view cache, std::string_view soname);

/// Equal for equal builds: the build id of an ELF file, else none.
std::optional<std::string> build_id_of(const std::filesystem::path& library);

/// The build id, else size and digest of the content. Contents are read again only when size or time differ from what
/// `cache` remembers (a file; empty = none). Nothing if there is no such file.
class library_identities {
 public:
  explicit library_identities(std::filesystem::path cache = {});
  ~library_identities();
  library_identities(const library_identities&) = delete;
  library_identities& operator=(const library_identities&) = delete;

  std::optional<std::string> of(const std::filesystem::path& library);

 private:
  struct contents;
  std::filesystem::path cache_;
  std::unique_ptr<contents> known_;
};

}  // namespace morph::build
