// Looking at all of a store.
#include "plugin/workspace/sound_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <set>
#include <utility>

#include "plugin/git/repository.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::workspace {

namespace fs = std::filesystem;
using store::evidence_store;

namespace {

/// The first of what is wrong with it; every byte that a plan relies on is read.
result<void> check(evidence_store& opened) {
  const auto findings = opened.verify();
  if (!findings) return tl::unexpected(findings.error());
  if (!findings->empty())
    return tl::unexpected(fmt::format("evidence store '{}' is damaged: {}", opened.path(), findings->front()));
  const auto measurements = opened.measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  std::set<std::string> blobs;
  for (const auto& m : *measurements)
    for (const auto& file : m.taken_from.overrides)
      if (file.blob) blobs.insert(*file.blob);
  for (const std::string& hash : blobs) {
    const auto content = opened.blob(hash);
    if (!content) return tl::unexpected(content.error());
    const bool has_text = hash_in(hash) == hash;
    if (has_text ? git::blob_hash(*content) != hash : !content->empty())
      return tl::unexpected(
          fmt::format("evidence store '{}' is damaged: the content of blob {} is another", opened.path(), hash));
  }
  return {};
}

}  // namespace

std::uintmax_t size_of_file(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

result<evidence_store> open_sound(const std::string& path) {
  auto opened = evidence_store::open_for_reading(path);
  if (!opened) return tl::unexpected(opened.error());
  if (!*opened) return tl::unexpected(fmt::format("there is no evidence store '{}'", path));
  if (auto sound = check(**opened); !sound) return tl::unexpected(sound.error());
  return std::move(**opened);
}

result<held_store> hold_sound(const std::string& path) {
  auto opened = evidence_store::open_for_writing(path);
  if (!opened) return tl::unexpected(opened.error());
  if (auto sound = check(*opened); !sound) return tl::unexpected(sound.error());
  auto held = opened->hold();
  if (!held) return tl::unexpected(held.error());
  return held_store{std::move(*opened), std::move(*held)};
}

std::string date_of(std::int64_t at) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(at)));
}

}  // namespace morph::workspace
