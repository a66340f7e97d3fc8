// Playing: runs the steps of a script one after the other, and tells what became of each.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/scripting/steps.hpp"
#include "plugin/system/process.hpp"

namespace morph::scripting {

/// What became of a step.
struct played_step {
  script_step step;
  std::optional<system::process_end> end{};  // nothing: not run, because of one before it
  double seconds = 0;
  std::string output{};  // if it was wanted

  bool succeeded() const { return end && end->succeeded(); }
  bool was_interrupted() const { return end && end->how == system::process_end::kind::interrupted; }
  /// "exit 0", "exit 1, which may be", "signal 11", "interrupted", "not run".
  std::string status() const;
};

struct play_options {
  std::vector<std::string> program;           // what a step's words follow
  std::vector<std::string> common;            // options for every step, where it has none of that name
  std::vector<std::string> for_specs;         // the same, for `spec` alone
  std::string chain;                          // of the scripts that are being played, a line each
  bool keeps_going = false;                   // after a failing step, too
  bool wants_output = false;                  // in played_step
  bool passes_output = true;                  // to ours
  std::function<void(std::size_t)> before{};  // a step by its position
  std::function<void(std::size_t, const played_step&)> after{};  // as soon as it has ended
};

/// The command line of a step.
std::vector<std::string> step_command(const script_step& step, const play_options& options);

/// One for each step. Stops at the first that fails, unless it may or `keeps_going`, and when it is interrupted.
std::vector<played_step> play_steps(const std::vector<script_step>& steps, const play_options& options);

/// 0, or the exit status of what has stopped it; of several that failed the highest.
int play_status(const std::vector<played_step>& played);

/// Equal for equal scripts that end equally, so that two logs can be compared: no times, no folders of a machine.
std::string log_head(const std::string& script, const script_variables& given, std::uint64_t seed);
std::string log_line(const played_step& of, bool with_times);

/// Rows of CSV: script, line, step, command, status, message; a row for each line that the step wrote, or one without a
/// message. `step` counts from 1.
std::string message_rows(const played_step& of, std::size_t step);
inline constexpr const char* message_head = "script,line,step,command,status,message\n";

}  // namespace morph::scripting
