// Options among the words of another program.
#include "plugin/pools/words.hpp"

#include <gtest/gtest.h>

namespace morph::pools {
namespace {

using words = std::vector<std::string>;

TEST(WordsOfOthers, AreLeftWithoutOurOptions) {
  std::string build = "default", suite;
  const std::map<std::string, std::string*> ours{{"--build", &build}, {"--suite", &suite}};
  EXPECT_EQ(take_options({"run", "--build", "b", "--order=2", "--suite=x=y", "--build-all", "z"}, ours),
            (words{"run", "--order=2", "--build-all", "z"}));
  EXPECT_EQ(build, "b");
  EXPECT_EQ(suite, "x=y");
}

TEST(WordsOfOthers, MayEndWithAnOptionWithoutItsValue) {
  std::string build = "default";
  EXPECT_EQ(take_options({"run", "--build"}, {{"--build", &build}}), words{"run"});
  EXPECT_EQ(build, "default");
}

}  // namespace
}  // namespace morph::pools
