// Paths and queries.
#include "plugin/studio/targets.hpp"

#include <gtest/gtest.h>

namespace morph::studio {
namespace {

TEST(Target, HasAPathAndAFile) {
  EXPECT_EQ(read_target("/api/state")->path, "/api/state");
  const auto read = read_target("/api/source?a=1&file=src%2Fa+b%2b%25.cpp&c");
  EXPECT_EQ(read->path, "/api/source");
  EXPECT_EQ(read->file, "src/a b+%.cpp");
  EXPECT_EQ(read_target("/api/source?profile=x")->file, "");
}

TEST(Target, OfAPathIsNotDecoded) {
  EXPECT_EQ(read_target("/%61pi/state")->path, "/%61pi/state");
}

TEST(Target, ThatIsNoneIsRefused) {
  for (const char* text : {"", "*", "http://127.0.0.1/", "/a?file=%", "/a?file=%4", "/a?file=%4g", "/a?file=%-1"})
    EXPECT_FALSE(read_target(text)) << text;
}

TEST(NumberIn, IsDigitsAlone) {
  EXPECT_EQ(number_in("0"), 0U);
  EXPECT_EQ(number_in("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1x", "18446744073709551616"})
    EXPECT_FALSE(number_in(text)) << text;
}

}  // namespace
}  // namespace morph::studio
