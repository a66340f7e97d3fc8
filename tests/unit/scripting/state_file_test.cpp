// The file of a state: written and read back, cut off at each length, changed in each byte, foreign.
#include "plugin/scripting/state_file.hpp"

#include <gtest/gtest.h>

namespace morph::scripting {
namespace {

saved_state example() {
  return {7,
          {{"pool", ".morph/pools/a.jsonl", "{\"morph\":\"pool\",\"version\":1}\n{\"id\":\"x\"}\n"},
           {"script", ".morph/scripts/b.morph", "morph plan\n"},
           {"messages", ".morph/scripts/b.log", std::string("no end\0\xff", 8)}}};
}

TEST(StateFile, ReadsBackWhatItWrites) {
  EXPECT_EQ(read_state(state_text(example())).value(), example());
  EXPECT_EQ(read_state(state_text({})).value(), saved_state());
}

TEST(StateFile, IsRefusedWhereverItIsCutOff) {
  const std::string text = state_text(example());
  for (std::size_t n = 0; n < text.size(); ++n) {
    const auto found = read_state(std::string_view(text).substr(0, n));
    ASSERT_FALSE(found) << n;
    EXPECT_FALSE(found.error().empty());
  }
}

TEST(StateFile, IsRefusedWhicheverByteIsChanged) {
  const std::string text = state_text(example());
  for (std::size_t n = 0; n + 1 < text.size(); ++n) {
    std::string changed = text;
    changed[n] = changed[n] == '0' ? '1' : '0';
    EXPECT_FALSE(read_state(changed)) << n;
  }
  EXPECT_FALSE(read_state(text + "more"));
}

TEST(StateFile, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) { return read_state(text).error(); };
  EXPECT_EQ(error(""), "the file is empty");
  EXPECT_EQ(error("id,in\n1,2\n"), "this is no file that `morph spec state save` has written");
  EXPECT_EQ(error("{\"schema\":\"morph.plan/1\"}\n"), "this is no file that `morph spec state save` has written");
  EXPECT_EQ(error("{\"schema\":\"morph.state/9\"}\n"),
            "the file has the format morph.state/9; this Morph reads morph.state/1");
  EXPECT_EQ(error("{\"schema\":\"morph.state/1\"}\n"), "its first line does not say how much there is");
  EXPECT_EQ(error("{\"schema\":\"morph.state/1\",\"entries\":18446744073709551615}\n"),
            "the file is cut off; it was not written to its end, or not copied whole");
  EXPECT_EQ(error("{\"schema\":\"morph.state/1\",\"entries\":1}\n{\"kind\":\"pool\",\"path\":\"a\",\"bytes\":"
                  "18446744073709551615}\n"),
            "the file is cut off; it was not written to its end, or not copied whole");
  std::string changed = state_text(example());
  changed.replace(changed.find("morph plan"), 10, "morph plna");
  EXPECT_EQ(error(changed), "the file was changed after it was written: its digest is another one");
}

TEST(StateFile, WritesNothingOutsideOfItsPlaces) {
  const std::string pool = "{\"morph\":\"pool\"}\n";
  const auto refused = [](const state_entry& entry) { return !read_state(state_text({std::nullopt, {entry}})); };
  for (const char* path : {"/etc/passwd", "../x.jsonl", "a/../../x.jsonl", "./x.jsonl", ".git/hooks/x", ""})
    EXPECT_TRUE(refused({"pool", path, pool})) << path;
  EXPECT_FALSE(refused({"pool", "tests/x.jsonl", pool}));
  EXPECT_TRUE(refused({"pool", "tests/x.jsonl", "int main() {}\n"}));
  EXPECT_TRUE(refused({"script", "tests/x.morph", ""}));
  EXPECT_TRUE(refused({"script", ".morph/scripts/x.sh", ""}));
  EXPECT_TRUE(refused({"messages", ".morph/scripts/x.morph", ""}));
  EXPECT_TRUE(refused({"other", ".morph/scripts/x.morph", ""}));
  const state_entry twice{"pool", "x.jsonl", pool};
  EXPECT_FALSE(read_state(state_text({1, {twice, twice}})));
}

}  // namespace
}  // namespace morph::scripting
