// What CLI11 knows of the command line, for the reference and for hints.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "plugin/reference/commands.hpp"

namespace morph::command {

/// Options of groups are among them. Without those that `known` has, too.
std::vector<reference::described_option> options_of(const CLI::App& command, const CLI::App* known);

/// With all that is below.
reference::described_command description_of(const CLI::App& command, const CLI::App* known);

}  // namespace morph::command
