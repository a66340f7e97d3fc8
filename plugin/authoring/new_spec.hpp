// `morph spec new`: a spec of a function, and the line of CMake that makes its program.
#pragma once

#include <string>
#include <vector>

#include "plugin/contract/failure.hpp"
#include "plugin/system/result.hpp"

namespace morph::authoring {

struct new_spec {
  std::string name, header, function, input, target, folder = ".", spec_template;
  std::vector<std::string> link, flags;
  bool force = false, dry_run = false, no_cmake = false, no_check = false;
  std::string build{}, config{};  // the build tree; empty: the newest one of the project around `folder`
};

/// What was written, or would be.
struct new_spec_report {
  std::string json;  // schema morph.spec-new/1, with an end of line
  std::string text;
};

/// Reads the header with Clang, writes NAME.spec.cpp, and adds the line to the nearest CMakeLists.txt, all or nothing.
contract::outcome<new_spec_report> write_spec(const new_spec& asked);

/// Morph's template, or the file of this name.
result<std::string> template_text(const std::string& named);

}  // namespace morph::authoring
