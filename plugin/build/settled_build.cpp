// Link lines, the times of files, and the contents of what comes from elsewhere.
#include "plugin/build/settled_build.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "plugin/build/link_lines.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_builds = 4;

struct file_facts {
  std::int64_t size = 0;
  std::int64_t modified = 0;  // nanoseconds since 1970
  std::string text() const { return fmt::format("{} {}", size, modified); }
};

std::optional<file_facts> facts_of(const fs::path& file) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return std::nullopt;
  return file_facts{s.st_size, std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec};
}

/// Nothing that this build compiles or links.
std::set<std::string> from_elsewhere(const linked_file& link, const std::set<std::string>& products) {
  std::set<std::string> found;
  for (const link_input& input : link.inputs) {
    const bool is_object_of_build = input.path.ends_with(".o") && input.path.find(".dir/") != std::string::npos;
    if (products.count(input.path) == 0 && !is_object_of_build) found.insert(input.path);
  }
  return found;
}

using reasons = std::map<std::string, std::string>;  // by file

class build_state {
 public:
  build_state(const settled_build& how, std::vector<linked_file> links) : how_(how), links_(std::move(links)) {
    for (const linked_file& link : links_) products_.insert(link.path);
  }

  /// Files that are made of something else than what is there.
  reasons stale(const json& record) {
    const std::int64_t now = std::int64_t{std::time(nullptr)} * 1'000'000'000;
    reasons found;
    for (const linked_file& link : links_) {
      const auto made = facts_of(how_.binary_dir / link.path);
      if (!made) continue;
      for (const link_input& input : link.inputs) {
        const auto part = facts_of(how_.binary_dir / input.path);
        // The time of a file from a machine whose clock is ahead tells nothing.
        if (part && part->modified > made->modified && part->modified <= now)
          found.try_emplace(link.path, fmt::format("'{}' is older than '{}'", link.path, input.path));
      }
      const json* const known = record.is_object() && record.contains(link.path) ? &record.at(link.path) : nullptr;
      if (known == nullptr || known->value("file", "") != made->text()) continue;
      for (const std::string& path : from_elsewhere(link, products_))
        if (known->value("of", json::object()).value(path, content(path)) != content(path))
          found.try_emplace(link.path, fmt::format("'{}' was linked of another '{}'", link.path, path));
    }
    return found;
  }

  json record() {
    json all{{"schema", contract::links_schema}};
    for (const linked_file& link : links_) {
      const auto made = facts_of(how_.binary_dir / link.path);
      const auto parts = from_elsewhere(link, products_);
      if (!made || parts.empty()) continue;
      json of = json::object();
      for (const std::string& path : parts) of[path] = content(path);
      all[link.path] = {{"file", made->text()}, {"of", of}};
    }
    return all;
  }

  /// The links that may be made again: by their contents.
  std::set<std::string> open(const std::string& planned, const reasons& stale) const {
    std::set<std::string> found;
    for (const linked_file& link : links_)
      if (!link.archive && (stale.count(link.path) != 0 || planned.find(link.path) != std::string::npos))
        found.insert(link.path);
    return found;
  }

  /// Whether a step names anything that is linked. What a build tool plans is all that may become another.
  bool concerns_links(const std::string& planned) const {
    // Then the steps behind it are not shown.
    if (planned.find("Re-running CMake") != std::string::npos) return true;
    return std::any_of(links_.begin(), links_.end(),
                       [&](const linked_file& link) { return planned.find(link.path) != std::string::npos; });
  }

  std::map<std::string, std::string> links(const std::set<std::string>& by_content) {
    std::map<std::string, std::string> found;
    for (const linked_file& link : links_) {
      const auto made = facts_of(how_.binary_dir / link.path);
      if (!link.archive && made)
        found[link.path] = by_content.count(link.path) != 0 ? content(link.path) : made->text();
    }
    return found;
  }

 private:
  std::string content(const std::string& path) {
    const auto [at, is_new] = contents_.try_emplace(path);
    if (is_new)
      if (const auto text = system::read_file(how_.binary_dir / path)) at->second = git::blob_hash(*text);
    return at->second;
  }

  const settled_build& how_;
  std::vector<linked_file> links_;
  std::set<std::string> products_;
  std::map<std::string, std::string> contents_;
};

json read_record(const fs::path& file) {
  const auto text = system::read_file(file);
  json record = text ? json::parse(*text, nullptr, false) : json();
  const bool is_ours = record.is_object() && record.value("schema", json()) == contract::links_schema;
  return is_ours ? record : json::object();
}

}  // namespace

result<void> settle(const settled_build& how) {
  const json before_build = read_record(how.record);
  struct {
    reasons stale;
    std::string planned, object;
    std::set<std::string> open;
    std::map<std::string, std::string> links;
  } before;
  for (int builds = 1;; ++builds) {
    auto found = linked_files(how.binary_dir);
    if (!found) return {};  // of a generator whose link lines nobody reads
    build_state state(how, std::move(*found));
    const reasons stale = state.stale(before_build);
    std::string planned = how.planned();
    if (!state.concerns_links(planned)) planned.clear();
    const std::string object = how.asks_objects ? how.stale_object() : std::string();
    // What is left to do every time, such as a build step of an external project, changes nothing.
    const bool is_left_every_time = builds > 1 && stale == before.stale && planned == before.planned &&
                                    object == before.object && state.links(before.open) == before.links;
    if ((stale.empty() && planned.empty() && object.empty()) || is_left_every_time) {
      // Without it, what comes from elsewhere with an older time is not noticed.
      static_cast<void>(system::write_file_atomically(how.record, state.record().dump()));
      return {};
    }
    if (builds > most_builds) {
      const std::string first = stale.empty() ? object : stale.begin()->second;
      if (first.empty()) return {};  // other programs each time, such as of a time stamp, and up to date each time
      return tl::unexpected(fmt::format(
          "the build in '{}' never is up to date: after {} builds {}; the command that makes the newer file "
          "runs behind what needs it: declare the file in its BYPRODUCTS (of an external project: of the "
          "step that writes it), or let it write only what differs",
          how.binary_dir.string(), builds, first));
    }
    before = {stale, planned, object, state.open(planned, stale), {}};
    before.links = state.links(before.open);
    std::error_code ignored;
    for (const auto& [file, why] : stale) fs::remove(how.binary_dir / file, ignored);
    if (auto built = how.build(); !built) return built;
  }
}

}  // namespace morph::build
