// morph spec new: writes a spec of a function, and the line of CMake that makes its program.
#pragma once

#include "plugin/command/options.hpp"

namespace morph::command {

action add_spec_new(CLI::App& app, const common_options& common);

}  // namespace morph::command
