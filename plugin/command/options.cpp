// The build tree that options name.
#include "plugin/command/options.hpp"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <filesystem>

#include "plugin/contract/variables.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::command {
namespace fs = std::filesystem;
using build::build_tree;

std::optional<build::build_tree> open_build_tree(const common_options& common, bool without_sources) {
  std::error_code error;
  auto folder = common.build.empty() ? build::find_build_tree(fs::current_path(error))
                                     : result<fs::path>(fs::absolute(common.build, error));
  auto tree = folder ? build::read_build_tree(*folder, common.config) : tl::unexpected(folder.error());
  if (!tree) {
    spdlog::error("{}", tree.error());
    return std::nullopt;
  }
  if (auto there = workspace::has_sources(*tree); !there && !without_sources) {
    spdlog::error("{}", there.error());
    return std::nullopt;
  }
  if (tree->config.empty()) tree->ctest_config = common.config;
  const char* overlay = std::getenv(contract::overlay_variable);
  tree->overlay = common.overlay.empty() && overlay != nullptr ? overlay : common.overlay;
  if (!tree->overlay.empty()) tree->overlay = fs::absolute(tree->overlay, error).string();
  if (common.config.empty())
    if (const auto all = build::configurations(tree->binary_dir); all.size() > 1)
      spdlog::info("configuration {}, which was built last; --config names another of {}", tree->config,
                   fmt::join(all, ", "));
  return *tree;
}

}  // namespace morph::command
