// What counts as damage.
#include "plugin/workspace/sound_store.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "plugin/git/repository.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::workspace {
namespace {

/// Whether a store is sound whose only blob has this name and content.
bool is_sound(const std::string& blob, const std::string& content) {
  const test_support::temporary_folder folder;
  const std::string path = folder / "evidence.db";
  auto opened = store::evidence_store::open_for_writing(path);
  if (!opened) throw std::runtime_error(opened.error());
  store::evidence e;
  e.info.taken_from.tree = "a";
  e.info.complete = true;
  e.info.taken_from.overrides = {{"../outside.hpp", blob}};
  if (auto added = opened->add(e, {{blob, content}}); !added) throw std::runtime_error(added.error());
  return open_sound(path).has_value();
}

TEST(SoundStore, TheContentOfAFileIsThatOfItsHash) {
  EXPECT_TRUE(is_sound(git::blob_hash("text"), "text"));
  EXPECT_FALSE(is_sound(git::blob_hash("text"), "other"));
}

TEST(SoundStore, AFileWhoseTextIsNotKeptHasNone) {
  EXPECT_TRUE(is_sound("without-text-" + git::blob_hash("text"), ""));
  EXPECT_FALSE(is_sound("without-text-" + git::blob_hash("text"), "text"));
}

}  // namespace
}  // namespace morph::workspace
