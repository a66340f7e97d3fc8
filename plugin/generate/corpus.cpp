// From literals to files.
#include "plugin/generate/corpus.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "plugin/build/compile_commands.hpp"
#include "plugin/generate/text_variation.hpp"
#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_excerpts = 4, most_files = 40, most_name = 200;
constexpr std::uintmax_t most_file = 65536;

bool can_be_name(const std::string& text) {
  return text.size() <= most_name && text.find_first_of("./") != text.npos &&
         text.find_first_of("\n\r\t<>*?\"|") == text.npos;
}

std::optional<fs::path> file_named(const std::string& name, const fs::path& source, const fs::path& root) {
  if (fs::path(name).is_absolute()) return std::nullopt;
  for (fs::path folder = source.parent_path(); system::is_inside(folder.string(), root.string()) || folder == root;
       folder = folder.parent_path()) {
    const fs::path file = (folder / name).lexically_normal();
    std::error_code none;
    if (system::is_inside(file.string(), root.string()) && fs::is_regular_file(file, none)) return file;
    if (folder == root) break;
  }
  return std::nullopt;
}

}  // namespace

corpus corpus_of(const std::vector<json>& lines, const fs::path& root, std::size_t most_bytes) {
  corpus made;
  std::set<std::string> seen, files;
  const auto add = [&](const std::string& text) {
    for (std::string& each : excerpts(text, most_bytes, most_excerpts))
      if (!each.empty() && seen.insert(each).second) made.texts.push_back(std::move(each));
  };
  for (const json& line : lines)
    for (const json& each : line.value("texts", json::array())) {
      if (!each.contains("text")) continue;
      const std::string text = each["text"];
      const auto file = can_be_name(text) ? file_named(text, line.at("source").get<std::string>(), root) : std::nullopt;
      if (!file) {
        add(text);
        continue;
      }
      std::error_code none;
      if (files.size() >= most_files || build::is_source(file->string()) || fs::file_size(*file, none) > most_file ||
          !files.insert(file->string()).second)
        continue;
      const auto content = system::read_file(*file);
      if (!content || content->find('\0') != content->npos) continue;
      made.files.push_back(file->lexically_relative(root).string());
      add(*content);
    }
  return made;
}

}  // namespace morph::generate
