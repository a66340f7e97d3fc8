// Linked files of the build and those that were recorded: shared libraries are paired without their versions.
#include "plugin/changes/library_versions.hpp"

#include <filesystem>
#include <sstream>

namespace morph::changes {
namespace {

using store::measured_link;

/// "lib/libgeo.so" of "lib/libgeo.so.3.0.1"; other paths as they are.
std::string without_version(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1, version = path.find(".so.", name);
  return version == std::string::npos ? path : path.substr(0, version + 3);
}

/// By the name without a version; null where several have it.
template <class Link>
std::map<std::string, const Link*> by_name(const std::vector<Link>& links) {
  std::map<std::string, const Link*> found;
  for (const Link& link : links) {
    if (!link.shared) continue;
    const auto [at, is_new] = found.emplace(without_version(link.path), &link);
    if (!is_new) at->second = nullptr;
  }
  return found;
}

template <class Link>
bool has_soname(const Link& link) {
  return link.options.find("-soname") != std::string::npos;
}

}  // namespace

const measured_link* link_pairs::of(const std::string& path) const {
  const auto at = recorded.find(path);
  return at == recorded.end() ? nullptr : at->second;
}

link_pairs pair_links(const std::vector<measured_link>& recorded, const std::vector<build::linked_file>& built) {
  std::map<std::string, const measured_link*> by_path;
  for (const measured_link& link : recorded) by_path.emplace(link.path, &link);
  const auto names_before = by_name(recorded);
  const auto names_now = by_name(built);
  link_pairs pairs;
  const auto add = [&](const build::linked_file& now, const measured_link& was) {
    pairs.recorded.emplace(now.path, &was);
    pairs.paths.emplace(was.path, now.path);
  };
  for (const build::linked_file& link : built) {
    if (const auto same = by_path.find(link.path); same != by_path.end()) {
      add(link, *same->second);
      continue;
    }
    const std::string name = without_version(link.path);
    const auto before = names_before.find(name);
    const auto now = names_now.find(name);
    if (before == names_before.end() || before->second == nullptr || now == names_now.end() || now->second != &link)
      continue;
    if (has_soname(link) && has_soname(*before->second)) add(link, *before->second);
  }
  return pairs;
}

bool is_linked_alike(const measured_link& was, const measured_link& is, const link_pairs& pairs) {
  if (was.options == is.options) return true;
  std::istringstream before(was.options), now(is.options);
  std::string one, other;
  while (before >> one) {
    if (!(now >> other)) return false;
    const std::string path = std::filesystem::path(one).lexically_normal().string();
    const auto at = pairs.paths.find(path);
    const bool is_renamed = at != pairs.paths.end() && path != was.path &&
                            at->second == std::filesystem::path(other).lexically_normal().string();
    if (one != other && !is_renamed) return false;
  }
  return !(now >> other);
}

}  // namespace morph::changes
