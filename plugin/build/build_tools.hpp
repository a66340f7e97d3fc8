// Which of a project's programs the build itself runs to make files: code generators and their like.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// The objects, relative to the build tree, that such programs and the libraries they link are made of. What these do
/// shows in generated files, whoever executes them. Custom targets without products do not count.
/// Reads build.ninja, or the build.make files of Makefiles.
result<std::set<std::string>> objects_of_build_tools(const build_tree& tree);

/// The same out of the text of a build.ninja, and of all build.make files of a tree, one behind the other.
std::set<std::string> ninja_tool_objects(std::string_view text);
std::set<std::string> make_tool_objects(std::string_view text);

}  // namespace morph::build
