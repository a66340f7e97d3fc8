// Tests of GoogleTest that end in all ways, for series.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#define FUNCTION extern "C" __attribute__((noinline, used)) void

FUNCTION only_once() {
  asm("");
}
FUNCTION at_destruction() {
  asm("");
}
FUNCTION of_suite() {
  asm("");
}
FUNCTION end_of_suite() {
  asm("");
}
FUNCTION end_of_all() {
  asm("");
}
FUNCTION end_of_main() {
  asm("");
}
FUNCTION by_writer() {
  asm("");
}
FUNCTION by_last() {
  asm("");
}
FUNCTION by_child() {
  asm("");
}

struct counted {
  counted() { only_once(); }
  ~counted() { at_destruction(); }
};

int& number() {
  static counted one;
  static int n = 0;
  return n;
}

TEST(Memory, First) {
  EXPECT_EQ(++number(), 1);
}
TEST(Memory, Second) {
  EXPECT_EQ(++number(), 1);
}
TEST(Memory, Third) {
  auto much = std::make_unique<char[]>(4 << 20);
  for (int i = 0; i < 4 << 20; i += 4096) much[i] = 1;
  EXPECT_EQ(++number(), much[4096]);
}
TEST(Memory, Unrelated) {}

struct Suite : testing::Test {
  static void SetUpTestSuite() { of_suite(); }
  static void TearDownTestSuite() { end_of_suite(); }
};
TEST_F(Suite, One) {}
TEST_F(Suite, Two) {}

TEST(Ends, Passes) {}
TEST(Ends, Fails) {
  EXPECT_EQ(1, 2) << "as it should";
}
TEST(Ends, Skips) {
  GTEST_SKIP() << "not today";
}
TEST(Ends, Crashes) {
  std::raise(SIGSEGV);
}
TEST(Ends, Exits) {
  std::exit(3);
}
TEST(Ends, ExitsAtOnce) {
  _exit(0);
}
TEST(Ends, PassesAgain) {}

TEST(Effects, Asks) {
  EXPECT_EQ(std::getenv("ASKED_FOR_BY_ONE"), nullptr);
}
TEST(Effects, Writes) {
  by_writer();
  std::ofstream("/dev/null") << "text";
}
TEST(Effects, Forks) {
  if (fork() == 0) {
    by_child();
    _exit(0);
  }
}
TEST(Effects, HasThreads) {
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr),
            0);
  pthread_join(thread, nullptr);
}
TEST(Effects, Last) {
  by_last();
}

struct all : testing::Environment {
  void TearDown() override { end_of_all(); }
};

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  for (int i = 1; i < count; ++i) std::cout << '<' << arguments[i] << '>';
  testing::AddGlobalTestEnvironment(new all);
  if (std::getenv("WITH_A_THREAD") != nullptr) {
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          for (;;) pause();
        },
        nullptr);
  }
  if (std::getenv("WITH_A_HANDLER") != nullptr) std::signal(SIGCHLD, [](int) {});
  const int result = RUN_ALL_TESTS();
  end_of_main();
  return result;
}
