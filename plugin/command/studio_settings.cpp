// By the build tree and the options that all commands share.
#include "plugin/command/studio_settings.hpp"

#include <system_error>
#include <utility>

#include "plugin/git/repository.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> typed_options(const common_options& common) {
  std::vector<std::string> words;
  for (const auto& [name, value] : {std::pair{"--build", &common.build}, std::pair{"--config", &common.config},
                                    std::pair{"--overlay", &common.overlay}})
    if (!value->empty()) words.insert(words.end(), {name, *value});
  return words;
}

}  // namespace

studio::settings studio_settings(const build::build_tree& tree, const common_options& common) {
  const auto repo = git::repository::open(tree.source_dir);
  std::error_code ignored;
  return {.version = MORPH_VERSION,
          .repository = fs::weakly_canonical(repo ? repo->root() : tree.source_dir, ignored),
          .build = fs::weakly_canonical(tree.binary_dir, ignored),
          .store = workspace::writable_store_path(tree, repo ? &*repo : nullptr),
          .typed = typed_options(common),
          .ctest = tree.ctest,
          .ctest_config = tree.config.empty() ? tree.ctest_config : tree.config};
}

}  // namespace morph::command
