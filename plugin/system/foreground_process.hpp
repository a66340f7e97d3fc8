// Running a program as a shell does: with our terminal, in our process group, so that Ctrl-C reaches it too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/system/process.hpp"

namespace morph::system {

struct foreground_command {
  std::vector<std::string> arguments;  // the program first; searched in PATH when it has no slash
  std::string directory{};             // empty = ours
  environment_changes environment{};   // over ours
  /// If set, what it writes to stdout and stderr arrives here as it comes; else both are ours.
  std::function<void(std::string_view)> on_output{};
};

/// Blocks until the program has ended. SIGINT and SIGTERM are passed on to it and leave us alive: if one came, the end
/// is `interrupted` with the signal as its code, however the program ended.
process_end run_in_foreground(const foreground_command& what);

}  // namespace morph::system
