// Sizes and times out of a build tree's own records.
#include "plugin/setup/estimate.hpp"

#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.hpp"

namespace morph::setup {
namespace {

TEST(Estimate, TheLastEntryOfAnObjectCountsInNinjasLog) {
  const std::string log =
      "# ninja log v5\n"
      "0\t1500\t1\tCMakeFiles/a.dir/a.cpp.o\tff\n"
      "0\t9000\t1\tprogram\tff\n"
      "100\t600\t1\tCMakeFiles/b c.dir/b.cpp.o\tff\n"
      "0\t2000\t2\tCMakeFiles/a.dir/a.cpp.o\tff\n"
      "damaged line\n"
      "7\t5\t1\tback.o\tff\n";
  EXPECT_DOUBLE_EQ(parse_ninja_log(log, is_object).value(), 2.5);
}

TEST(Estimate, AnUnknownNinjaLogSaysNothing) {
  EXPECT_FALSE(parse_ninja_log("# ninja log v99\n0\t5\t1\ta.o\tff\n", is_object));
  EXPECT_FALSE(parse_ninja_log("", is_object));
}

TEST(Estimate, CostDataIsSummedOverTestsThatRan) {
  EXPECT_DOUBLE_EQ(
      parse_cost_data("a 3 0.5\nname with blanks 1 1.25\nnever 0 7\nordered 2 1e+06\n---\nfailed 1 9\n").value(), 1.75);
  EXPECT_FALSE(parse_cost_data("---\n"));
  EXPECT_FALSE(parse_cost_data("x"));
}

TEST(Estimate, ProductsOfABuildAreCounted) {
  const morph::test_support::temporary_folder folder;
  folder.write("a.o", std::string(10, 'x'));
  folder.write("lib/b.a", std::string(100, 'x'));
  folder.write("notes.txt", std::string(1000, 'x'));
  folder.write("morph-twin/c.o", std::string(10000, 'x'));
  EXPECT_EQ(products_size(folder.path(), [](const std::string& name) { return name == "morph-twin"; }), 110U);
  EXPECT_EQ(products_size(folder.path() / "nowhere", [](const std::string&) { return false; }), 0U);
}

TEST(Estimate, BytesAndSecondsAreShort) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1500), "1.5 kB");
  EXPECT_EQ(bytes_text(34'000'000), "34 MB");
  EXPECT_EQ(seconds_text(0.04), "0.0 s");
  EXPECT_EQ(seconds_text(61.2), "61 s");
  EXPECT_EQ(seconds_text(185), "3 min 5 s");
  EXPECT_EQ(seconds_text(7260), "2 h 1 min");
}

}  // namespace
}  // namespace morph::setup
