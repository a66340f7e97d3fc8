// `morph script play`: from the name of a script to its steps, log, messages and end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/contract/failure.hpp"
#include "plugin/scripting/files.hpp"
#include "plugin/scripting/play.hpp"
#include "plugin/scripting/steps.hpp"
#include "plugin/system/observer.hpp"

namespace morph::scripting {

struct play_request {
  std::string name;
  std::vector<std::string> set;         // NAME=VALUE
  std::optional<std::uint64_t> seed{};  // nothing: MORPH_SEED, or that of a state, or 1
  std::string suite{};                  // of steps that name none
  std::string config{}, overlay{};      // the same
  std::string log{};                    // empty: NAME.log in .morph/scripts, if that can be
  std::string messages{};               // empty: none
  bool keeps_going = false;             // after a step that fails
  bool with_times = false;              // in the log
  bool keeps_output = false;            // of the steps, in what is returned, and not passed on
  std::vector<std::string> commands{};  // what steps may begin with
};

/// What will be run.
struct prepared_play {
  std::filesystem::path file;
  surroundings at;
  script_variables given;
  std::uint64_t seed = 1;
  std::vector<script_step> steps;
};
/// Finds and reads the script, and all that it plays; nothing is run.
contract::outcome<prepared_play> prepare_play(surroundings at, const play_request& asked);

/// Schema morph.script-steps/1, and a line a step.
std::string as_json(const prepared_play& of);
std::string as_text(const prepared_play& of);

struct finished_play {
  std::string script;  // the file's name
  std::uint64_t seed = 1;
  std::vector<played_step> steps;
  int code = 0;
  std::filesystem::path log{};  // empty: there is none
  std::string cut_off{};        // what was asked for and could not be written to its end
};
/// `before`: is called with the place of a step before it runs. Steps are written to log and messages as they end.
contract::outcome<finished_play> play(const prepared_play& what, const play_request& asked, system::observer& told,
                                      const std::function<void(std::size_t)>& before);

/// What went wrong, a line each: what has become of the rest after a step that ended it, or all steps that failed.
std::vector<std::string> faults_of(const finished_play& of);

/// Schema morph.script-play/1.
std::string as_json(const finished_play& of);

}  // namespace morph::scripting
