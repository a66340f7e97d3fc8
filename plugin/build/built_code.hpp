// Whether what a build made is up to date with its sources, and which objects are in which program.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/dependencies.hpp"
#include "plugin/build/link_lines.hpp"

namespace morph::build {

struct built_code {
  std::vector<linked_file> links;  // programs and shared libraries that are there
  /// Object -> what its compilation read, without the system's headers: absolute paths.
  dependency_map dependencies;
  std::map<std::string, std::vector<std::string>> objects_of_archive;
  std::int64_t newest = 0;  // when the last of the links was made: nanoseconds since 1970
  std::string stale{};      // which file is older than what it is made of; empty if none is

  /// The objects of a program, those in its static libraries included; relative to the build tree.
  std::set<std::string> objects_of(const linked_file& link) const;
  /// Objects that `unit` may mean: itself, or what a static library's member was made of.
  std::vector<std::string> objects_named(const std::string& path, const std::string& member) const;
};

/// What is there, up to date or not.
/// `also_read`: what is known of objects from elsewhere, such as from the twin. Precompiled headers are in neither.
/// `without`: programs, relative to the build tree, that were left out of the build.
result<built_code> read_any_build(const build_tree& tree, const dependency_map& also_read,
                                  const std::set<std::string>& without = {});

/// The same, but `stale` is an error: nothing can be said of code that is not built.
result<built_code> read_built_code(const build_tree& tree, const dependency_map& also_read,
                                   const std::set<std::string>& without = {});

}  // namespace morph::build
