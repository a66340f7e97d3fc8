// Opening them.
#include "plugin/workspace/opened.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace morph::workspace {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using git::repository;
using store::evidence_store;

}  // namespace

result<void> has_sources(const build::build_tree& tree) {
  std::error_code error;
  if (fs::exists(tree.source_dir, error)) return {};
  return tl::unexpected(
      fmt::format("the sources of the build tree '{}' are not in '{}' any more; where they are now, configure a new "
                  "one: cmake -S SOURCES -B DIR",
                  tree.binary_dir.string(), tree.source_dir.string()));
}

std::string how_to_measure(const build::build_tree& tree) {
  if (build::is_off(tree)) return "MORPH_EVIDENCE is off: nothing is recorded, and every test runs";
  if (build::has_probes(tree)) return "`ctest -L morph` records what its tests execute";
  return fmt::format("run `cmake --build {}{} --target morph-measure`", tree.binary_dir.string(),
                     tree.config.empty() ? "" : " --config " + tree.config);
}

std::string nothing_measured(const build::build_tree& tree) {
  return fmt::format("nothing was {} yet; {}", build::has_probes(tree) ? "recorded" : "measured", how_to_measure(tree));
}

std::string store_path(const build::build_tree& tree, const git::repository* repo) {
  if (!tree.store.empty()) return (tree.binary_dir / tree.store).string();
  return ((repo ? repo->root() : tree.source_dir) / ".morph" / "evidence.db").string();
}

std::string writable_store_path(const build::build_tree& tree, const git::repository* repo) {
  return tree.overlay.empty() ? store_path(tree, repo) : tree.overlay;
}

std::string learned_path(const build::build_tree& tree) {
  return (tree.own_dir() / "learned.db").string();
}

surroundings open_surroundings(const build::build_tree& tree) {
  surroundings found;
  if (!tree.overlay.empty()) {
    if (auto opened = evidence_store::open_for_reading(tree.overlay))
      found.overlay = std::move(*opened);
    else
      found.unread_overlay = opened.error();
  }
  if (auto there = has_sources(tree); !there) {
    found.missing = there.error();
  } else if (auto opened = git::repository::open(tree.source_dir)) {
    found.repo = std::move(*opened);
    if (auto head = found.repo->head())
      found.head = *head;
    else
      found.missing = head.error();
  } else {
    found.missing = opened.error();
  }
  if (build::has_probes(tree))
    if (auto opened = evidence_store::open_for_reading(learned_path(tree))) found.learned = std::move(*opened);
  if (auto opened = evidence_store::open_for_reading(store_path(tree, found.repo ? &*found.repo : nullptr)); !opened) {
    found.missing = opened.error();
  } else if (*opened) {
    found.evidence = std::move(**opened);
  } else if (found.missing.empty()) {
    found.missing = nothing_measured(tree);
    std::error_code error;
    const fs::path main = found.repo->main_root() / ".morph" / "evidence.db";
    if (tree.store.empty() && !found.repo->main_root().empty() && fs::exists(main, error))
      found.missing += fmt::format(", or use the store of the main working copy: -DMORPH_STORE={}", main.string());
  }
  return found;
}

}  // namespace morph::workspace
