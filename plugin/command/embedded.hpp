// Text files that the program carries: the CI recipes of templates/ and the manual of the CMake module.
#pragma once

#include <span>
#include <string_view>

namespace morph::command {

struct recipe {
  std::string_view service;  // as `morph init --ci` names it
  std::string_view path;     // where the service looks for it, relative to the repository
  std::string_view text;
};
std::span<const recipe> recipes();

/// Morph.cmake as it stands; its manual is the comment at the top.
std::string_view cmake_module();

}  // namespace morph::command
