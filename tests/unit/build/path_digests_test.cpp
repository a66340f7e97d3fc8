// What is found at paths that no commit holds.
#include "plugin/build/path_digests.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph::build;
using namespace morph::system;
using morph::test_support::temporary_folder;

TEST(PathDigests, OfAFileCountItsContentAndNotItsTime) {
  const temporary_folder folder;
  const std::string file = (folder / "file").string();
  path_digests digests;
  EXPECT_EQ(digests.of_file(file), std::nullopt);
  folder.write("file", "one");
  const auto one = digests.of_file(file);
  const auto time = fs::last_write_time(file);
  fs::last_write_time(file, time + std::chrono::seconds(5));
  EXPECT_EQ(digests.of_file(file), one);
  folder.write("file", "two");
  fs::last_write_time(file, time);
  EXPECT_NE(digests.of_file(file), one) << "of the same size and time";
  folder.write("copy", "one");
  EXPECT_EQ(digests.of_file((folder / "copy").string()), one);
  EXPECT_NE(digests.of_file(folder.path().string()), std::nullopt) << "a folder came in the place of nothing";
}

TEST(PathDigests, OfABigFileCountSizeAndTime) {
  const temporary_folder folder;
  folder.write("big", "");
  const fs::path big = folder / "big";
  fs::resize_file(big, (16 << 20) + 1);
  path_digests digests;
  const auto before = digests.of_file(big.string());
  EXPECT_EQ(digests.of_file(big.string()), before);
  fs::last_write_time(big, fs::last_write_time(big) + std::chrono::milliseconds(5));
  EXPECT_NE(digests.of_file(big.string()), before);
}

TEST(PathDigests, AreKeptForFilesThatDidNotJustChange) {
  const temporary_folder folder;
  folder.write("new", "text");
  {
    path_digests digests(folder / "cache.json");
    digests.of_file("/etc/passwd");
    digests.of_file((folder / "new").string());
  }
  auto cache = *read_file(folder / "cache.json");
  EXPECT_EQ(cache.find((folder / "new").string()), std::string::npos) << cache;
  const auto digest = path_digests().of_file("/etc/passwd");
  const auto at = cache.find(*digest);
  ASSERT_NE(at, std::string::npos) << cache;
  folder.write("cache.json", cache.replace(at, digest->size(), "of the cache"));
  EXPECT_EQ(path_digests(folder / "cache.json").of_file("/etc/passwd"), "of the cache");
  folder.write("cache.json", "[damaged");
  EXPECT_EQ(path_digests(folder / "cache.json").of_file("/etc/passwd"), digest);
}

TEST(PathDigests, OfAFolderCountItsNames) {
  const temporary_folder folder;
  folder.write("in/one", "1");
  const std::string in = (folder / "in").string();
  const auto before = path_digests::of_names(in);
  folder.write("in/one", "2");
  EXPECT_EQ(path_digests::of_names(in), before);
  folder.write("in/two", "2");
  EXPECT_NE(path_digests::of_names(in), before);
  EXPECT_EQ(path_digests::of_names(in, [](const std::string& name) { return name != "two"; }), before);
  EXPECT_EQ(path_digests::of_names(in + "/none"), std::nullopt);
  EXPECT_EQ(path_digests::of_presence(in), "folder");
  EXPECT_EQ(path_digests::of_presence(in + "/none"), std::nullopt);
}

TEST(PathDigests, OfALinkCountWhereItLeads) {
  const temporary_folder folder;
  const std::string link = (folder / "link").string();
  EXPECT_EQ(path_digests::of_link(link), std::nullopt);
  fs::create_symlink("one", link);
  const auto one = path_digests::of_link(link);
  EXPECT_TRUE(one && one->starts_with(path_digests::link_mark));
  fs::remove(link);
  fs::create_symlink("two", link);
  EXPECT_NE(path_digests::of_link(link), one);
  fs::remove(link);
  folder.write("link", "");
  EXPECT_EQ(path_digests::of_link(link), "no link");
}

TEST(PathDigests, OfAGlobCountWhatMatches) {
  const temporary_folder folder;
  folder.write("data/one.txt", "1");
  folder.write("data/one.md", "1");
  folder.write("data/in/one.txt", "1");
  path_digests digests;
  for (const std::string glob : {"data/*.txt", "data/**.txt", "data/", "data", "data/one.txt"}) {
    const std::string whole = (folder / glob).string();
    const bool goes_down = glob == "data/**.txt" || glob == "data/" || glob == "data";
    const bool all_names = glob == "data/" || glob == "data";
    const auto before = digests.of_files(whole, {});
    folder.write("data/one.txt", "2");
    EXPECT_NE(digests.of_files(whole, {}), before) << glob;
    folder.write("data/one.txt", "1");
    folder.write("data/in/one.txt", "2");
    EXPECT_EQ(digests.of_files(whole, {}) != before, goes_down) << glob;
    folder.write("data/in/one.txt", "1");
    folder.write("data/one.md", "2");
    EXPECT_EQ(digests.of_files(whole, {}) != before, all_names) << glob;
    folder.write("data/one.md", "1");
    EXPECT_EQ(digests.of_files(whole, {}), before) << glob;
  }
  const auto none = digests.of_files((folder / "none/*.txt").string(), {});
  EXPECT_TRUE(none && none->starts_with(path_digests::files_mark)) << "they may come";
}

TEST(ChangedPaths, HoldWhatIsBelowThem) {
  const temporary_folder folder;
  folder.write("real/file", "");
  fs::create_directory_symlink("real", folder / "link");
  changed_paths changed;
  EXPECT_FALSE(changed.has("/any"));
  changed.add((folder / "link/file").string());
  EXPECT_TRUE(changed.has((folder / "real/file").string()));
  EXPECT_FALSE(changed.has((folder / "real").string()));
  changed.add((folder / "new/").string());
  EXPECT_TRUE(changed.has((folder / "new/file").string()));
  EXPECT_FALSE(changed.has((folder / "newer").string()));
}

TEST(PathDigests, KnowWhatIsOfTheSystem) {
  for (const char* path : {"/proc", "/proc/self/maps", "/dev/null", "/sys/devices/system/cpu", "/etc/ld.so.cache"})
    EXPECT_TRUE(is_of_kernel(path)) << path;
  for (const char* path : {"/processes", "/dev/shm/file", "/etc/hosts", "/usr/share/dict"})
    EXPECT_FALSE(is_of_kernel(path)) << path;
}

}  // namespace
