// The line of CMake that makes a program of a spec, and where it goes.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/build/cmake_file_api.hpp"

namespace morph::build {

struct cmake_line {
  std::filesystem::path file;  // the CMakeLists.txt
  std::string added;           // the lines; empty if they are there already
  std::string content;         // of the file with them
  std::vector<std::string> notes;
};

/// What a spec is made of beside its source.
struct spec_parts {
  std::vector<std::string> sources{};  // further ones; absolute
  std::vector<std::string> link{};     // libraries
  std::string like{};                  // a target: it is compiled and linked as this one is
};

/// For the CMakeLists.txt that declares the target it is like, else for the nearest one from the source's folder
/// upwards. Errors: there is none up to the top, it is no CMake
/// code, or a target of that name is there already.
tl::expected<cmake_line, std::string> propose_cmake_line(const std::filesystem::path& source, const std::string& target,
                                                         const spec_parts& parts, const cmake_model* model);

}  // namespace morph::build
