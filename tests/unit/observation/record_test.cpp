// Records as programs write them.
#include "coverage/observation/record.hpp"

#include <gtest/gtest.h>

namespace morph::observation {
namespace {

constexpr const char* small =
    "P 1 10 20\n"
    "O 3 1 7 1\n"
    "N 1 0 given n\n"
    "p 1 a 5\n"
    "O 3 1 7 1\n"
    "N 2 0 result\n"
    "p 2 b \"x y\"\n"
    "N 3 1 this.next_->.name_\n"
    "p 3 c 1\n"
    "u 2 a union\n"
    "R 3 2 ff\n"
    "C 3 250\n"
    "T 4\n"
    "M 1000 /lib/x.so\n";

TEST(Records, AreReadAsTheyWereWritten) {
  property_names names;
  const auto record = read_record(small, names);
  ASSERT_TRUE(record);
  ASSERT_EQ(record->events.size(), 1U);  // what a call is given and what it leaves belong together
  const seen_event& event = record->events.front();
  EXPECT_EQ(event.point, 3U);
  EXPECT_EQ(event.number, 1U);
  EXPECT_EQ(event.instruction, 7U);
  ASSERT_EQ(event.given.size(), 1U);
  EXPECT_EQ(names.of(event.given.front().name).text, "given n");
  ASSERT_EQ(event.values.size(), 2U);
  EXPECT_EQ(event.values[0].text, "\"x y\"");
  EXPECT_EQ(event.values[0].digest, 0xbU);
  EXPECT_EQ(names.of(event.values[1].name).text, "this->next_->name_");
  EXPECT_TRUE(names.of(event.values[1].name).is_private);
  EXPECT_EQ(record->counts.at(3), 250U);
  EXPECT_EQ(record->others.at({3, event.values[0].name}), 0xffU);
  EXPECT_EQ(record->in_other_threads, 4U);
  EXPECT_EQ(record->addresses.at(event.path), (std::vector<std::uint64_t>{0x10, 0x20}));
  EXPECT_EQ(record->modules.front().file, "/lib/x.so");
  EXPECT_TRUE(record->is_whole);
}

TEST(Records, NamesAreTheSameInAllRuns) {
  property_names names;
  const auto first = read_record("O 1 1 0 0\nN 1 0 a\nN 2 0 b\np 2 1 x\nM 0 \n", names);
  const auto second = read_record("O 1 1 0 0\nN 1 0 b\np 1 1 x\nM 0 \n", names);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->events[0].values[0].name, second->events[0].values[0].name);
}

TEST(Records, ThatEndEarlyAreReadAsFarAsTheyGo) {
  const std::string all = small;
  for (std::size_t size = 0; size < all.size(); ++size) {
    property_names names;
    const auto record = read_record(all.substr(0, size), names);
    ASSERT_TRUE(record) << size;
    EXPECT_FALSE(record->is_whole) << size;
  }
}

TEST(Records, OfAnythingElseAreNone) {
  for (const char* text : {"x\n", "O 1\n", "p 1 2 3\n", "O 1 1 0 9\n", "O 1 1 0 0\np 7 a b\n", "N 5 0 a\n", "C -1 2\n",
                           "O 99999999999999999999 1 0 0\n"}) {
    property_names names;
    EXPECT_FALSE(read_record(text, names)) << text;
  }
}

}  // namespace
}  // namespace morph::observation
