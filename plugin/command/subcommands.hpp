// The subcommands of `morph`, in the order of its help.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "plugin/command/options.hpp"

namespace morph::command {

struct subcommand {
  const char* name;
  const char* summary;
  action (*add)(CLI::App&, const common_options&);
  const char* footer;
};

std::span<const subcommand> subcommands();

}  // namespace morph::command
