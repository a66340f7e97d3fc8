// Out of link lines.
#include "plugin/scout/test_program.hpp"

#include <algorithm>
#include <set>

#include "plugin/build/compiling.hpp"

namespace morph::scout {

namespace fs = std::filesystem;

std::string object_of(const build::build_tree& tree, const build::compile_unit& unit) {
  const fs::path whole = (fs::path(unit.directory) / unit.object).lexically_normal();
  const fs::path relative = whole.lexically_relative(tree.binary_dir);
  return relative.empty() || *relative.begin() == ".." ? whole.string() : relative.string();
}

std::optional<program_of_tests> program_of(const build::build_tree& tree, const std::vector<build::linked_file>& linked,
                                           const build::compile_unit& unit) {
  const std::string own = object_of(tree, unit);
  const auto program = std::ranges::find_if(linked, [&](const build::linked_file& each) {
    return !each.archive && std::ranges::any_of(each.inputs, [&](const auto& input) { return input.path == own; });
  });
  if (program == linked.end()) return std::nullopt;
  program_of_tests made{.file = tree.binary_dir / program->path};
  for (const auto& input : program->inputs) {
    if (input.path == own) continue;
    const bool is_object = input.path.ends_with(".o") || input.path.ends_with(".obj");
    (is_object ? made.objects : made.libraries).push_back(input.path);
  }
  for (const std::string& each : build::library_words(program->options)) made.libraries.push_back(each);
  std::set<std::string> folders;
  for (const std::string& each : made.libraries)
    if (!each.starts_with("-") && each.find(".so") != std::string::npos)
      folders.insert((tree.binary_dir / each).parent_path().string());
  made.run_paths.assign(folders.begin(), folders.end());
  return made;
}

}  // namespace morph::scout
