// Text files that the program carries: the CI recipes, the tasks of editors and the spec of templates/, and the manual
// of the CMake module.
#pragma once

#include <span>
#include <string_view>

namespace morph::setup {

struct recipe {
  std::string_view service;  // as `morph init --ci`, or `--editor`, names it
  std::string_view path;     // where that looks for it, relative to the repository
  std::string_view text;
};
std::span<const recipe> recipes();
std::span<const recipe> editor_tasks();

/// templates/spec.cpp.in: what `morph spec new` fills in.
std::string_view spec_template();

/// Morph.cmake as it stands; its manual is the comment at the top.
std::string_view cmake_module();

}  // namespace morph::setup
