// What programs include of their mutants, and what a failed build says.
#include "plugin/mutating/build.hpp"

#include <gtest/gtest.h>

#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::mutating {
namespace {

TEST(MutantNodes, AreWrittenIfTheyAreOthers) {
  const test_support::temporary_folder folder;
  EXPECT_FALSE(has_nodes(folder.path()));
  ASSERT_TRUE(write_nodes(folder.path(), 7));
  EXPECT_TRUE(has_nodes(folder.path()));
  const auto header = folder / ".morph/mutants/morph_nodes.h";
  EXPECT_EQ(system::read_file(header), "#define MORPH_NODES 7\n");
  const auto long_ago = std::filesystem::last_write_time(header) - std::chrono::hours(1);
  std::filesystem::last_write_time(header, long_ago);
  ASSERT_TRUE(write_nodes(folder.path(), 7));
  EXPECT_EQ(std::filesystem::last_write_time(header), long_ago);  // else every program is compiled again
  ASSERT_TRUE(write_nodes(folder.path(), 8));
  EXPECT_EQ(system::read_file(header), "#define MORPH_NODES 8\n");
}

TEST(FailedMutants, SayWhatFailedFirst) {
  const std::string log =
      "FAILED: a.o \ng++ -c a.cpp\na.cpp:1:1: error: first\nFAILED: b.o \ng++ -c b.cpp\nb.cpp:1:1: error: last\n";
  EXPECT_EQ(with_first_failure("b.cpp:1:1: error: last\n", log),
            "b.cpp:1:1: error: last\n\nfirst:\na.cpp:1:1: error: first\n");
  EXPECT_EQ(with_first_failure("it failed: a.cpp:1:1: error: first\n, as said", log),
            "it failed: a.cpp:1:1: error: first\n, as said");
}

}  // namespace
}  // namespace morph::mutating
