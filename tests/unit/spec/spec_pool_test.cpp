// The cases of a spec without their values: identity, origins, ids, forgetting the last ones.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "morph/pool.hpp"
#include "morph/random.hpp"

namespace {

using morph::case_index;
using morph::id_table;
using morph::id_text;
using morph::nowhere;
using morph::pool;
using morph::read_id;

constexpr std::uint64_t seed = 11, negate = 22, middle = 33;  // identities of types

case_index add(pool& to, std::uint16_t type, std::uint32_t input, const std::vector<case_index>& origins = {}) {
  return to.add(type, input, 1000 + input, origins.data(), origins.size());
}

TEST(SpecPool, ACaseKnowsWhatItWasMadeOf) {
  pool cases({seed, negate, middle});
  const case_index a = add(cases, 0, 5);
  const case_index b = add(cases, 0, 6);
  const case_index c = add(cases, 1, 7, {a});
  const case_index d = add(cases, 2, 8, {c, b});
  EXPECT_EQ(cases.size(), 4U);
  EXPECT_EQ(cases.input(d), 8U);
  EXPECT_EQ(cases.type(d), 2U);
  ASSERT_EQ(cases.origins(d).size(), 2U);
  EXPECT_EQ(cases.origins(d)[0], c);
  EXPECT_EQ(cases.origins(d)[1], b);
  EXPECT_EQ(cases.origins(a).size(), 0U);
  EXPECT_EQ(cases.order(a), 0U);
  EXPECT_EQ(cases.order(c), 1U);
  EXPECT_EQ(cases.order(d), 2U);
}

TEST(SpecPool, EqualCasesAreOne) {
  pool cases({seed, negate, middle});
  const case_index a = add(cases, 0, 5);
  const case_index b = add(cases, 0, 6);
  const case_index c = add(cases, 2, 7, {a, b});
  EXPECT_EQ(add(cases, 0, 5), a);
  EXPECT_EQ(add(cases, 2, 7, {a, b}), c);
  EXPECT_NE(add(cases, 2, 7, {b, a}), c) << "the order of origins matters";
  EXPECT_NE(add(cases, 1, 7, {a}), c);
  EXPECT_NE(add(cases, 2, 8, {a, b}), c);
  EXPECT_EQ(cases.size(), 6U);
}

TEST(SpecPool, UpToSixOrigins) {
  pool cases({seed, negate});
  std::vector<case_index> origins;
  for (std::uint32_t i = 0; i < 6; ++i) origins.push_back(add(cases, 0, i));
  const case_index made = add(cases, 1, 9, origins);
  EXPECT_EQ(std::vector<case_index>(cases.origins(made).begin(), cases.origins(made).end()), origins);
}

TEST(SpecPool, IdsDoNotDependOnOtherTypesNorOnPlaces) {
  pool one({seed, negate, middle});
  pool other({middle, seed, seed, negate});
  const case_index a = add(one, 0, 5);
  const case_index b = add(one, 1, 6, {a});
  add(other, 2, 77);
  const case_index x = other.add(1, 3, 1005, nullptr, 0);
  const case_index y = other.add(3, 4, 1006, &x, 1);
  EXPECT_EQ(one.id(a), other.id(x));
  EXPECT_EQ(one.id(b), other.id(y));
}

TEST(SpecPool, AnIdIsTheSameForever) {
  pool cases({seed, negate});
  const case_index a = add(cases, 0, 5);
  const case_index b = add(cases, 1, 6, {a});
  EXPECT_EQ(id_text(cases.id(a)), "0fa4a80ab4f8e852");
  EXPECT_EQ(id_text(cases.id(b)), "e7a0c5bc5915c3cb");
}

TEST(SpecPool, FindsByIdAndSaysWhatIsNotThere) {
  pool cases({seed});
  EXPECT_EQ(cases.find(1), nowhere);
  const case_index a = add(cases, 0, 5);
  EXPECT_EQ(cases.find(cases.id(a)), a);
  EXPECT_EQ(cases.find(cases.id(a) + 1), nowhere);
}

TEST(SpecPool, ManyCasesForgottenAndMadeAgain) {
  pool cases({seed, negate});
  std::vector<std::uint64_t> ids;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const case_index origin = i / 2;
    const case_index made = i == 0 ? add(cases, 0, 0) : cases.add(1, i, 1000 + i, &origin, 1);
    ASSERT_EQ(made, i);
    ids.push_back(cases.id(made));
  }
  EXPECT_EQ(std::set<std::uint64_t>(ids.begin(), ids.end()).size(), 100'000U);
  morph::random_source random(7);
  for (int round = 0; round < 5; ++round) {
    const auto size = static_cast<case_index>(1 + random.below(cases.size()));
    cases.truncate(size);
    ASSERT_EQ(cases.size(), size);
    for (case_index i = 0; i < 100'000; i += 7) ASSERT_EQ(cases.find(ids[i]), i < size ? i : nowhere);
    const auto again = static_cast<case_index>(size + random.below(100'001 - size));
    for (case_index i = size; i < again; ++i) {
      const case_index origin = i / 2;
      ASSERT_EQ(cases.add(1, i, 1000 + i, &origin, 1), i);
      ASSERT_EQ(cases.id(i), ids[i]);
    }
  }
}

TEST(SpecPool, ATableOfCollidingIdsForgetsTheLastOnes) {
  // All begin their search at the same slot.
  std::vector<std::uint64_t> ids;
  id_table table;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint64_t id = std::uint64_t{i} << 32 | 5;
    EXPECT_EQ(table.find_or_add(id, i, ids), i);
    ids.push_back(id);
  }
  table.truncate(100, ids);
  ids.resize(100);
  for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(table.find(std::uint64_t{i} << 32 | 5, ids), i < 100 ? i : nowhere);
  EXPECT_EQ(table.find_or_add(std::uint64_t{99} << 32 | 5, 100, ids), 99U);
  EXPECT_EQ(table.find_or_add(7, 100, ids), 100U);
}

TEST(SpecPool, IdsAsText) {
  std::uint64_t id = 0;
  EXPECT_EQ(id_text(0xabc), "0000000000000abc");
  EXPECT_TRUE(read_id("0000000000000abc", id));
  EXPECT_EQ(id, 0xabcU);
  EXPECT_FALSE(read_id("", id));
  EXPECT_FALSE(read_id("xyz", id));
  EXPECT_FALSE(read_id("12 ", id));
  EXPECT_FALSE(read_id("12345678901234567", id));
}

TEST(SpecPool, ACaseIsSmall) {
  pool cases({seed, negate});
  case_index origin = add(cases, 0, 0);
  for (std::uint32_t i = 1; i < 100'000; ++i) origin = cases.add(1, i, i, &origin, 1);
  EXPECT_LE(cases.bytes(), 100'000U * 2 * 30) << "vectors may have room for twice as many";
}

}  // namespace
