// morph script: what its parts share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plugin/command/options.hpp"
#include "plugin/scripting/files.hpp"

namespace morph::command {

action add_script(CLI::App& app, const common_options& common);

struct script_arguments {
  std::string name, suite, log, messages;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  bool force = false, dry_run = false, keeps_going = false, with_times = false;
};

/// Where scripts are looked for; without a build tree only where one stands.
struct script_surroundings {
  std::filesystem::path here;
  std::optional<build::build_tree> tree;
  scripting::script_folders folders;
};
/// Nothing if --build names none, which is said.
std::optional<script_surroundings> script_surroundings_of(const common_options& common);

/// One line.
std::string script_json(const nlohmann::json& value);

/// Logs it; the code.
int script_error_exit(int code, const std::string& what);

/// `commands`: what steps may begin with.
int play_script(script_arguments what, const common_options& common, const std::vector<std::string>& commands);

}  // namespace morph::command
