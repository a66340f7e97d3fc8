// The file that keeps them.
#include "plugin/command/linked_digests.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "coverage/object/linked_digest.hpp"
#include "plugin/project/files.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path record_of(const project::build_tree& tree) {
  return tree.own_dir() / "linked.json";
}

}  // namespace

linked_digests::linked_digests(const project::build_tree& tree) : tree_(tree) {
  const auto text = project::read_file(record_of(tree));
  const json all = text ? json::parse(*text, nullptr, false) : json();
  if (!all.is_object()) return;
  for (const auto& [path, entry] : all.items())
    if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string())
      known_[path] = {entry[0], entry[1]};
}

linked_digests::~linked_digests() {
  if (!is_new_) return;
  json all = json::object();
  for (const auto& [path, entry] : known_) all[path] = {entry.stamp, entry.digest};
  static_cast<void>(
      project::write_file_atomically(record_of(tree_), all.dump(-1, ' ', false, json::error_handler_t::replace)));
}

std::string linked_digests::of(const std::string& path) {
  const fs::path file = tree_.binary_dir / path;
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return {};
  const std::string stamp = fmt::format("{} {}.{:09} {}.{:09} {}", s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                                        s.st_ctim.tv_sec, s.st_ctim.tv_nsec, s.st_ino);
  if (const auto at = known_.find(path); at != known_.end() && at->second.stamp == stamp) return at->second.digest;
  const auto bytes = project::read_file(file);
  if (!bytes) return {};
  const std::string digest = object::hex(object::digest_of_linked(*bytes));
  // What was written just now may be written once more at the same time.
  constexpr std::time_t settled = 2;
  if (std::time(nullptr) - s.st_ctim.tv_sec > settled) {
    known_[path] = {stamp, digest};
    is_new_ = true;
  }
  return digest;
}

}  // namespace morph::command
