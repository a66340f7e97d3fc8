// morph mutate on mutants that do what no program should: block, burn, hoard, leave processes behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// One condition a function; negated, each does something else. What is behind it has no mutants.
void write_limits(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Limits CXX)
set(CMAKE_CXX_STANDARD 17)
option(WITH_SANITIZER "" OFF)
if(WITH_SANITIZER)
  add_compile_options(-fsanitize=address)
  add_link_options(-fsanitize=address)
endif()
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(limits src/limits.cpp)
target_include_directories(limits PUBLIC include)
add_executable(helper src/helper.cpp)
target_link_libraries(helper limits)
add_executable(limits_tests tests/limits_test.cpp)
target_link_libraries(limits_tests limits GTest::gtest_main)
target_compile_definitions(limits_tests PRIVATE HELPER="$<TARGET_FILE:helper>" CHILDREN="${CMAKE_BINARY_DIR}/children")
add_dependencies(limits_tests helper)
morph_add_suite(limits TARGET limits_tests PRODUCTION limits helper ENVIRONMENT GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1)  # which divide nothing
)");
  to.write("include/limits.hpp", R"(#pragma once
int waits(int n);
int burns(int n);
int hoards(int n);
int leaves(int n, const char* note);
void dies(int n);
int helps(int n);
constexpr int sign(int n) {
  if (n < 0) return -1;
  return 1;
}
static_assert(sign(-3) == -1, "by the compiler");
)");
  to.write("src/limits.cpp", R"(#include "limits.hpp"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <memory>
#include <vector>
// morph: off
namespace {
void block() {
  for (;;) pause();
}
void burn() {
  for (volatile unsigned i = 0;;) i = i + 1;
}
void hoard() {
  std::vector<std::unique_ptr<char[]>> all;
  for (;;) all.emplace_back(new char[64 << 20]);
}
int start(const char* note) {
  int ends[2];
  char bell = 'x';
  const int child = pipe(ends) == 0 ? fork() : -1;
  if (child != 0) return child < 0 ? child : static_cast<int>(read(ends[0], &bell, 1));
  setsid();
  if (FILE* file = fopen(note, "a")) {
    fprintf(file, "%d\n", getpid());
    fclose(file);
  }
  if (write(ends[1], &bell, 1) == 1) block();
  return 0;
}
}  // namespace
// morph: on
int waits(int n) {
  if (n > 3) block();
  return n;
}
int burns(int n) {
  if (n > 3) burn();
  return n;
}
int hoards(int n) {
  if (n > 3) hoard();
  return n;
}
int leaves(int n, const char* note) {
  if (n > 3) start(note);
  return n;
}
void dies(int n) {
  if (n == 0) {
    fputs("nothing to share\n", stderr);
    abort();
  }
}
int helps(int n) {
  if (n == 3) return 5;
  return 6;
}
)");
  to.write("src/helper.cpp", "#include \"limits.hpp\"\nint main() { return helps(3); }\n");
  to.write("tests/limits_test.cpp", R"(#include <gtest/gtest.h>
#include <sys/wait.h>
#include <cstdlib>
#include <vector>
#include "limits.hpp"
TEST(Limits, Waits) { EXPECT_EQ(waits(3), 3); }
TEST(Limits, Burns) { EXPECT_EQ(burns(3), 3); }
TEST(Limits, Hoards) { EXPECT_EQ(hoards(3), 3); }
TEST(Limits, Leaves) { EXPECT_EQ(leaves(3, CHILDREN), 3); }
TEST(LimitsDeathTest, Dies) { EXPECT_DEATH(dies(0), "nothing to share"); }
TEST(Limits, Helps) {
  const int status = std::system(HELPER);
  EXPECT_EQ(WEXITSTATUS(status), 5);
}
TEST(Limits, HasASign) {
  volatile int three = 3;
  EXPECT_EQ(sign(three), 1);
}
)");
}

/// All mutants are judged once: the one that blocks has a minute.
class mutants_without_bounds : public testing::Test {
 protected:
  static workspace& shared() {
    static workspace made(write_limits);
    return made;
  }
  static const found_mutants& found() {
    static const found_mutants all = mutate(shared().here(), {"--operators", "neg", "-j", "2"});
    return all;
  }
  /// What became of the negated condition on the line with this text.
  static std::string of(const std::string& text, const std::string& file = "src/limits.cpp") {
    const std::string source = shared().here().read(file);
    const auto line =
        1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find(text)), '\n');
    for (const auto& m : found().json.at("mutants"))
      if (m.at("file") == file && m.at("line") == line)
        return m.at("state").get<std::string>() + " by " + m.at("test").get<std::string>();
    return "no such mutant";
  }
};

TEST_F(mutants_without_bounds, block_until_the_clock_ends_them) {
  EXPECT_EQ(of("if (n > 3) block()"), "timed out by Limits.Waits");
}

TEST_F(mutants_without_bounds, burn_processor_time_where_nothing_counts) {
  EXPECT_EQ(of("if (n > 3) burn()"), "timed out by Limits.Burns");
}

TEST_F(mutants_without_bounds, hoard_memory) {
  EXPECT_EQ(of("if (n > 3) hoard()"), "killed by Limits.Hoards");  // by std::bad_alloc
}

