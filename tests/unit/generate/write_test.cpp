// What several searches hand over together.
#include "plugin/generate/write.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace morph::generate
