// Stamps, hashes, changes.
#include "plugin/workspace/watched_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::workspace {
namespace {

namespace fs = std::filesystem;
using git::file_change;
using nlohmann::json;

/// Before the hash of a file whose text is not kept; the store has an empty one under that name.
constexpr std::string_view without_text = "without-text-";
constexpr std::size_t largest_text = std::size_t{1} << 20;

bool is_text(const std::string& content) {
  return content.find('\0') == std::string::npos;
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.insert(line);
  return lines;
}

git::file_change change_of(const std::string& name, git::file_change::kind how) {
  git::file_change change;
  change.how = how;
  change.path = name;
  return change;
}

}  // namespace

bool is_watched_apart(const std::string& name) {
  return git::is_outside(name) || name.ends_with('/');
}

std::string_view hash_in(const std::string& blob) {
  const std::string_view text = blob;
  return text.starts_with(without_text) ? text.substr(without_text.size()) : text;
}

bool has_uncommitted_changes(const store::snapshot& measured) {
  return !std::all_of(measured.overrides.begin(), measured.overrides.end(),
                      [](const store::override_file& file) { return is_watched_apart(file.path); });
}

outside_rules::outside_rules(const build::build_tree& twin) : folders_(build::read_include_folders(twin.binary_dir)) {
  std::error_code error;
  const fs::path tree = fs::weakly_canonical(twin.binary_dir, error);
  const bool is_inner = tree.parent_path().filename() == "morph-twin";
  products_.insert((is_inner ? tree.parent_path().parent_path() : tree).string());
}

bool outside_rules::counts(const std::string& path) const {
  const auto [known, is_new] = counts_.try_emplace(path, false);
  if (!is_new || build::is_of_system(path) || build::is_of_tools(path)) return known->second;
  const bool is_product = std::any_of(products_.begin(), products_.end(),
                                      [&](const auto& folder) { return system::is_inside(path, folder); });
  const auto [folder, added] = is_of_morph_.try_emplace(fs::path(path).parent_path());
  std::error_code error;
  if (added)
    for (const fs::path& own : {folder->first / "MorphConfig.cmake", folder->first.parent_path() / "MorphConfig.cmake",
                                folder->first / "morph_counters.ld"})
      folder->second = folder->second || fs::exists(own, error);
  return known->second = !is_product && !folder->second;
}

bool outside_rules::is_others(const std::string& path, const std::string& name) const {
  const bool is_installed = name.starts_with("/opt/") || name.starts_with("/usr/local/");
  return is_installed || folders_.are_others(path);
}

watched_files::watched_files(const build::build_tree& tree, const git::repository& repo,
                             const selection::file_kinds& kinds)
    : file_(tree.own_dir() / "watched.json"),
      repo_(repo),
      kinds_(kinds),
      contents_(tree.own_dir() / "watched_digests.json", git::blob_hash) {
  const auto text = system::read_file(file_);
  const json names = text ? json::parse(*text, nullptr, false) : json();
  if (names.is_array()) try {
      names_ = names.get<std::set<std::string>>();
    } catch (const json::exception&) {
      names_.clear();  // of another version
    }
}

watched_files::~watched_files() {
  if (!is_changed_) return;
  static_cast<void>(system::write_file_atomically(file_, json_text(json(names_))));
}

std::optional<std::string> watched_files::hash_of(const std::string& name) {
  const auto [at, added] = now_.try_emplace(name);
  if (!added) return at->second;
  if (name.ends_with('/')) {
    if (const auto content = content_of(name)) at->second = git::blob_hash(*content);
    return at->second;
  }
  struct stat facts {};
  const std::string path = path_of(name).string();
  if (::stat(path.c_str(), &facts) == 0) at->second = contents_.of(path, facts);
  return at->second;
}

bool watched_files::is_as(const store::override_file& measured) {
  const auto now = hash_of(measured.path);
  return measured.blob ? now && *now == hash_in(*measured.blob) : !now;
}

std::optional<std::string> watched_files::content_of(const std::string& name) const {
  std::error_code error;
  if (name.ends_with('/'))
    return fs::is_directory(path_of(name), error) ? std::optional(sources_in(name)) : std::nullopt;
  auto content = system::read_file(path_of(name));
  return content ? std::optional(std::move(*content)) : std::nullopt;
}

/// One line each.
std::string watched_files::sources_in(const std::string& name) const {
  std::set<std::string> sources;
  std::error_code error;
  for (fs::directory_iterator at(path_of(name), error), last; !error && at != last; at.increment(error)) {
    const std::string file = at->path().filename().string();
    const bool counts = file.find('\n') == std::string::npos && kinds_.counts_untracked(name + file);
    if (std::error_code none; counts && at->is_regular_file(none)) sources.insert(file);
  }
  std::string text;
  for (const std::string& source : sources) text += source + '\n';
  return text;
}

result<std::vector<git::file_change>> watched_files::changes_since(const std::vector<store::override_file>& measured,
                                                                   store::evidence_store& evidence) {
  std::vector<git::file_change> changes;
  std::set<std::string> watched;
  for (const store::override_file& file : measured) watched.insert(file.path);
  for (const store::override_file& file : measured) {
    if (!is_watched_apart(file.path) || !file.blob || is_as(file)) continue;
    const bool has_text = !file.blob->starts_with(without_text);
    const auto before = has_text ? evidence.blob(*file.blob) : result<std::string>("");
    if (!before) return tl::unexpected(before.error());
    const auto after = content_of(file.path);
    if (file.path.ends_with('/')) {
      const auto was = lines_of(*before), is = lines_of(after.value_or(""));
      const auto add = [&](const auto& some, const auto& others, git::file_change::kind how) {
        for (const std::string& source : some)
          if (const std::string name = file.path + source; others.count(source) == 0 && watched.count(name) == 0)
            changes.push_back(change_of(name, how));
      };
      add(is, was, git::file_change::kind::added);
      add(was, is, git::file_change::kind::deleted);
      continue;
    }
    git::file_change change =
        change_of(file.path, after ? git::file_change::kind::modified : git::file_change::kind::deleted);
    if (after) {
      change.binary = !has_text || !is_text(*before) || !is_text(*after);
      if (!change.binary) git::set_texts(change, *before, *after);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

void watched_files::set_names(std::set<std::string> names) {
  is_changed_ = is_changed_ || names != names_;
  names_ = std::move(names);
}

void watched_files::add_names(const std::vector<store::override_file>& measured) {
  for (const store::override_file& file : measured)
    if (is_watched_apart(file.path)) is_changed_ = names_.insert(file.path).second || is_changed_;
}

std::optional<kept_file> keep_file(watched_files& files, const std::string& name, bool whole) {
  const auto hash = files.hash_of(name);
  if (!hash) return std::nullopt;
  if (whole) {
    auto content = files.content_of(name);
    if (!content) return std::nullopt;
    if (content->size() <= largest_text && is_text(*content)) {
      std::string own = git::blob_hash(*content);  // it may have changed by now
      return kept_file{{name, std::move(own)}, std::move(*content)};
    }
  }
  return kept_file{{name, std::string(without_text) + *hash}, {}};
}

}  // namespace morph::workspace
