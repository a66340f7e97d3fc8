// How far apart values are, and what identifies them: distances and hashes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "morph/distance.hpp"
#include "morph/hash.hpp"
#include "morph/pool.hpp"
#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using morph::distance;
using morph::edit_distance;
using morph::hash_of;
using morph::id_text;

struct point {
  int x, y;
};
struct tag {
  char letters[4];
  int number;
};

TEST(SpecDistance, OfTexts) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2);
}

TEST(SpecDistance, OfLongTextsTheBeginningsAndLengths) {
  const std::string many(10'000, 'a');
  EXPECT_EQ(edit_distance(many, many), 0);
  EXPECT_EQ(edit_distance(many, many + "bc"), 2);
  EXPECT_EQ(edit_distance("b" + many, many), 1 + 1) << "the beginnings differ, and the lengths";
  EXPECT_EQ(edit_distance(many, ""), 10'000);
}

TEST(SpecDistance, OfNumbers) {
  EXPECT_EQ(distance(3, -4), 7);
  EXPECT_EQ(distance(0.25, 1.0), 0.75);
  EXPECT_EQ(distance(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()), 4294967295.0);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(distance(infinite, infinite), 0);
  EXPECT_EQ(distance(infinite, 1.0), infinite);
  EXPECT_EQ(distance(std::nan(""), 1.0), 1);
  EXPECT_EQ(distance(std::nan(""), std::nan("")), 0);
}

TEST(SpecDistance, OfWhatIsPutTogether) {
  EXPECT_EQ(distance(point{1, 2}, point{4, -2}), 7);
  EXPECT_EQ(distance(std::pair(1, std::string("ab")), std::pair(3, std::string("b"))), 3);
  EXPECT_EQ(distance(std::vector<int>{1, 2, 3}, std::vector<int>{1, 5}), 4) << "3, and 1 for the place too many";
  EXPECT_EQ(distance(std::optional<int>(12), std::optional<int>(13)), 1) << "of the texts [12] and [13]";
  EXPECT_EQ(distance(std::unordered_set<int>{1, 2, 3}, std::unordered_set<int>{3, 2, 1}), 0);
  EXPECT_EQ(distance(tag{{'a', 'b', 'c', 'd'}, 1}, tag{{'a', 'x', 'c', 'd'}, 3}), 3);
}

TEST(SpecDistance, ToTheNearestOtherCase) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {0, 10, 13, 30});
  std::vector<double> nearest;
  double mean = 0;
  s.case_metric("nearest", [](auto& c, auto& pool) { return pool.nearest(c); });
  s.set_metric("diversity", [](auto& pool) { return pool.mean_nearest(); });
  morph::engine::session at_work(s, {});
  at_work.run();
  for (morph::case_index c = 0; c < 4; ++c) nearest.push_back(at_work.spec().case_metric(0, 0, at_work.cases(), c));
  mean = at_work.spec().set_metric(0, 0, at_work.cases());
  EXPECT_EQ(nearest, (std::vector<double>{10, 3, 3, 17}));
  EXPECT_EQ(mean, 33.0 / 4);
}

TEST(SpecDistance, MayBeTheUsers) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {0, 10, 13});
  s.distance_by([](int a, int b) { return std::abs(a % 10 - b % 10); });
  s.case_metric("nearest", [](auto& c, auto& pool) { return pool.nearest(c); });
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.spec().case_metric(0, 0, at_work.cases(), 2), 3);
}

// ---- hashes: on every machine the same

TEST(SpecHash, AreTheSameForever) {
  EXPECT_EQ(id_text(morph::hash_of_bytes("")), "e220a8397b1dcdaf");
  EXPECT_EQ(id_text(morph::hash_of_bytes("a")), "5e025f9ade9eaf3e");
  EXPECT_EQ(id_text(morph::hash_of_bytes("hello world")), "3a8c998044b2ea9c");
  EXPECT_EQ(id_text(hash_of(5)), "3eb2ecbc903907fc");
  EXPECT_EQ(id_text(hash_of(-1)), "2dd82c88fa32b270");
  EXPECT_EQ(id_text(hash_of(0.5)), "c75822b27dfc77bb");
  EXPECT_EQ(id_text(hash_of(std::string("hello"))), "c3ceb2202012a257");
  EXPECT_EQ(id_text(hash_of(std::vector<int>{1, 2})), "1aecdd6546aeca1f");
}

TEST(SpecHash, EqualTextsHaveEqualHashes) {
  EXPECT_EQ(hash_of(std::nan("")), hash_of(-std::nan("1")));
  EXPECT_NE(hash_of(0.0), hash_of(-0.0)) << "as their texts";
  EXPECT_EQ(hash_of(std::unordered_set<int>{1, 2, 3}), hash_of(std::unordered_set<int>{3, 2, 1}));
  EXPECT_EQ(hash_of(tag{{'a', 0, 'c', 'd'}, 1}), hash_of(tag{{'a', 0, 'x', 'y'}, 1})) << "behind the end";
}

TEST(SpecHash, StructureMatters) {
  using nested = std::vector<std::vector<int>>;
  const std::set<std::uint64_t> all{hash_of(nested{}),           hash_of(nested{{}}),        hash_of(nested{{}, {}}),
                                    hash_of(nested{{1, 2}}),     hash_of(nested{{1}, {2}}),  hash_of(nested{{2, 1}}),
                                    hash_of(nested{{1, 2}, {}}), hash_of(nested{{}, {1, 2}})};
  EXPECT_EQ(all.size(), 8U);
  EXPECT_NE(hash_of(std::vector<std::string>{"ab", "c"}), hash_of(std::vector<std::string>{"a", "bc"}));
  EXPECT_NE(hash_of(std::string("ab")), hash_of(std::string("ab\0", 3)));
}

TEST(SpecHash, ManyNumbersDoNotCollide) {
  std::set<std::uint64_t> all;
  for (int x = 0; x < 300; ++x)
    for (int y = 0; y < 300; ++y) all.insert(hash_of(point{x, y}));
  EXPECT_EQ(all.size(), 90'000U);
}

TEST(SpecHash, CharactersThatEndNowhere) {
  EXPECT_NE(hash_of(tag{{'a', 'b', 'c', 'd'}, 1}), hash_of(tag{{'a', 'b', 'c', 'e'}, 1}));
}

}  // namespace
