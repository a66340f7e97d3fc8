// Reading them.
#include "plugin/build/compile_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/system/files.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

}  // namespace

result<std::vector<compile_unit>> read_compile_commands(const fs::path& binary_dir) {
  const fs::path path = binary_dir / "compile_commands.json";
  const auto text = system::read_file(path);
  if (!text)
    return tl::unexpected(
        fmt::format("{}; only the generators Ninja and Makefiles record how sources are compiled", text.error()));
  try {
    std::vector<compile_unit> units;
    for (const json& entry : json::parse(*text)) {
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
    return tl::unexpected(fmt::format("'{}' is no list of compile commands: {}", path.string(), error.what()));
  }
}

}  // namespace morph::build
