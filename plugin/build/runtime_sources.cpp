// Telling them from the project's.
#include "plugin/build/runtime_sources.hpp"

#include "plugin/system/files.hpp"

namespace morph::build {
bool is_runtime_source(const build_tree& tree, std::string_view path) {
  return system::is_inside(path, tree.runtime.string());
}

}  // namespace morph::build
