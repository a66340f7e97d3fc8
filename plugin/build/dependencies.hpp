// Which files each object of a build tree was compiled from, out of the build tool's own records.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// Object path relative to the build tree -> absolute paths of everything its compilation read, the main source first.
using dependency_map = std::map<std::string, std::vector<std::string>>;

/// Ninja: `ninja -t deps`. Makefiles: the .o.d files that CMake (3.20 and later) has the compiler write.
result<dependency_map> read_dependencies(const build_tree& tree);

/// The output of `ninja -t deps`, without what linkers read.
dependency_map parse_ninja_deps(std::string_view text, const std::filesystem::path& build_dir);

/// The prerequisites of the first rule of a make dependency file.
std::vector<std::string> parse_make_rule(std::string_view text);

}  // namespace morph::build
