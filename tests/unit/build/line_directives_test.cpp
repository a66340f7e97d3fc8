// What directives say of lines.
#include "plugin/build/line_directives.hpp"

#include <gtest/gtest.h>

namespace morph::build {
namespace {

using directives = std::vector<directed_lines>;

TEST(LineDirectives, GiveLinesOtherNames) {
  const std::string text =
      "int a;\n"
      "#line 10 \"area.y\"\n"
      "int b;\n"
      "int c;\n"
      "  # line 3\n"
      "int d;\n"
      "# 1 \"C:\\\\x.c\" 2\n"
      "int e;\n";
  EXPECT_EQ(directed_lines_of(text), (directives{{3, 4, "area.y", 10}, {6, 6, "area.y", 3}, {8, 8, "C:\\x.c", 1}}));
  EXPECT_EQ(number_of_lines(text), 8U);
}

TEST(LineDirectives, AreNoneInCommentsAndTexts) {
  EXPECT_EQ(directed_lines_of(
                "/*\n#line 5 \"a.y\"\n*/\nauto t = R\"(\n#line 5 \"a.y\"\n)\";\n#define line 3\nint a; // #line 7\n"),
            directives());
  EXPECT_EQ(directed_lines_of("#line 5 \"a.y\""), directives());  // nothing follows
}

}  // namespace
}  // namespace morph::build
