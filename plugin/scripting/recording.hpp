// Recording: while it is on in a build tree, the commands that the user types there are written into a script.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/scripting/files.hpp"
#include "plugin/system/observer.hpp"

namespace morph::scripting {

/// Set for the steps of a script: the files that play them, a line each.
inline constexpr const char* script_variable = "MORPH_SCRIPT";

/// The script that is being recorded in the build tree, if there is one.
result<std::optional<std::filesystem::path>> recording_of(const std::filesystem::path& build);

/// Writes the script's first lines, and remembers it. The file is new or may be replaced.
result<void> start_recording(const std::filesystem::path& build, const std::filesystem::path& script);
result<void> stop_recording(const std::filesystem::path& build);

/// What a recording is written into, and how many commands it has got.
struct recorded_script {
  std::filesystem::path file;
  std::optional<std::size_t> commands{};  // nothing: it goes on
};
/// Begins a recording in the build tree, which is there. `force`: over a script of that name.
contract::outcome<recorded_script> begin_recording(const surroundings& at, const std::string& name, bool force);
contract::outcome<recorded_script> end_recording(const std::filesystem::path& build);
/// Schema morph.recording/1.
std::string as_json(const recorded_script& of);

/// Whether what follows `morph` on a command line becomes a step: not what looks (`--help`), steers scripts, or is
/// started by ctest.
bool is_recorded(const std::vector<std::string>& words);

/// The lines of a script for a command that has ended with that code: nothing of the build tree's name, `try` before
/// one with findings, a comment for one that failed. `at`: where the lines before it run, `folder`: where it was typed,
/// both relative to the script.
std::string recorded_lines(const std::vector<std::string>& words, int code, const std::string& at,
                           const std::string& folder);

/// The folder in which the next step of the script would run, as its last `in` says; nothing if that cannot be told.
std::optional<std::string> folder_at_end(const std::string& script);

/// To be called when a command has ended. Warns of what cannot be written.
void record_command(const std::vector<std::string>& words, int code, system::observer& told);

}  // namespace morph::scripting
