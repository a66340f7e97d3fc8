// What studio's server and its saved pages are made with.
#pragma once

#include "plugin/build/build_tree.hpp"
#include "plugin/command/options.hpp"
#include "plugin/studio/settings.hpp"

namespace morph::command {

/// Without commands and port.
studio::settings studio_settings(const build::build_tree& tree, const common_options& common);

}  // namespace morph::command
