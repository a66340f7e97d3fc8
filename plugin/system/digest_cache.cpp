// The record, and when it may be believed.
#include "plugin/system/digest_cache.hpp"

#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::system {
namespace {

using nlohmann::json;

std::int64_t nanoseconds(const timespec& t) {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

digest_cache::digest_cache(std::filesystem::path record, digest_of_content digest)
    : record_(std::move(record)), digest_(std::move(digest)) {
  const auto text = record_.empty() ? tl::unexpected(std::string()) : read_file(record_);
  const json all = text ? json::parse(*text, nullptr, false) : json();
  if (!all.is_object()) return;
  try {
    for (const auto& [path, entry] : all.items()) known_[path] = {entry.at(0), entry.at(1)};
  } catch (const json::exception&) {
    known_.clear();  // of another version
  }
}

digest_cache::~digest_cache() {
  if (!is_changed_ || record_.empty()) return;
  constexpr std::size_t most_known = 20000;  // tests may read files of new names for ever
  if (known_.size() > most_known)
    std::erase_if(known_, [&](const auto& entry) { return !used_.contains(entry.first); });
  json all = json::object();
  for (const auto& [path, entry] : known_) all[path] = {entry.stamp, entry.digest};
  static_cast<void>(write_file_atomically(record_, json_text(all)));
}

std::optional<std::string> digest_cache::of(const std::string& path, const struct stat& facts) {
  const std::vector<std::int64_t> stamp{facts.st_size, nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim),
                                        static_cast<std::int64_t>(facts.st_ino)};
  used_.insert(path);
  if (const auto at = known_.find(path); at != known_.end() && at->second.stamp == stamp) return at->second.digest;
  const auto content = read_file(path);
  if (!content) return std::nullopt;
  std::string digest = digest_(*content);
  // Who changes a file within the same tick of the clock leaves its times as they are.
  constexpr std::int64_t settled = 2'000'000'000;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (nanoseconds(now) - nanoseconds(facts.st_ctim) > settled) {
    known_[path] = {stamp, digest};
    is_changed_ = true;
  }
  return digest;
}

}  // namespace morph::system
