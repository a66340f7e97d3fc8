// What a request leaves out, and how a report says so.
#include "plugin/mutating/request.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace morph::mutating {
namespace {

using words = std::vector<std::string>;

request of_default() {
  request asked;
  asked.operators = *operators_named({});
  return asked;
}

TEST(MutatingRequest, NamesOperatorsThatThereAre) {
  EXPECT_EQ(*operators_named({"ror", "lcr"}), (words{"ror", "lcr"}));
  const auto all = operators_named({"all"});
  ASSERT_TRUE(all);
  EXPECT_GE(all->size(), operators_named({})->size());
  EXPECT_TRUE(std::ranges::find(*all, "ror") != all->end());
  const auto unknown = operators_named({"ror", "rar"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "there is no mutation operator 'rar'; `morph mutate --list-operators` shows them");
}

TEST(MutatingRequest, ChoosesFilesByGlobs) {
  request asked;
  EXPECT_TRUE(asked.is_chosen("src/a.cpp"));
  asked.only = {"src/*"};
  asked.without = {"src/b.cpp"};
  EXPECT_TRUE(asked.is_chosen("src/a.cpp"));
  EXPECT_FALSE(asked.is_chosen("src/b.cpp"));
  EXPECT_FALSE(asked.is_chosen("lib/a.cpp"));
}

TEST(MutatingRequest, OfAllMutantsHasNoScope) {
  EXPECT_EQ(scope_of(of_default()), words{});
  request asked = of_default();
  asked.operators = *operators_named({"all"});
  EXPECT_EQ(scope_of(asked), words{});  // more than all that count
}

TEST(MutatingRequest, SaysInItsScopeWhatLeavesMutantsOut) {
  request asked = of_default();
  asked.operators = {"ror", "lcr"};
  asked.only = {"src/*"};
  asked.without = {"a.cpp", "b.cpp"};
  asked.only_changed = true;
  asked.sample = 7;
  EXPECT_EQ(scope_of(asked), (words{"--operators ror,lcr", "--only src/*", "--without a.cpp", "--without b.cpp",
                                    "--diff", "--sample 7"}));
  asked.since = "main";
  EXPECT_EQ(scope_of(asked)[4], "--diff --since main");
}

TEST(MutatingRequest, LeavesMutantsUnjudgedWithoutAScope) {
  request asked = of_default();
  asked.since = "main";  // without --diff the others are listed, too
  asked.part = shard{2, 8};
  asked.budget = 1;
  EXPECT_EQ(scope_of(asked), words{});
}

}  // namespace
}  // namespace morph::mutating
