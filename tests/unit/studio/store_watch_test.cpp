// Changes of a file that may not be there yet.
#include "plugin/studio/store_watch.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include "tests/unit/temporary_folder.hpp"

namespace morph::studio {
namespace {

bool has_events(store_watch& watch) {
  pollfd waiting{watch.descriptor(), POLLIN, 0};
  const bool any = ::poll(&waiting, 1, 0) == 1;
  watch.take_events();
  return any;
}

TEST(StoreWatch, SeesWrites) {
  const test_support::temporary_folder at;
  at.write("db", "a");
  store_watch watch(at / "db");
  EXPECT_FALSE(has_events(watch));
  EXPECT_FALSE(watch.has_changed());
  at.write("db", "ab");
  EXPECT_TRUE(has_events(watch));
  EXPECT_TRUE(watch.has_changed());
  EXPECT_FALSE(watch.has_changed());
}

TEST(StoreWatch, IsNotChangedByOtherFiles) {
  const test_support::temporary_folder at;
  at.write("db", "a");
  store_watch watch(at / "db");
  at.write("db-journal", "x");
  EXPECT_TRUE(has_events(watch));
  EXPECT_FALSE(watch.has_changed());
}

TEST(StoreWatch, SeesAFileInAFolderThatIsMadeLater) {
  const test_support::temporary_folder at;
  store_watch watch(at / "new/folder/db");
  std::filesystem::create_directory(at / "new");
  EXPECT_TRUE(has_events(watch));
  std::filesystem::create_directory(at / "new/folder");
  EXPECT_TRUE(has_events(watch));
  EXPECT_FALSE(watch.has_changed());
  at.write("new/folder/db", "a");
  EXPECT_TRUE(has_events(watch));
  EXPECT_TRUE(watch.has_changed());
}

TEST(StoreWatch, SeesAFileThatGoes) {
  const test_support::temporary_folder at;
  at.write("folder/db", "a");
  store_watch watch(at / "folder/db");
  std::filesystem::remove_all(at / "folder");
  EXPECT_TRUE(has_events(watch));
  EXPECT_TRUE(watch.has_changed());
  at.write("folder/db", "a");
  EXPECT_TRUE(has_events(watch));
  EXPECT_TRUE(watch.has_changed());
}

}  // namespace
}  // namespace morph::studio
