// What became of learned.db when something was killed, or a disk failed.
#include "plugin/learning/learned_store.hpp"

#include <system_error>

namespace morph::learning {
namespace {

namespace fs = std::filesystem;

std::string journal_of(const std::string& store) {
  return store + "-journal";
}

}  // namespace

bool is_left_in_writing(const build::build_tree& tree) {
  std::error_code error;
  return fs::exists(journal_of(workspace::learned_path(tree)), error);
}

bool remove_if_damaged(const build::build_tree& tree, system::observer& told) {
  const std::string path = workspace::learned_path(tree);
  if (!store::evidence_store::is_damaged(path)) return false;
  std::error_code none, error;
  fs::remove(journal_of(path), none);
  fs::remove(path, error);
  if (!error) told.warn(fmt::format("'{}' was damaged, and is removed: all tests are learned anew", path));
  return !error;
}

}  // namespace morph::learning
