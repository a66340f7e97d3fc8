// Lists and shows scripts, as text and JSON.
#include "plugin/scripting/scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/contract/formats.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/text.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scripting {

namespace fs = std::filesystem;

tl::expected<std::size_t, std::string> commands_in(const std::string& text) {
  const auto lines = read_script(text);
  if (!lines)
    return tl::unexpected(lines.error().line == 0 ? lines.error().what
                                                  : fmt::format("line {}: {}", lines.error().line, lines.error().what));
  return static_cast<std::size_t>(std::count_if(lines->begin(), lines->end(), [](const script_line& line) {
    const std::string* const verb = literal(line.words.front());
    return verb == nullptr || (*verb != "set" && *verb != "in" && *verb != "repeat" && *verb != "end");
  }));
}

std::string counted_commands(std::size_t number) {
  return system::counted(number, "command");
}

std::string first_remark(const std::string& text) {
  if (!text.starts_with('#')) return {};
  std::string line = text.substr(0, text.find('\n'));
  line.erase(0, line.find_first_not_of("# "));
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

std::vector<script_row> list_scripts(const surroundings& at) {
  const auto active = at.tree ? recording_of(at.tree->binary_dir) : result<std::optional<fs::path>>();
  std::vector<script_row> rows;
  for (const fs::path& file : all_scripts(at.here, at.folders)) {
    script_row& row = rows.emplace_back(script_row{file, active && *active && **active == file});
    const auto text = read_script_file(file);
    const auto commands = text ? commands_in(*text) : tl::unexpected(text.error());
    if (commands) {
      row.commands = *commands;
      row.about = first_remark(*text);
    } else {
      row.error = commands.error();
    }
  }
  return rows;
}

std::string as_text(const std::vector<script_row>& rows, const fs::path& here) {
  if (rows.empty()) return "no scripts here; `morph script record NAME` makes one\n";
  std::string text;
  for (const script_row& row : rows) {
    text += fmt::format("{}  {}{}\n    {}\n", row.file.stem().string(),
                        row.error.empty() ? counted_commands(row.commands) : "cannot be played: " + row.error,
                        row.is_recording ? ", being recorded" : "", row.file.lexically_proximate(here).string());
    if (!row.about.empty()) text += fmt::format("    {}\n", row.about);
  }
  return text;
}

std::string as_json(const std::vector<script_row>& rows) {
  nlohmann::json scripts = nlohmann::json::array();
  for (const script_row& row : rows) {
    nlohmann::json& made = scripts.emplace_back(nlohmann::json{
        {"name", row.file.stem().string()}, {"path", row.file.string()}, {"recording", row.is_recording}});
    if (row.error.empty())
      made.update({{"commands", row.commands}, {"about", row.about}});
    else
      made["error"] = row.error;
  }
  return json_text({{"schema", contract::scripts_schema}, {"scripts", std::move(scripts)}});
}

contract::outcome<script_text> read_named_script(const surroundings& at, const std::string& name) {
  const auto file = find_script(name, at.here, at.folders);
  if (!file) return contract::not_done(contract::usage, file.error());
  auto text = read_script_file(*file);
  if (!text) return contract::not_done(contract::environment, text.error());
  return script_text{*file, std::move(*text)};
}

std::string as_json(const script_text& of) {
  return json_text({{"schema", contract::script_schema}, {"path", of.file.string()}, {"text", of.text}});
}

}  // namespace morph::scripting
