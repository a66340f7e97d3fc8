// Measuring that is cut short, and plans made while it goes on.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// A program of three tests, the second of which waits until it is let go.
workspace& waiting_project() {
  static workspace shared;
  static const bool made = [] {
    project& p = shared.here();
    p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Waiting CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(waiting_tests waiting_test.cpp)
target_link_libraries(waiting_tests GTest::gtest_main)
morph_add_suite(waiting TARGET waiting_tests)
)");
    p.write("waiting_test.cpp", R"(#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>
#include <fstream>

TEST(Wait, Before) {
  EXPECT_TRUE(true);
}

TEST(Wait, UntilLetGo) {
  std::ofstream(getenv("BELL")) << "here" << std::flush;
  char word = 0;
  EXPECT_EQ(read(open(getenv("GATE"), O_RDONLY), &word, 1), 1);
  EXPECT_EQ(word, 'g');
}

TEST(Wait, After) {
  EXPECT_TRUE(true);
}
)");
    p.start_repository();
    p.configure();
    p.build();
    // The twin is built now; the test ends at once because its gate is not there.
    p.set_variable("GATE", "/nowhere/at/all");
    p.set_variable("BELL", "/nowhere/at/all");
    p.measure();
    fs::remove(p.store());
    shared.save();
    return true;
  }();
  (void)made;
  return shared;
}

class interrupted : public testing::Test {
 protected:
  interrupted() : p(waiting_project().here()) {
    waiting_project().restore();
    for (const auto& [name, path] : {std::pair{"GATE", gate_}, std::pair{"BELL", bell_}}) {
      p.set_variable(name, path.string());
      fs::remove(path);
      if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    }
    rung_ = ::open(bell_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);  // as a writer too: it never seems closed
  }
  ~interrupted() override {
    ::close(rung_);
    if (opened_ >= 0) ::close(opened_);
  }

  std::unique_ptr<running> start_measuring() const {
    return std::make_unique<running>(p.morph_command({"measure", "--json"}), p.root(), p.environment());
  }

  /// Opens the gate when the waiting test stands before it: the test before it has ended.
  int wait_for_the_waiting_test(running& measuring) const {
    const int process = static_cast<int>(::syscall(SYS_pidfd_open, measuring.id(), 0));
    std::array<pollfd, 2> events{pollfd{rung_, POLLIN, 0}, pollfd{process, POLLIN, 0}};
    while (::poll(events.data(), events.size(), -1) < 0 && errno == EINTR) {
    }
    ::close(process);
    std::array<char, 16> word{};
    if (::read(rung_, word.data(), word.size()) <= 0)
      throw std::runtime_error("the measurement ended before the waiting test:\n" + measuring.wait().both());
    return ::open(gate_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  /// Now and when it is tried again.
  void let_go(int gate) {
    EXPECT_EQ(::write(gate, "gg", 2), 2);
    opened_ = gate;
  }

  nlohmann::json stored() const {
    return nlohmann::json::parse(p.morph({"store", "info", "--json"}).out).at("measurements").at(0);
  }

  void goes_on_after(int signal) {
    auto measuring = start_measuring();
    const int gate = wait_for_the_waiting_test(*measuring);
    measuring->send(signal);
    const finished end = measuring->wait();
    ::close(gate);
    EXPECT_EQ(end.exit, 3);
    EXPECT_NE(end.err.find("run it again to continue"), std::string::npos) << end.err;
    EXPECT_EQ(stored()["measured"], 1);
    EXPECT_EQ(stored()["tests"], 3);
    EXPECT_EQ(stored()["complete"], false);
    EXPECT_EQ(p.plan().state(), "affected");
    EXPECT_EQ(p.plan().reasons("Wait.UntilLetGo"), names{"unmeasured"});
    // What the program does outside of its tests is known when it ends.
    EXPECT_EQ(p.plan().reasons("Wait.Before"), names{"incomplete-evidence"});

    auto again = start_measuring();
    let_go(wait_for_the_waiting_test(*again));
    const finished rest = again->wait();
    ASSERT_EQ(rest.exit, 0) << rest.err;
    EXPECT_EQ(nlohmann::json::parse(rest.out)["measured"], 2);
    EXPECT_EQ(stored()["measured"], 3);
    EXPECT_EQ(stored()["complete"], true);
    EXPECT_EQ(p.plan().state(), "unchanged-proven");
  }

  project& p;

 private:
  fs::path gate_ = waiting_project().folder() / "gate";
  fs::path bell_ = waiting_project().folder() / "bell";
  int rung_ = -1, opened_ = -1;
};

TEST_F(interrupted, control_C_keeps_finished_rows_and_the_next_run_goes_on) {
  goes_on_after(SIGINT);
}

TEST_F(interrupted, a_request_to_end_keeps_finished_rows_too) {
  goes_on_after(SIGTERM);
}

TEST_F(interrupted, a_killed_measurement_leaves_a_sound_store_and_the_next_run_completes_it) {
  auto measuring = start_measuring();
  const int gate = wait_for_the_waiting_test(*measuring);
  measuring->send(SIGKILL);
  EXPECT_EQ(measuring->wait().exit, -SIGKILL);
  ::close(gate);
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
  EXPECT_EQ(p.plan().selected().size(), 3U);

  auto again = start_measuring();
  let_go(wait_for_the_waiting_test(*again));
  const finished rest = again->wait();
  ASSERT_EQ(rest.exit, 0) << rest.err;
  EXPECT_EQ(stored()["complete"], true);
}

TEST_F(interrupted, plans_and_listings_work_while_a_measurement_goes_on) {
  auto measuring = start_measuring();
  const int gate = wait_for_the_waiting_test(*measuring);
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), (names{"Wait.After", "Wait.Before", "Wait.UntilLetGo"}));
  EXPECT_EQ(p.ctest({"-N", "-L", "morph"}).exit, 0);
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
  let_go(gate);
  const finished end = measuring->wait();
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(stored()["complete"], true);
}

TEST_F(interrupted, a_second_measurement_at_the_same_time_is_refused_and_the_first_completes) {
  auto measuring = start_measuring();
  const int gate = wait_for_the_waiting_test(*measuring);
  const finished second = p.try_measure();
  EXPECT_EQ(second.exit, 3);
  EXPECT_NE(second.err.find("measure.lock' is locked; is another `morph measure` at work in this build tree?"),
            std::string::npos)
      << second.err;
  let_go(gate);
  const finished end = measuring->wait();
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(stored()["complete"], true);
}

TEST_F(interrupted, files_that_change_while_the_tests_run_are_changes_afterwards) {
  auto measuring = start_measuring();
  const int gate = wait_for_the_waiting_test(*measuring);
  p.replace("waiting_test.cpp", "TEST(Wait, After) {\n  EXPECT_TRUE(true);",
            "TEST(Wait, After) {\n  EXPECT_FALSE(false);");
  let_go(gate);
  EXPECT_EQ(measuring->wait().exit, 0);
  EXPECT_EQ(p.plan().selected(), names{"Wait.After"});
}

}  // namespace
}  // namespace morph::end_to_end
