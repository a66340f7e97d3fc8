// A fixture, a mock and cases beside production code: only what is marked may change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

struct clock_of_days {
  virtual ~clock_of_days() = default;
  virtual int today() = 0;
};
struct mocked_clock : clock_of_days {
  MOCK_METHOD(int, today, (), (override));
  int calls() { return 1 + 1; }
};
class Tomorrow : public testing::Test {
 protected:
  void SetUp() override { day = 2 + 3; }
  int next() { return day + 1; }
  int day = 0;
};
int tomorrow(clock_of_days& clock) {  // kept
  return clock.today() + 1;           // kept
}
class counter {
 public:
  int next() {         // kept
    return count + 1;  // kept
  }

 private:
  FRIEND_TEST(Counter, Counts);
  int count = 0;
};
TEST_F(Tomorrow, FollowsToday) {
  mocked_clock clock;
  EXPECT_CALL(clock, today()).WillOnce(testing::Return(day + 0));
  EXPECT_EQ(tomorrow(clock), next() + 0);
}
TEST(Counter, Counts) {
  EXPECT_EQ(counter().next(), 1 + 0);
}
class OfSeveral : public testing::TestWithParam<int> {};
TEST_P(OfSeveral, Days) {
  EXPECT_GT(GetParam() + 1, 1);
}
INSTANTIATE_TEST_SUITE_P(all, OfSeveral, testing::Values(1 + 1, 3));
int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS() + 0;
}
