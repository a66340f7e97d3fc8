// Literals: drawn and varied within their roles, and learnt from comparisons.
#include "plugin/generate/literals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace morph::generate {
namespace {

constexpr int draws = 3000;

bool is_in(const literal& of, std::uint32_t number, const literal_table& all) {
  const role& as = all.role_at(number);
  if (of.kind != as.kind) return false;
  if (as.kind == 'i' && !as.values.empty()) return std::ranges::find(as.values, of.number) != as.values.end();
  if (as.kind == 'i') return of.number >= as.least && of.number <= as.most;
  if (as.kind == 'd')
    return std::isfinite(of.real) &&
           (!as.is_single_precision || of.real == static_cast<double>(static_cast<float>(of.real)));
  if (as.kind == 's') return of.text.size() <= 400;
  if (as.is_tuple && of.elements.size() != as.elements.size()) return false;
  for (std::size_t i = 0; i < of.elements.size(); ++i)
    if (!is_in(all[of.elements[i]], as.elements[as.is_tuple ? i : 0], all)) return false;
  return true;
}

/// How many of those that are drawn, and varied again and again, are not of the role; the values that were there.
struct drawn {
  int strangers = 0;
  std::set<std::uint32_t> numbers{};
};
drawn draw_many(literal_table& all, std::uint32_t role, std::uint64_t seed = 1) {
  optimizer::random_source random(seed);
  drawn made;
  std::uint32_t varied = all.draw(role, random);
  for (int i = 0; i < draws; ++i) {
    const std::uint32_t one = all.draw(role, random);
    varied = all.vary(varied, role, random);
    made.strangers += (is_in(all[one], role, all) ? 0 : 1) + (is_in(all[varied], role, all) ? 0 : 1);
    made.numbers.insert({one, varied});
  }
  return made;
}

TEST(Literals, OfOneValueAreOne) {
  literal_table all;
  const std::uint32_t number = all.add({.kind = 's', .text = "a"});
  EXPECT_EQ(all.add({.kind = 's', .text = "a"}), number);
  EXPECT_NE(all.add({.kind = 's', .text = "b"}), number);
  EXPECT_EQ(all.size(), 2U);
}

TEST(Literals, OfOneTypeHaveOneRole) {
  literal_table all;
  const std::uint32_t bytes = all.add_role({.kind = 'i', .least = 0, .most = 255});
  const std::uint32_t texts = all.add_role({.kind = 's'});
  EXPECT_EQ(all.add_role({.kind = 'i', .least = 0, .most = 255}), bytes);
  EXPECT_EQ(all.add_role({.kind = 's'}), texts);
  EXPECT_NE(all.add_role({.kind = 'i', .least = 0, .most = 254}), bytes);
  EXPECT_EQ(all.roles(), 3U);
}

TEST(Literals, OfNumbersStayWithinTheirLimits) {
  literal_table all;
  const std::uint32_t bytes = all.add_role({.kind = 'i', .least = -128, .most = 127});
  const drawn seen = draw_many(all, bytes);
  EXPECT_EQ(seen.strangers, 0);
  EXPECT_GT(seen.numbers.size(), 100U);
}

TEST(Literals, OfTheLargestNumbersDoNotOverflow) {
  literal_table all;
  const std::uint32_t longs = all.add_role({.kind = 'i',
                                            .least = std::numeric_limits<std::int64_t>::min(),
                                            .most = std::numeric_limits<std::int64_t>::max()});
  all.offer({.kind = 'i', .number = std::numeric_limits<std::int64_t>::min()});
  all.offer({.kind = 'i', .number = std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(draw_many(all, longs).strangers, 0);
}

TEST(Literals, OfAnEnumerationAreItsEnumerators) {
  literal_table all;
  const std::uint32_t colours = all.add_role({.kind = 'i', .least = 1, .most = 40, .values = {1, 20, 40}});
  const drawn seen = draw_many(all, colours);
  EXPECT_EQ(seen.strangers, 0);
  EXPECT_EQ(seen.numbers.size(), 3U);
}

TEST(Literals, OfSinglePrecisionAreFloats) {
  literal_table all;
  const std::uint32_t floats = all.add_role({.kind = 'd', .is_single_precision = true});
  all.offer({.kind = 'd', .real = 0.1});
  all.offer({.kind = 'd', .real = 1e300});
  all.offer({.kind = 'd', .real = std::numeric_limits<float>::max()});
  EXPECT_EQ(draw_many(all, floats).strangers, 0);
}

TEST(Literals, OfDoublePrecisionAreFinite) {
  literal_table all;
  const std::uint32_t doubles = all.add_role({.kind = 'd'});
  all.offer({.kind = 'd', .real = std::numeric_limits<double>::max()});
  all.offer({.kind = 'd', .real = std::numeric_limits<double>::infinity()});
  all.offer({.kind = 'd', .real = std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(draw_many(all, doubles).strangers, 0);
}

TEST(Literals, OfTextsHaveALimit) {
  literal_table all;
  const std::uint32_t texts = all.add_role({.kind = 's'});
  all.offer({.kind = 's', .text = std::string(400, 'x')});
  EXPECT_EQ(draw_many(all, texts).strangers, 0);
}

TEST(Literals, OfAListAreOfItsElementsRole) {
  literal_table all;
  const std::uint32_t bits = all.add_role({.kind = 'i', .most = 1, .values = {0, 1}});
  const std::uint32_t lists = all.add_role({.kind = 'l', .elements = {bits}});
  const drawn seen = draw_many(all, lists);
  EXPECT_EQ(seen.strangers, 0);
  EXPECT_GT(seen.numbers.size(), 10U);
}

TEST(Literals, OfATupleHaveOneElementOfEachRole) {
  literal_table all;
  const std::uint32_t texts = all.add_role({.kind = 's'});
  const std::uint32_t bits = all.add_role({.kind = 'i', .most = 1, .values = {0, 1}});
  const std::uint32_t pairs = all.add_role({.kind = 'l', .elements = {texts, bits}, .is_tuple = true});
  const std::uint32_t maps = all.add_role({.kind = 'l', .elements = {pairs}});
  EXPECT_EQ(draw_many(all, pairs).strangers, 0);
  EXPECT_EQ(draw_many(all, maps).strangers, 0);
}

TEST(Literals, ThatWereSeenAreOfferedToRolesThatTheyFitAlone) {
  literal_table all;
  const std::uint32_t bytes = all.add_role({.kind = 'i', .least = 0, .most = 255});
  const std::uint32_t ints = all.add_role({.kind = 'i', .least = -100000, .most = 100000});
  const std::uint32_t colours = all.add_role({.kind = 'i', .least = 0, .most = 5000, .values = {0, 5000}});
  const std::uint32_t texts = all.add_role({.kind = 's'});
  const std::size_t in_bytes = all.role_at(bytes).pool.size(), in_ints = all.role_at(ints).pool.size(),
                    in_colours = all.role_at(colours).pool.size(), in_texts = all.role_at(texts).pool.size();
  all.offer({.kind = 'i', .number = 4711});
  EXPECT_EQ(all.role_at(bytes).pool.size(), in_bytes);
  EXPECT_EQ(all.role_at(ints).pool.size(), in_ints + 1);
  EXPECT_EQ(all[all.role_at(ints).pool.back()].number, 4711);
  EXPECT_EQ(all.role_at(colours).pool.size(), in_colours);
  EXPECT_EQ(all.role_at(texts).pool.size(), in_texts);
  all.offer({.kind = 's', .text = "needle"});
  EXPECT_EQ(all[all.role_at(texts).pool.back()].text, "needle");
  EXPECT_EQ(all.role_at(ints).pool.size(), in_ints + 1);
}

TEST(Literals, ThatAreIntegersAreOfferedToRealsAsSuch) {
  literal_table all;
  const std::uint32_t doubles = all.add_role({.kind = 'd'});
  all.offer({.kind = 'i', .number = 42});
  const literal& newest = all[all.role_at(doubles).pool.back()];
  EXPECT_EQ(newest.kind, 'd');
  EXPECT_EQ(newest.real, 42.0);
}

TEST(Literals, ThatAreOfferedTwiceAreInAPoolOnce) {
  literal_table all;
  const std::uint32_t ints = all.add_role({.kind = 'i', .least = 0, .most = 100000});
  all.offer({.kind = 'i', .number = 4711});
  const std::size_t size = all.role_at(ints).pool.size();
  all.offer({.kind = 'i', .number = 4711});
  EXPECT_EQ(all.role_at(ints).pool.size(), size);
}

TEST(Literals, ThatAreOfferedFillAPoolUpToALimit) {
  literal_table all;
  const std::uint32_t ints = all.add_role({.kind = 'i', .least = 0, .most = 100000});
  for (int i = 0; i < 1000; ++i) all.offer({.kind = 'i', .number = 2000 + i});
  EXPECT_EQ(all.role_at(ints).pool.size(), 600U);
}

TEST(Literals, ThatAUserGivesForAParameterAreDrawnForItAlone) {
  literal_table all;
  const std::uint32_t texts = all.add_role({.kind = 's'});
  const std::uint32_t documents = all.add_role({.kind = 's', .name = "document"});
  EXPECT_TRUE(all.offer_named("document", {.kind = 's', .text = "k: [v]"}));
  optimizer::random_source random(1);
  int drawn = 0, elsewhere = 0;
  for (int i = 0; i < draws; ++i) {
    drawn += all[all.draw(documents, random)].text == "k: [v]" ? 1 : 0;
    elsewhere += all[all.draw(texts, random)].text == "k: [v]" ? 1 : 0;
  }
  EXPECT_GT(drawn, draws / 3);
  EXPECT_EQ(elsewhere, 0);
}

TEST(Literals, ThatAUserGivesForNoParameterAreOfAllOfTheirType) {
  literal_table all;
  const std::uint32_t texts = all.add_role({.kind = 's'});
  const std::uint32_t bytes = all.add_role({.kind = 'i', .least = 0, .most = 255});
  EXPECT_TRUE(all.offer_named("anything", {.kind = 's', .text = "k: [v]"}));
  EXPECT_EQ(all.role_at(texts).given.size(), 1U);
  EXPECT_TRUE(all.role_at(bytes).given.empty());
  EXPECT_FALSE(all.offer_named("anything", {.kind = 'i', .number = 4711}));
}

TEST(Literals, OfEqualSeedsAreEqual) {
  const auto of_seed = [](std::uint64_t seed) {
    literal_table all;
    const std::uint32_t texts = all.add_role({.kind = 's'});
    optimizer::random_source random(seed);
    std::vector<std::string> made;
    std::uint32_t last = all.draw(texts, random);
    for (int i = 0; i < 200; ++i) made.push_back(all[last = all.vary(last, texts, random)].text);
    return made;
  };
  EXPECT_EQ(of_seed(5), of_seed(5));
  EXPECT_NE(of_seed(5), of_seed(6));
}

}  // namespace
}  // namespace morph::generate
