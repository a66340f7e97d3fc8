// Lines of files as they stand.
#include "plugin/report/work_tree.hpp"

#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.hpp"

namespace morph::report {
namespace {

TEST(WorkTreeText, HasTheLinesOfAFile) {
  const test_support::temporary_folder folder;
  folder.write("src/a.cpp", "int a;\n\n \t int b;  \r\nend");
  work_tree_text text(folder.path());
  EXPECT_EQ(text.lines("src/a.cpp"), (std::vector<std::string>{"int a;", "", " \t int b;  \r", "end"}));
  EXPECT_EQ(text.line("src/a.cpp", 3), "int b;");
  EXPECT_EQ(text.line("src/a.cpp", 2), "");
  EXPECT_EQ(text.line("src/a.cpp", 0), "");
  EXPECT_EQ(text.line("src/a.cpp", 5), "");
  EXPECT_TRUE(text.lines("src/b.cpp").empty());
}

TEST(WorkTreeText, IsReadOnce) {
  const test_support::temporary_folder folder;
  folder.write("a.cpp", "one\n");
  work_tree_text text(folder.path());
  EXPECT_EQ(text.line("a.cpp", 1), "one");
  folder.write("a.cpp", "two\n");
  EXPECT_EQ(text.line("a.cpp", 1), "one");
}

}  // namespace
}  // namespace morph::report
