// `morph script edit`: a script in the user's editor; what comes back is checked before it is kept.
#pragma once

#include <string>
#include <vector>

#include "plugin/scripting/scripts.hpp"
#include "plugin/scripting/text.hpp"
#include "plugin/system/observer.hpp"

namespace morph::scripting {

/// Variables that have their values from `--set` alone.
std::vector<std::string> open_variables(const std::vector<script_line>& lines);

/// An error says why the text cannot be played as that file. Where variables are open, only a warning does.
/// `commands`: what steps may begin with.
result<void> check_script(const script_text& of, const script_folders& folders,
                          const std::vector<std::string>& commands, system::observer& told);

/// The text in place of that of the script of that name, or of a new one, if it can be played.
contract::outcome<script_text> replace_script(const surroundings& at, const std::string& name, const std::string& text,
                                              const std::vector<std::string>& commands, system::observer& told);

/// The script of that name, or a new one, in $VISUAL or $EDITOR.
contract::outcome<script_text> edit_script(const surroundings& at, const std::string& name,
                                           const std::vector<std::string>& commands, system::observer& told);

}  // namespace morph::scripting
