// What several searches hand over together.
#include "plugin/generate/write.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace morph::generate {
namespace {

proposal of(const std::string& test, const std::string& line) {
  return {.files = {{.path = "/p/" + test, .before = "", .after = "TEST(A, B) {}\n", .is_new = true},
                    {.path = "/p/CMakeLists.txt", .before = "project(P)", .after = "project(P)\n" + line}},
          .notes = {}};
}

TEST(Merged, HasAllFilesAndAllLinesOfCMake) {
  const proposal made = merged({of("a.cpp", "one\n"), of("b.cpp", "two\n")});
  ASSERT_EQ(made.files.size(), 3U);
  EXPECT_EQ(made.files[1].after, "project(P)\none\ntwo\n");
  EXPECT_TRUE(made.notes.empty());
}

TEST(Merged, LeavesOutASecondFileOfOneName) {
  const proposal made = merged({of("a.cpp", "one\n"), of("a.cpp", "")});
  ASSERT_EQ(made.files.size(), 2U);
  EXPECT_EQ(made.files[0].after, "TEST(A, B) {}\n");
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_NE(made.notes[0].find("'/p/a.cpp'"), std::string::npos);
}

class written : public testing::Test {
 protected:
  written() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "real");
    std::ofstream(folder_ / "real" / "test.sh.cpp") << "old";
  }
  ~written() override { std::filesystem::remove_all(folder_); }

  static std::string text_of(const std::filesystem::path& path) {
    std::ostringstream made;
    made << std::ifstream(path).rdbuf();
    return made.str();
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "written";
};

TEST_F(written, ALinkStaysOneAndItsFileKeepsItsPermissions) {
  using std::filesystem::perms;
  const auto real = folder_ / "real" / "test.sh.cpp", link = folder_ / "test.cpp";
  std::filesystem::create_symlink("real/test.sh.cpp", link);
  std::filesystem::permissions(real, perms::owner_all);
  ASSERT_TRUE(write({.files = {{.path = link, .before = "old", .after = "new"}}, .notes = {}}));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(text_of(real), "new");
  EXPECT_EQ(std::filesystem::status(real).permissions(), perms::owner_all);
}

TEST_F(written, ANewFileGetsANameThatIsFree) {
  EXPECT_EQ(file_name("src/priceList.cpp", "survivors"), "price_list_survivors_test.cpp");
  EXPECT_EQ(free_kind(folder_, "src/price.cpp", "survivors"), "survivors");
  EXPECT_EQ(free_kind(folder_, "src/price.cpp", "survivors", {folder_ / "price_survivors_test.cpp"}), "survivors2");
  std::ofstream(folder_ / "price_survivors_test.cpp") << "there";
  EXPECT_EQ(free_kind(folder_, "src/price.cpp", "survivors"), "survivors2");
}

}  // namespace
}  // namespace morph::generate
