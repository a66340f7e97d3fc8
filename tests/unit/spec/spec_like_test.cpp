// Values like examples, values of a type, and comparisons with both sides.
#include <gtest/gtest.h>

#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "morph/comparison.hpp"
#include "morph/like.hpp"
#include "morph/seeds.hpp"

namespace {

struct entry {
  std::string name{};
  int count{};
  std::vector<double> weights{};
  std::map<std::string, int> more{};
  bool operator==(const entry&) const = default;
};

TEST(Like, EqualSeedsGiveEqualValues) {
  for (const auto& make : {morph::like<entry>({{"abc", 3, {1.5}, {}}}), morph::like<entry>({})}) {
    morph::random_source a(7), b(7), c(8);
    std::vector<entry> of_a, of_b, of_c;
    for (int i = 0; i < 50; ++i) {
      of_a.push_back(make(a));
      of_b.push_back(make(b));
      of_c.push_back(make(c));
    }
    EXPECT_EQ(of_a, of_b);
    EXPECT_NE(of_a, of_c);
  }
}

TEST(Like, AVariationHasTheKindsOfCharactersOfItsExample) {
  morph::random_source random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    const std::string made = morph::like<std::string>({"ab-12"})(random);
    EXPECT_TRUE(std::all_of(made.begin(), made.end(), [](unsigned char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    })) << made;
    seen.insert(made);
  }
  EXPECT_GT(seen.size(), 100U);
}

TEST(Like, OneMemberVariesAndTheOthersStay) {
  morph::random_source random(1);
  const entry example{"abc", 3, {1.5}, {{"x", 1}}};
  std::set<int> counts;
  for (int i = 0; i < 200; ++i) {
    entry made = morph::like<entry>({example}, 1)(random);
    counts.insert(std::exchange(made.count, 3));
    EXPECT_EQ(made, example);
  }
  EXPECT_GT(counts.size(), 5U);
}

TEST(AnyOf, ReachesBordersAndBothSigns) {
  morph::random_source random(1);
  std::set<int> seen;
  for (int i = 0; i < 2000; ++i) seen.insert(morph::any_of<int>()(random));
  EXPECT_TRUE(seen.contains(0) && seen.contains(std::numeric_limits<int>::min()) &&
              seen.contains(std::numeric_limits<int>::max()));
  EXPECT_LT(*std::next(seen.begin()), 0);
  std::set<std::size_t> sizes;
  for (int i = 0; i < 2000; ++i) sizes.insert(morph::any_of<std::string>()(random).size());
  EXPECT_TRUE(sizes.contains(0));
  EXPECT_GT(*sizes.rbegin(), 100U);
}

TEST(Comparison, HasBothSidesAsText) {
  const morph::comparison made = morph::is_equal(std::string("a"), "b");
  EXPECT_EQ(made.holds, morph::verdict::fail);
  EXPECT_EQ(made.left, "\"a\"");
  EXPECT_EQ(made.right, "\"b\"");
  EXPECT_TRUE(made.fails());
  EXPECT_FALSE(morph::comparison{}.fails());
  EXPECT_EQ(morph::is_equal(std::string(300, 'x'), 'x' + std::string(299, 'x')).left.size(), 200U);
}

TEST(Comparison, ComparesAsItsNameSays) {
  const auto holds = [](const morph::comparison& of) { return of.holds == morph::verdict::pass; };
  EXPECT_TRUE(holds(morph::is_unequal(1, 2)) && !holds(morph::is_unequal(2, 2)));
  EXPECT_TRUE(holds(morph::is_less(1, 2)) && !holds(morph::is_less(2, 2)));
  EXPECT_TRUE(holds(morph::is_at_most(2, 2)) && !holds(morph::is_at_most(3, 2)));
  EXPECT_TRUE(holds(morph::is_more(3, 2)) && !holds(morph::is_more(2, 2)));
  EXPECT_TRUE(holds(morph::is_at_least(2, 2)) && !holds(morph::is_at_least(1, 2)));
  EXPECT_TRUE(holds(morph::is_near(1, 1.25, 0.25)) && !holds(morph::is_near(1, 1.5, 0.25)));
  EXPECT_TRUE(holds(morph::is_almost(1.0F, 1.0F + 1e-7F)) && !holds(morph::is_almost(1.0F, 1.001F)));
  const std::string one = "text", same = "text";
  EXPECT_TRUE(holds(morph::is_same_text(one.c_str(), same.c_str())) && !holds(morph::is_same_text("a", nullptr)));
  EXPECT_TRUE(holds(morph::is_other_text("a", "b")) && !holds(morph::is_other_text(one.c_str(), same.c_str())));
  EXPECT_TRUE(holds(morph::is_true(1)) && !holds(morph::is_true(0)));
  EXPECT_TRUE(holds(morph::is_false(0)) && !holds(morph::is_false(1)));
}

}  // namespace
