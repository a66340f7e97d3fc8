#include "coverage/source/files.hpp"

#include <filesystem>

namespace morph::source {

std::string one_name(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}
namespace {

bool lies_in(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

bool file_choice::contains(std::string_view path) const {
  if (!lies_in(path, root)) return false;
  for (const std::string& each : except)
    if (path == each || lies_in(path, each)) return false;
  return true;
}

}  // namespace morph::source
