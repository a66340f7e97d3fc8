// Lines out of pieces.
#include "plugin/studio/line_reader.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace morph::studio {
namespace {

using lines = std::vector<std::string>;

lines read(line_reader reader, const lines& pieces) {
  lines found;
  const auto take = [&](std::string_view line) { found.emplace_back(line); };
  for (const std::string& piece : pieces) reader.read(piece, take);
  reader.end(take);
  return found;
}

TEST(LineReader, JoinsPieces) {
  EXPECT_EQ(read(line_reader(), {"a", "b\nc", "\n\nd\r", "\ne"}), (lines{"ab", "c", "", "d", "e"}));
  EXPECT_EQ(read(line_reader(), {"", "\n"}), (lines{""}));
}

TEST(LineReader, CutsLongLines) {
  EXPECT_EQ(read(line_reader(4), {"abcdefghij\nk"}), (lines{"abcd", "efgh", "ij", "k"}));
  EXPECT_EQ(read(line_reader(4), {"abc", "def", "\n"}), (lines{"abcd", "ef"}));
  EXPECT_EQ(read(line_reader(4), {"abcd\n"}), (lines{"abcd"}));
}

TEST(LineReader, DoesNotCutCharacters) {
  EXPECT_EQ(read(line_reader(4), {"abc\xC3\xA4xyz\n"}), (lines{"abc", "\xC3\xA4xy", "z"}));
  EXPECT_EQ(read(line_reader(4), {std::string(6, '\x80') + "\n"}), (lines{"\x80", "\x80", "\x80\x80\x80\x80"}));
}

}  // namespace
}  // namespace morph::studio
