// Finds the place in a CMakeLists.txt and writes the line there.
#include "plugin/build/cmake_edit.hpp"

#include <fmt/format.h>

#include <array>
#include <set>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using commands = std::vector<cmake_command>;

const std::set<std::string> declaring{"add_executable", "add_library",     "add_custom_target",
                                      "morph_add_spec", "morph_add_suite", "qt_add_executable"};

/// What the CMakeLists.txt files from one folder to the top say.
struct chain {
  bool finds_morph = false;
  bool enables_testing = false;
};

void look(const commands& all, chain& at) {
  for (const auto& each : all) {
    const std::string first = each.arguments.empty() ? "" : each.arguments[0].text;
    if ((each.name == "find_package" && first == "Morph") || each.name.starts_with("morph_")) at.finds_morph = true;
    if (each.name == "enable_testing" || (each.name == "include" && first == "CTest")) at.enables_testing = true;
  }
}

std::string quoted(const std::string& word) {
  const bool is_plain = word.find_first_of(" \t;\"\\$#()") == std::string::npos;
  if (is_plain) return word;
  std::string made = "\"";
  for (const char c : word) made += (c == '"' || c == '\\' || c == '$' ? "\\" : "") + std::string(1, c);
  return made + '"';
}

}  // namespace

tl::expected<cmake_line, std::string> propose_cmake_line(const fs::path& source, const std::string& target,
                                                         const spec_parts& parts, const cmake_model* model) {
  std::error_code none;
  const fs::path top = model != nullptr ? model->source_dir : fs::path("/");
  fs::path folder = source.parent_path();
  const auto has_lists = [&](const fs::path& at) { return fs::is_regular_file(at / "CMakeLists.txt", none); };
  // Libraries that find_package() has found are known where the target is declared, and maybe nowhere above.
  const cmake_target* const like = model != nullptr && !parts.like.empty() ? model->find(parts.like) : nullptr;
  if (like != nullptr) {
    const fs::path declared = (model->source_dir / like->declared_at.file).lexically_normal();
    if (declared.filename() == "CMakeLists.txt") folder = declared.parent_path();
  }
  while (!has_lists(folder) && folder != top && folder.has_relative_path()) folder = folder.parent_path();
  if (!has_lists(folder))
    return tl::unexpected(
        fmt::format("there is no CMakeLists.txt in '{}' or above it to add the spec to; --into FOLDER names another "
                    "one, --no-cmake "
                    "writes the spec alone",
                    source.parent_path().string()));
  cmake_line made;
  made.file = folder / "CMakeLists.txt";
  const auto text = system::read_file(made.file);
  if (!text) return tl::unexpected(text.error());
  const auto all = parse_cmake(*text);
  if (!all) return tl::unexpected(fmt::format("'{}' is no CMake code: {}", made.file.string(), all.error()));

  const std::string path = source.lexically_relative(folder).string();
  std::string line = fmt::format("morph_add_spec({} SOURCES {}", target, quoted(path));
  for (const std::string& each : parts.sources)
    line += ' ' + quoted(fs::path(each).lexically_relative(folder).string());
  for (std::size_t i = 0; i < parts.link.size(); ++i) line += (i == 0 ? " LINK " : " ") + quoted(parts.link[i]);
  if (!parts.like.empty()) line += " LIKE " + quoted(parts.like);
  line += ")\n";

  for (const auto& each : *all) {
    if (!declaring.contains(each.name) || each.arguments.empty() || each.arguments[0].text != target) continue;
    if (text->find(line) != std::string::npos) {
      made.content = *text;
      return made;
    }
    return tl::unexpected(fmt::format("there is a target '{}' already, at {}:{}; --target NAME names another one",
                                      target, made.file.string(), each.line));
  }
  if (model != nullptr)
    if (const auto* known = model->find(target); known != nullptr)
      return tl::unexpected(fmt::format("there is a target '{}' already, at {}:{}; --target NAME names another one",
                                        target, known->declared_at.file, known->declared_at.line));

  chain found;
  look(*all, found);
  bool is_top = model != nullptr ? fs::equivalent(folder, top, none) : true;
  for (fs::path at = folder; at != top && at.has_relative_path();) {
    at = at.parent_path();
    const auto above = system::read_file(at / "CMakeLists.txt");
    if (!above) {
      if (model == nullptr) break;
      continue;
    }
    is_top = is_top && model != nullptr;
    if (const auto parsed = parse_cmake(*above)) look(*parsed, found);
  }
  std::string before;
  if (!found.enables_testing) {
    if (is_top)
      before += "enable_testing()\n";
    else
      made.notes.push_back("no CMakeLists.txt above says enable_testing(): ctest at the top will not list the spec");
  }
  if (!found.finds_morph) before += "find_package(Morph REQUIRED)\n";
  made.added = before + line;
  made.content = *text + (text->empty() || text->ends_with('\n') ? "" : "\n") + "\n" + made.added;
  return made;
}

}  // namespace morph::build