TEST_F(mutants_without_bounds, leave_no_process_behind) {
  EXPECT_EQ(of("if (n > 3) start("), "survived by ");
  std::istringstream children(read_bytes(shared().here().build_dir() / "morph-twin/mutation/build/children"));
  int count = 0;
  for (pid_t child = 0; children >> child; ++count)
    EXPECT_FALSE(fs::exists("/proc/" + std::to_string(child))) << "process " << child << " lives on";
  EXPECT_GT(count, 0);
}

TEST_F(mutants_without_bounds, do_not_die_where_a_death_test_waits_for_it) {
  EXPECT_EQ(of("if (n == 0)"), "killed by LimitsDeathTest.Dies");
}

TEST_F(mutants_without_bounds, are_on_in_programs_that_a_test_executes) {
  EXPECT_EQ(of("if (n == 3)"), "killed by Limits.Helps");
}

TEST_F(mutants_without_bounds, of_constexpr_functions_are_met_by_calls_at_run_time) {
  EXPECT_EQ(of("if (n < 0)", "include/limits.hpp"), "killed by Limits.HasASign");
}

/// Address sanitizers take terabytes of addresses before the first test begins.
TEST(mutants_with_a_sanitizer, have_room_to_run) {
  workspace made;
  const project& p = made.here();
  write_limits(p);
  p.replace("tests/limits_test.cpp", "EXPECT_EQ(leaves(3, CHILDREN), 3)",
            "std::vector<char> large(64 << 20); EXPECT_EQ(leaves(large[3] + 3, CHILDREN), 3)");
  p.replace("src/limits.cpp", "new char[64 << 20]", "new char[1 << 20]()");
  p.start_repository();
  p.configure({"-DWITH_SANITIZER=ON"});
  const found_mutants found = mutate(p, {"--operators", "aor,crp"});
  EXPECT_EQ(found.json.at("left_out_tests"), nlohmann::json::array());
  int survived = 0, crashed = 0;
  for (const auto& m : found.json.at("mutants")) {
    survived += m.at("state") == "survived" && m.at("ran") > 0 ? 1 : 0;
    crashed += m.at("state") == "crashed" ? 1 : 0;
  }
  EXPECT_GT(survived, 0) << found.json.at("mutants");
  EXPECT_EQ(crashed, 0) << found.json.at("mutants");
}

/// A mutant waits before a gate, and tells of itself by a bell.
class mutants_of_an_interrupted_run : public testing::Test {
 protected:
  mutants_of_an_interrupted_run() {
    for (const fs::path& path : {gate_, bell_})
      if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    rung_ = ::open(bell_.c_str(), O_RDWR | O_CLOEXEC);
    write_shop(p);
    p.replace("tests/shop_test.cpp", "EXPECT_EQ(count_down(4), 4);",
              "const int counted = count_down(4);\n  if (counted != 4 && access(\"" + gate_.string() +
                  "\", F_OK) == 0) {\n    std::ofstream(\"" + bell_.string() +
                  "\") << getpid() << std::flush;\n    std::ifstream(\"" + gate_.string() +
                  "\").get();\n  }\n  EXPECT_EQ(counted, 4);");
    p.replace("tests/shop_test.cpp", "#include <gtest/gtest.h>",
              "#include <gtest/gtest.h>\n#include <unistd.h>\n#include <fstream>");
    p.start_repository();
    p.configure();
  }
  ~mutants_of_an_interrupted_run() override { ::close(rung_); }

  workspace made;
  project& p = made.here();
  fs::path gate_ = made.folder() / "gate";
  fs::path bell_ = made.folder() / "bell";
  int rung_ = -1;
};

TEST_F(mutants_of_an_interrupted_run, that_are_judged_are_kept) {
  const std::vector<std::string> words{"mutate", "-j", "1", "--operators", "aor,inc,neg,xt"};
  finished cut;
  {
    running mutating(p.morph_command(words), p.root(), p.environment());
    std::array<char, 16> word{};
    pollfd rung{rung_, POLLIN, 0};
    ASSERT_EQ(::poll(&rung, 1, 300'000), 1) << "no mutant waits";
    ASSERT_GT(::read(rung_, word.data(), word.size() - 1), 0);
    const int test = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(word.data()), 0));
    ASSERT_GE(test, 0) << word.data();
    mutating.send(SIGINT);
    cut = mutating.wait();
    pollfd ended{test, POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, 20'000), 1) << "the test lives on";
    ::close(test);
  }
  EXPECT_EQ(cut.exit, 3) << cut.both();
  EXPECT_NE(cut.err.find("interrupted; the verdicts found so far are kept, run it again to go on"), std::string::npos)
      << cut.err;
  EXPECT_FALSE(fs::exists(p.build_dir() / ".morph/mutation/report.json"));
  fs::remove(gate_);
  const found_mutants rest = mutate(p, {"--operators", "aor,inc,neg,xt"});
  int recalled = 0, killed_by_count = 0;
  for (const auto& m : rest.json.at("mutants")) {
    EXPECT_NE(m.at("state"), "not judged") << m;
    recalled += m.at("recalled") == true ? 1 : 0;
    killed_by_count += m.at("test") == "Count.Down" && m.at("recalled") == false ? 1 : 0;
  }
  EXPECT_GT(recalled, 0);
  EXPECT_GT(killed_by_count, 0);
  EXPECT_EQ(rest.states(), mutate(p, {"--operators", "aor,inc,neg,xt", "--fresh"}).states());
  EXPECT_EQ(mutate(p, {"--operators", "aor,inc,neg,xt"}).ran(), 0);
}

}  // namespace
}  // namespace morph::end_to_end
