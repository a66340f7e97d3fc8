// Scripts as they are listed and shown: what they are for, how many commands they have, what is wrong with them.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/contract/failure.hpp"
#include "plugin/scripting/files.hpp"

namespace morph::scripting {

/// Of a script's text, as it is written; an error says why it cannot be played.
tl::expected<std::size_t, std::string> commands_in(const std::string& text);

/// "1 command"
std::string counted_commands(std::size_t number);

/// The first remark says what a script is for. Empty if its text does not begin with one.
std::string first_remark(const std::string& text);

struct script_row {
  std::filesystem::path file;
  bool is_recording = false;
  std::size_t commands = 0;
  std::string about{};  // its first remark
  std::string error{};  // why it cannot be played
};
/// By name.
std::vector<script_row> list_scripts(const surroundings& at);
/// For people: the paths as from `here` on.
std::string as_text(const std::vector<script_row>& rows, const std::filesystem::path& here);
/// Schema morph.scripts/1.
std::string as_json(const std::vector<script_row>& rows);

struct script_text {
  std::filesystem::path file;
  std::string text;
};
contract::outcome<script_text> read_named_script(const surroundings& at, const std::string& name);
/// Schema morph.script/1.
std::string as_json(const script_text& of);

}  // namespace morph::scripting
