// Pools as texts: what lines say, and which cases differ between two texts.
#include "plugin/frameworks/pool_lines.hpp"

#include <gtest/gtest.h>

namespace morph::frameworks {
namespace {

using ids = std::set<std::string>;

const std::string head = "{\"morph\":\"pool\",\"version\":1,\"spec\":\"s\"}\n";
const std::string seed_a = "{\"id\":\"a\",\"by\":\"some\",\"in\":[1,\"x\"],\"expected\":2}\n";
const std::string seed_b = "{\"id\":\"b\",\"by\":\"some\",\"in\":3}\n";
const std::string made_c = "{\"id\":\"c\",\"by\":\"d\",\"from\":[\"a\",\"b\"],\"in\":4}\n";
const std::string made_d = "{\"id\":\"d\",\"by\":\"d\",\"from\":[\"c\",\"b\"],\"in\":5}\n";

TEST(PoolText, LinesSayWhatCasesAre) {
  const auto pool = read_pool_text(
      head +
      "\n{\"id\":\"e\",\"by\":\"d\",\"from\":[\"a\"],\"in\":{\"runs\":[1,\"}\"]},\"runs\":[{\"executer\":\"x\","
      "\"out\":\",\\\"runs\\\":\",\"verdicts\":{\"r\":\"fail\",\"q\":\"n/a\",\"p\":\"pass\"}}]}\r\n");
  ASSERT_TRUE(pool) << pool.error();
  EXPECT_EQ(pool->spec, "s");
  ASSERT_EQ(pool->lines.size(), 1U);
  const pool_line& line = pool->lines[0];
  EXPECT_EQ(line.id, "e");
  EXPECT_EQ(line.from, std::vector<std::string>{"a"});
  EXPECT_EQ(line.bare, "{\"id\":\"e\",\"by\":\"d\",\"from\":[\"a\"],\"in\":{\"runs\":[1,\"}\"]}}");
  EXPECT_EQ(line.violated, (pool_line::by_executer{{"x", "r"}}));
  EXPECT_EQ(line.said, (pool_line::by_executer{{"x", "r"}, {"x", "p"}}));
}

TEST(PoolText, MetricsOfShownLinesGoWhereverTheyStand) {
  EXPECT_EQ(without_metrics("{\"metrics\":{\"a\":1},\"in\":2}"), "{\"in\":2}");
  EXPECT_EQ(without_metrics("{\"in\":2,\"metrics\":{\"a\":1},\"by\":\"x\"}"), "{\"in\":2,\"by\":\"x\"}");
  EXPECT_EQ(without_metrics("{\"in\":2,\"metrics\":{\"a\":1}}"), "{\"in\":2}");
  EXPECT_EQ(without_metrics("{\"metrics\":1}"), "{}");
}

TEST(PoolText, ABrokenLineIsNamed) {
  EXPECT_EQ(read_pool_text(head + "{\"in\":\n").error(), "2: it is no JSON object");
  EXPECT_EQ(read_pool_text(head + "[1]\n").error(), "2: it is no JSON object");
}

TEST(PoolText, EqualTextsChangeNothing) {
  EXPECT_EQ(changed_cases(head + seed_a + made_c, head + seed_a + made_c), ids());
}

TEST(PoolText, ACaseChangesWithItsLineAndWithThoseOfItsOrigins) {
  const std::string other = "{\"id\":\"a\",\"by\":\"some\",\"in\":[1,\"x\"],\"expected\":3}\n";
  EXPECT_EQ(changed_cases(head + seed_a + seed_b + made_c + made_d, head + other + seed_b + made_c + made_d),
            (ids{"a", "c", "d"}));
}

TEST(PoolText, ANewCaseIsOneThatWentIsNot) {
  EXPECT_EQ(changed_cases(head + seed_a, head + seed_a + seed_b), ids{"b"});
  EXPECT_EQ(changed_cases(head + seed_a + seed_b, head + seed_a), ids());
  EXPECT_EQ(changed_cases(head + seed_a + seed_b, head + seed_b + seed_a), ids());
}

TEST(PoolText, RunsAndVerdictsAreNoPartOfACase) {
  const std::string ran = "{\"id\":\"b\",\"by\":\"some\",\"in\":3,\"runs\":[{\"executer\":\"x\",\"out\":1}]}\n";
  EXPECT_EQ(changed_cases(head + seed_b, head + ran), ids());
}

TEST(PoolText, LinesDoNotTellWithoutIdsOrWithEqualOnesOrOfAnotherSpec) {
  EXPECT_EQ(changed_cases(head + "{\"in\":3}\n", head + seed_b), std::nullopt);
  EXPECT_EQ(changed_cases(head + seed_b, head + seed_b + "{\"in\":4}\n"), std::nullopt);
  EXPECT_EQ(changed_cases(head + seed_b, head + seed_b + seed_b), std::nullopt);
  EXPECT_EQ(changed_cases(head + seed_b, "{\"morph\":\"pool\",\"version\":1,\"spec\":\"t\"}\n" + seed_b), std::nullopt);
  EXPECT_EQ(changed_cases("", head + seed_b), std::nullopt);
  EXPECT_EQ(changed_cases("no pool\n", head), std::nullopt);
}

}  // namespace
}  // namespace morph::frameworks
