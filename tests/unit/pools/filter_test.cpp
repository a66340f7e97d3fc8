// What `morph spec filter` is asked for: by rows, which is ours, or else, which is the program's.
#include "plugin/pools/filter.hpp"

#include <gtest/gtest.h>

#include "plugin/pools/words.hpp"

namespace morph::pools {
namespace {

using words = std::vector<std::string>;

TEST(SpecFilter, WhatIsTheProgramsIsLeftToIt) {
  EXPECT_EQ(value_of({"filter", "--pool", "a", "--pool=b"}, "--pool"), "b");
  const auto other = read_filter({"filter", "--pool", "p", "--by", "failed", "--most", "3"});
  ASSERT_TRUE(other);
  EXPECT_FALSE(*other);
}

TEST(SpecFilter, OurWordsDoNotReachTheProgram) {
  const auto least = read_filter({"filter", "--by=minimize", "--pool", "p", "--by", "failed"});
  ASSERT_TRUE(least && *least);
  EXPECT_EQ((*least)->words, (words{"filter", "--pool", "p", "--by", "failed"}));
  EXPECT_FALSE((*least)->most);
  const auto most = read_filter({"filter", "--most=12", "--pool", "p", "--by", "select"});
  ASSERT_TRUE(most && *most);
  EXPECT_EQ((*most)->words, (words{"filter", "--pool", "p"}));
  EXPECT_EQ((*most)->most, 12U);
}

TEST(SpecFilter, WhatCannotBeIsAnError) {
  const auto error = [](words more) {
    more.insert(more.begin(), "filter");
    const auto read = read_filter(more);
    return read ? std::string() : read.error();
  };
  EXPECT_EQ(error({"--by", "select"}), "--by select needs --most N, how many cases");
  EXPECT_EQ(error({"--by", "select", "--most", "0"}), "--most needs a number of cases from 1 on, not '0'");
  EXPECT_EQ(error({"--by", "select", "--most", "3x"}), "--most needs a number of cases from 1 on, not '3x'");
  EXPECT_EQ(error({"--by", "select", "--by", "minimize", "--remove"}),
            "--by minimize and --by select say what stays; leave out --remove");
  EXPECT_EQ(error({"--by", "minimize", "--by", "select", "--most", "3"}),
            "--most is for --by select; --by minimize keeps as many as it takes");
  EXPECT_EQ(error({"--by", "minimize", "--most", "3"}),
            "--most is for --by select; --by minimize keeps as many as it takes");
}

TEST(SpecFilter, TextSaysWhetherFewerWouldDo) {
  filtered_pool made;
  made.found = {.ids = {"a", "b"}, .covered = 7, .all = 9, .is_proven = false, .bound = 1};
  made.measured = 5;
  made.unmeasured = 1;
  EXPECT_EQ(as_text(made),
            "2 of 5 measured cases cover 7 of 9 lines and branches; no fewer than 1 can\n1 that were not measured "
            "stay\n");
  made.is_limited = true;
  made.unmeasured = 0;
  made.found.is_proven = true;
  EXPECT_EQ(as_text(made), "2 of 5 measured cases cover 7 of 9 lines and branches; no others cover more\n");
}

}  // namespace
}  // namespace morph::pools
