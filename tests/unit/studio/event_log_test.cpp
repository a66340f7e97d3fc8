// Numbered events: continuing, dropping, pieces.
#include "plugin/studio/event_log.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::studio {
namespace {

constexpr std::size_t plenty = 1 << 20;

event_log log_of(int events, std::size_t most = 100, std::size_t most_bytes = plenty) {
  event_log log(most, most_bytes);
  for (int i = 1; i <= events; ++i) log.add({{"n", i}});
  return log;
}

TEST(EventLog, NumbersEventsFromOne) {
  std::uint64_t after = 0;
  EXPECT_EQ(log_of(2).stream(after, plenty), "id: 1\ndata: {\"n\":1}\n\nid: 2\ndata: {\"n\":2}\n\n");
  EXPECT_EQ(after, 2U);
  EXPECT_EQ(log_of(2).last(), 2U);
  EXPECT_EQ(log_of(0).last(), 0U);
}

TEST(EventLog, ContinuesBehindTheLastOneThatWasSeen) {
  std::uint64_t after = 2;
  EXPECT_EQ(log_of(3).stream(after, plenty), "id: 3\ndata: {\"n\":3}\n\n");
  EXPECT_EQ(log_of(3).stream(after, plenty), "");
  EXPECT_EQ(after, 3U);
}

TEST(EventLog, SaysThatEventsWereDropped) {
  std::uint64_t after = 1;
  EXPECT_EQ(log_of(5, 2).stream(after, plenty),
            "id: 3\ndata: {\"type\":\"missed\"}\n\nid: 4\ndata: {\"n\":4}\n\nid: 5\ndata: {\"n\":5}\n\n");
}

TEST(EventLog, MissesNothingAtTheEdgeOfWhatItKeeps) {
  std::uint64_t after = 3;
  EXPECT_EQ(log_of(5, 2).stream(after, plenty), "id: 4\ndata: {\"n\":4}\n\nid: 5\ndata: {\"n\":5}\n\n");
}

TEST(EventLog, MissesOneAtTheOtherSideOfTheEdge) {
  std::uint64_t after = 2;
  EXPECT_TRUE(log_of(5, 2).stream(after, plenty).starts_with("id: 3\ndata: {\"type\":\"missed\"}\n\n"));
}

TEST(EventLog, GivesAllThatItKeepsAfterZero) {
  std::uint64_t after = 0;
  EXPECT_EQ(log_of(5, 1).stream(after, plenty), "id: 5\ndata: {\"n\":5}\n\n");
}

TEST(EventLog, TakesANumberOfAnotherServerForMissed) {
  std::uint64_t after = 900;
  EXPECT_EQ(log_of(1).stream(after, plenty), "id: 0\ndata: {\"type\":\"missed\"}\n\nid: 1\ndata: {\"n\":1}\n\n");
  EXPECT_EQ(after, 1U);
}

TEST(EventLog, IsBoundedInBytesToo) {
  std::uint64_t after = 0;
  EXPECT_EQ(log_of(9, 100, 14).stream(after, plenty), "id: 8\ndata: {\"n\":8}\n\nid: 9\ndata: {\"n\":9}\n\n");
}

TEST(EventLog, ComesInPieces) {
  const event_log log = log_of(3);
  std::uint64_t after = 0;
  std::string all;
  int pieces = 0;
  for (std::string piece; !(piece = log.stream(after, 1)).empty(); all += piece) ++pieces;
  EXPECT_EQ(pieces, 3);
  after = 0;
  EXPECT_EQ(all, log.stream(after, plenty));
}

TEST(EventLog, ReplacesBytesThatAreNoText) {
  event_log log;
  log.add({{"text", "a\xff\nb"}});
  std::uint64_t after = 0;
  EXPECT_EQ(log.stream(after, plenty), "id: 1\ndata: {\"text\":\"a\xEF\xBF\xBD\\nb\"}\n\n");
}

}  // namespace
}  // namespace morph::studio
