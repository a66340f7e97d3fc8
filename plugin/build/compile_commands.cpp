// Reading them.
#include "plugin/build/compile_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

/// `path`: what errors call it.
result<std::vector<compile_unit>> read_entries(const std::string& text, const std::string& path) {
  try {
    std::vector<compile_unit> units;
    for (const json& entry : json::parse(text)) {
      compile_unit unit{entry.at("directory"), entry.at("file"), entry.value("output", ""), {}};
      if (entry.contains("arguments"))
        unit.arguments = entry.at("arguments").get<std::vector<std::string>>();
      else
        unit.arguments = system::shell_words(entry.at("command").get<std::string>());
      // CMake 3.25 says `output` for neither generator.
      if (const auto option = std::ranges::find(unit.arguments, "-o");
          unit.object.empty() && option != unit.arguments.end() && option + 1 != unit.arguments.end())
        unit.object = *(option + 1);
      units.push_back(std::move(unit));
    }
    return units;
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' is no list of compile commands: {}", path, error.what()));
  }
}

}  // namespace

result<std::vector<compile_unit>> read_compile_commands(const fs::path& binary_dir) {
  const fs::path path = binary_dir / "compile_commands.json";
  const auto text = system::read_file(path);
  if (!text)
    return tl::unexpected(
        fmt::format("{}; only the generators Ninja and Makefiles record how sources are compiled", text.error()));
  return read_entries(*text, path.string());
}

result<std::vector<compile_unit>> compile_commands_of(const build_tree& tree) {
  if (fs::exists(tree.binary_dir / "compile_commands.json")) return read_compile_commands(tree.binary_dir);
  if (!tree.generator.starts_with("Ninja"))
    return tl::unexpected(
        fmt::format("'{}' does not record how sources are compiled; configure it with "
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                    tree.binary_dir.string()));
  system::command c{.arguments = {tree.make_program, "-t", "compdb"}, .directory = tree.binary_dir.string()};
  c.capture_at_end = true;
  const auto end = system::run(c);
  if (!end.succeeded())
    return tl::unexpected(
        fmt::format("`ninja -t compdb` in '{}': {}", tree.binary_dir.string(), system::describe(end, c.timeout)));
  auto units = read_entries(end.out, "ninja -t compdb");
  if (!units) return units;
  std::erase_if(*units, [](const compile_unit& each) {
    return !is_source(each.file) || std::ranges::find(each.arguments, "-c") == each.arguments.end();
  });
  for (compile_unit& each : *units)
    if (!fs::path(each.file).is_absolute())
      each.file = (fs::path(each.directory) / each.file).lexically_normal().string();
  return units;
}

}  // namespace morph::build
