// From a script to its steps: variables, repetitions and other scripts in place. Nothing is run, so that an error in
// the last line is known before the first command starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/scripting/text.hpp"

namespace morph::scripting {

/// A command that a script runs.
struct script_step {
  std::string script;              // the file, relative to the folder of the played one
  std::size_t line;                // there
  std::vector<std::string> words;  // behind `morph`
  std::filesystem::path folder;    // where it runs
  bool may_fail = false;
  std::uint64_t seed = 1;

  std::string place() const { return script + ":" + std::to_string(line); }
  std::string text() const;  // "morph spec seed --pool cases.jsonl"
};

using script_variables = std::map<std::string, std::string>;

/// What a script is read in.
struct script_world {
  /// The text of a file; an error is a whole sentence.
  std::function<tl::expected<std::string, std::string>(const std::filesystem::path&)> read;
  /// The file of a script by its name or path, as a script of that folder says it.
  std::function<tl::expected<std::filesystem::path, std::string>(const std::string&, const std::filesystem::path&)>
      find;
  std::vector<std::string> commands;  // of morph
};

inline constexpr std::size_t most_script_steps = 100'000;

/// `given` wins over `set` in the script. An error names script, line, and by whom the script is played.
tl::expected<std::vector<script_step>, std::string> script_steps(const std::filesystem::path& file,
                                                                 const script_variables& given, std::uint64_t seed,
                                                                 const script_world& world);

/// Of "NAME=VALUE".
tl::expected<std::pair<std::string, std::string>, std::string> read_setting(const std::string& text);

}  // namespace morph::scripting
