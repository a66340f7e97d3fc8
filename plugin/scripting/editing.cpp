// Starts the editor on a copy of a script, and keeps the copy if it is one.
#include "plugin/scripting/editing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "plugin/scripting/steps.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/foreground_process.hpp"

namespace morph::scripting {
namespace {

/// Nothing if none is known.
std::string editor_of_user() {
  for (const char* const variable : {"VISUAL", "EDITOR"})
    if (const char* const named = std::getenv(variable); named != nullptr && *named != 0) return named;
  return {};
}

/// Of the script of that name, or where a new one of that name goes.
contract::outcome<std::filesystem::path> file_to_edit(const surroundings& at, const std::string& name) {
  auto file = find_script(name, at.here, at.folders);
  if (file) return *file;
  const auto made = new_script(name, at.here, at.folders);
  std::error_code ignored;
  if (!made || std::filesystem::exists(*made, ignored)) return contract::not_done(contract::usage, file.error());
  return *made;
}

}  // namespace

namespace fs = std::filesystem;

std::vector<std::string> open_variables(const std::vector<script_line>& lines) {
  std::set<std::string> used, known{"seed"};
  for (const script_line& line : lines) {
    for (const script_word& word : line.words)
      for (const word_piece& piece : word)
        if (piece.is_variable) used.insert(piece.text);
    const auto text = [&](std::size_t at) { return at < line.words.size() ? literal(line.words[at]) : nullptr; };
    const std::string* const verb = text(0);
    const std::string* const name = verb == nullptr ? nullptr : text(*verb == "set" ? 1 : *verb == "repeat" ? 3 : 99);
    if (name != nullptr) known.insert(name->substr(0, name->find('=')));
    // `set a=${b}`
    if (verb != nullptr && *verb == "set" && name == nullptr && line.words.size() > 1 && !line.words[1].empty())
      known.insert(line.words[1].front().text.substr(0, line.words[1].front().text.find('=')));
  }
  std::vector<std::string> open;
  std::set_difference(used.begin(), used.end(), known.begin(), known.end(), std::back_inserter(open));
  return open;
}

result<void> check_script(const script_text& of, const script_folders& folders,
                          const std::vector<std::string>& commands, system::observer& told) {
  const auto lines = read_script(of.text);
  if (!lines)
    return tl::unexpected(
        fmt::format("{}:{}: {}", of.file.filename().string(), lines.error().line, lines.error().what));
  const script_world world{
      [&](const fs::path& asked) { return asked == of.file ? result<std::string>(of.text) : read_script_file(asked); },
      [&](const std::string& name, const fs::path& folder) { return find_script(name, folder, folders); }, commands};
  const std::vector<std::string> open = open_variables(*lines);
  script_variables given;
  for (const std::string& name : open) given[name] = "1";
  const auto steps = script_steps(of.file, given, 1, world);
  if (steps) return {};
  if (open.empty()) return tl::unexpected(steps.error());
  told.warn(fmt::format("{}; that may be as it has to be: {} {} only by --set", steps.error(), fmt::join(open, ", "),
                        open.size() == 1 ? "has a value" : "have values"));
  return {};
}

contract::outcome<script_text> replace_script(const surroundings& at, const std::string& name, const std::string& text,
                                              const std::vector<std::string>& commands, system::observer& told) {
  const auto file = file_to_edit(at, name);
  if (!file) return tl::unexpected(file.error());
  script_text edited{*file, text.empty() || text.ends_with('\n') ? text : text + '\n'};
  if (const auto checked = check_script(edited, at.folders, commands, told); !checked)
    return contract::not_done(contract::usage, checked.error() + "; the script is as it was");
  if (const auto written = system::write_file_atomically(*file, edited.text); !written)
    return contract::not_done(contract::environment, written.error());
  return edited;
}

contract::outcome<script_text> edit_script(const surroundings& at, const std::string& name,
                                           const std::vector<std::string>& commands, system::observer& told) {
  using contract::not_done;
  const auto file = file_to_edit(at, name);
  if (!file) return tl::unexpected(file.error());
  std::error_code ignored;
  const std::string editor = editor_of_user();
  if (editor.empty()) return not_done(contract::environment, "no editor is known; set EDITOR, such as EDITOR=vi");
  const std::string copy = file->string() + ".edit";
  const auto before = fs::exists(*file, ignored) ? read_script_file(*file) : result<std::string>("# What it is for.\n");
  if (!before) return not_done(contract::environment, before.error());
  if (const auto written = system::write_file_atomically(copy, *before); !written)
    return not_done(contract::environment, written.error());
  const system::process_end end =
      system::run_in_foreground({.arguments = {"/bin/sh", "-c", fmt::format("{} \"$1\"", editor), "sh", copy}});
  if (!end.succeeded())
    return not_done(contract::environment,
                    fmt::format("the editor ended with an error ({}); the script is as it was, what was edited is in "
                                "'{}'",
                                system::describe(end, {}), copy));
  auto after = read_script_file(copy);
  if (!after) return not_done(contract::environment, after.error());
  script_text edited{*file, std::move(*after)};
  if (const auto checked = check_script(edited, at.folders, commands, told); !checked)
    return not_done(contract::usage,
                    fmt::format("{}\nthe script is as it was; what was edited is in '{}'", checked.error(), copy));
  if (const auto written = system::write_file_atomically(*file, edited.text); !written)
    return not_done(contract::environment, written.error());
  fs::remove(copy, ignored);
  return edited;
}

}  // namespace morph::scripting
