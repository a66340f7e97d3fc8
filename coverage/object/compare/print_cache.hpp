// Prints of objects kept in a folder, so that only objects that changed are read again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "coverage/object/compare/link_unit.hpp"

namespace morph::object {

/// How inputs were answered.
struct cache_figures {
  std::size_t unchanged = 0;  // by size, times and inode
  std::size_t same = 0;       // by content
  std::size_t read = 0;       // objects
};

/// Memory for one file after the other: fresh memory costs more than reading.
class file_buffer {
 public:
  /// Of at least that size, with anything in it.
  char* of(std::size_t size);

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

/// Files named by content hold prints; a file a path says which contents it had, at which size, time and inode. Each is
/// written beside and renamed, so that processes may share the folder; what cannot be read is made again, and a folder
/// that cannot be written costs only time. Not for two threads at once.
class print_cache {
 public:
  /// No folder: nothing is kept. `roots` and `how` as those of an object_reader.
  explicit print_cache(std::filesystem::path folder = {}, std::vector<std::string> roots = {},
                       detail how = detail::functions);

  /// An object or an archive as an argument of a linker; `name` is its path in messages and in units. An error says
  /// what is missing, not supported, damaged, or changes while it is read: then everything counts as changed.
  tl::expected<link_item, std::string> read(const std::filesystem::path& file, const std::string& name);

  /// The same, without the prints of what is known by size, times and inode: load() gets these.
  tl::expected<link_item, std::string> identify(const std::filesystem::path& file, const std::string& name);
  /// The print of an object of that content; null if the folder does not have it.
  std::shared_ptr<const object_print> load(const digest& of) const;

  const cache_figures& figures() const { return figures_; }

 private:
  struct entry;
  struct content;

  struct written_print {
    std::shared_ptr<const object_print> print;
    digest written;
  };
  tl::expected<written_print, std::string> print_of(std::string_view bytes, const digest& of, const std::string& name);
  std::optional<written_print> kept(const digest& of) const;
  tl::expected<entry, std::string> read_entry(const std::filesystem::path& file, const std::string& name,
                                              link_item& item);
  bool answer(const entry& known, link_item& item);
  tl::expected<link_item, std::string> read_as(const std::filesystem::path& file, const std::string& name,
                                               bool with_prints);
  void keep(const std::filesystem::path& as, std::string_view bytes) const;
  std::filesystem::path print_file(const digest& of) const;
  std::filesystem::path entry_file(const std::filesystem::path& of) const;

  std::filesystem::path folder_;
  digest roots_;
  object_reader reader_;
  file_buffer buffer_;
  cache_figures figures_;
};

}  // namespace morph::object
