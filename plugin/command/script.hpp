// morph script, as main.cpp adds it.
#pragma once

#include "plugin/command/command.hpp"

namespace morph::command {

action add_script(CLI::App& app, const common_options& common);

}  // namespace morph::command
