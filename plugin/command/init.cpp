// morph init
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plugin/command/command.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/repository.hpp"

namespace morph::command {
namespace {

constexpr std::string_view ignored_line = ".morph/";

bool has_line(std::string_view text, std::string_view line) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at) == line) return true;
    at = end + 1;
  }
  return false;
}

int run_init(const common_options& common) {
  std::error_code error;
  const auto repo = project::repository::open(std::filesystem::current_path(error));
  if (!repo) {
    spdlog::error("{}", repo.error());
    return environment;
  }
  const auto path = repo->root() / ".gitignore";
  std::string content;
  if (auto known = project::read_file(path)) content = std::move(*known);
  const bool changed = !has_line(content, ignored_line);
  if (changed) {
    if (!content.empty() && content.back() != '\n') content += '\n';
    if (auto written = project::write_file_atomically(path, content + std::string(ignored_line) + "\n"); !written) {
      spdlog::error("{}", written.error());
      return environment;
    }
  }
  if (common.json)
    fmt::print("{}\n",
               nlohmann::json{{"schema", "morph.init/1"}, {"gitignore", path.string()}, {"changed", changed}}.dump());
  else
    fmt::print("{}: {}\n", path.string(), changed ? "added .morph/" : "already ignores .morph/");
  return fine;
}

}  // namespace

action add_init(CLI::App&, const common_options& common) {
  return [&common] { return run_init(common); };
}

}  // namespace morph::command
