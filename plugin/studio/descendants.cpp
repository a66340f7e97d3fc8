// Reads them from /proc.
#include "plugin/studio/descendants.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace morph::studio {
namespace {

namespace fs = std::filesystem;

void add_children(pid_t process, std::vector<pid_t>& to) {
  std::error_code ignored;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), ignored)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) to.push_back(child);
  }
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> found;
  add_children(process, found);
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
  return found;
}

}  // namespace morph::studio
