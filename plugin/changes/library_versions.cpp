// Linked files among those that were recorded: shared libraries by their paths without versions.
#include "plugin/changes/library_versions.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace morph::changes {
namespace {

namespace fs = std::filesystem;
using store::measured_link;

template <class Links>
std::vector<std::string> option_words(const measured_link& link, const Links& all) {
  std::vector<std::string> found;
  std::istringstream words(link.options);
  for (std::string word; words >> word;) {
    const std::string path = fs::path(word).lexically_normal().string();
    const bool is_library = std::any_of(all.begin(), all.end(), [&](const auto& other) {
      return other.shared && other.path == path && other.path != link.path;
    });
    found.push_back(is_library ? without_version(path) : word);
  }
  return found;
}

}  // namespace

std::string without_version(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1, version = path.find(".so.", name);
  return version == std::string::npos ? path : path.substr(0, version + 3);
}

const measured_link* recorded_link(const std::vector<measured_link>& recorded, const std::string& path, bool shared) {
  const measured_link* alike = nullptr;
  bool is_only = true;
  for (const measured_link& link : recorded) {
    if (link.path == path) return &link;
    if (!shared || !link.shared || without_version(link.path) != without_version(path)) continue;
    is_only = alike == nullptr;
    alike = &link;
  }
  return is_only ? alike : nullptr;
}

bool is_linked_alike(const measured_link& was, const std::vector<measured_link>& all_before, const measured_link& is,
                     const std::vector<build::linked_file>& all_now) {
  return was.options == is.options || option_words(was, all_before) == option_words(is, all_now);
}

}  // namespace morph::changes
