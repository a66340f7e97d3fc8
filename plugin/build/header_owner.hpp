// Which library of a build a header belongs to, and how others include it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/build/cmake_file_api.hpp"

namespace morph::build {

/// CMake before 4.2 tells nothing of interface libraries without sources: as far as CMakeLists.txt files say literally
/// what they are, they are added, with the include folders that they offer.
void add_interface_libraries(cmake_model& model);

/// The sources of a target that may define the function: they include a file of the header's name and name the
/// function.
struct possible_owner {
  const cmake_target* target = nullptr;
  std::vector<const compile_group*> groups;  // one for each of the sources
  std::vector<std::string> sources;
  bool names_function = true;  // false: these include the header alone
};

/// Libraries that list the header; else those with a source that may define the function, where it includes the header,
/// or one that the header includes; else those with a source that includes the header, its namesake first; else
/// interface libraries that offer its folder. In declared order.
std::vector<possible_owner> owners_of(const cmake_model& model, const std::filesystem::path& header,
                                      const std::string& function);

/// Programs that compile a source that may define the function: nothing can link these.
std::vector<possible_owner> programs_with(const cmake_model& model, const std::filesystem::path& header,
                                          const std::string& function);

/// As a source in `folder` that links the target includes the header: by the deepest of the folders that the target
/// offers, else by its way from `folder`.
std::string include_name(const cmake_target* target, const std::filesystem::path& header,
                         const std::filesystem::path& folder);

/// An include folder of some target that has a file of that name; empty if none has.
std::filesystem::path find_included(const cmake_model& model, const std::string& name);

}  // namespace morph::build
