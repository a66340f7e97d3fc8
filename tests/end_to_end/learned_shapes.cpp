// The project, and what its tests do to it.
#include "learned_shapes.hpp"

#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <thread>

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void write_shapes_and_readers(const project& to) {
  write_shapes(to);
  to.write("tests/sizes.txt", "7\n");
  to.write("tests/reads_test.cpp", R"(#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

TEST(Reads, Variable) {
  std::getenv("SHAPE_OF_NOTHING");
}

TEST(Reads, Tracked) {
  int size = 0;
  std::ifstream(TESTS "/sizes.txt") >> size;
  EXPECT_GT(size, 0);
}

TEST(Reads, Outside) {
  std::ifstream(TESTS "/../../outside.txt").get();
}

TEST(Reads, Nothing) {}
)");
  to.replace("CMakeLists.txt", "morph_add_suite(geometry", R"(add_executable(reads_tests tests/reads_test.cpp)
target_link_libraries(reads_tests GTest::gtest_main)
target_compile_definitions(reads_tests PRIVATE TESTS="${CMAKE_CURRENT_SOURCE_DIR}/tests")
morph_add_suite(reads TARGET reads_tests)
morph_add_suite(geometry)");
}

bool make_learned(workspace& at) {
  project& p = at.here();
  write_shapes_and_readers(p);
  p.start_repository();
  p.configure({"-DMORPH_EVIDENCE=probes"});
  p.build();
  const finished first = p.ctest({"-L", "morph"});
  const plan_view plan = p.plan();
  fs::remove_all(p.build_dir() / ".morph" / "spool");
  at.save();
  return first.exit == 0 && started(first.out).size() == 11 && plan.selected().empty();
}

workspace& learned_workspace() {
  static workspace made;
  static const bool is_made = make_learned(made);
  EXPECT_TRUE(is_made);
  return made;
}

}  // namespace

learned_shapes::learned_shapes() : p(learned_workspace().here()) {
  learned_workspace().restore();
  fs::remove(p.root() / "../outside.txt");
}

names learned_shapes::run(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"-L", "morph"});
  names tests = started(p.ctest(arguments).out);
  std::erase_if(tests, [](const std::string& name) { return name.ends_with(".plan"); });
  return sorted(tests);
}

names learned_shapes::run_after_build(const std::vector<std::string>& arguments) const {
  p.build();
  return run(arguments);
}

void learned_shapes::add_test(const std::string& text) const {
  p.write("tests/reads_test.cpp", p.read("tests/reads_test.cpp") + text);
}

int learned_shapes::kill_recorders(int signal) const {
  int killed = 0;
  for (const auto& process : fs::directory_iterator("/proc")) {
    const std::string name = process.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream in(process.path() / "cmdline");
    std::string command;
    std::getline(in, command);  // of a process that has just ended: nothing, where an iterator would throw
    // Other shards have a folder of the same name, in a mount namespace of their own.
    std::error_code none;
    if (command.find("morph-recorder") == std::string::npos || !fs::equivalent(process.path() / "cwd", spool(), none))
      continue;
    killed += ::kill(std::stoi(name), signal) == 0 ? 1 : 0;
  }
  return killed;
}

void learned_shapes::wait_for_records() const {
  while (!fs::is_empty(spool() / "live")) std::this_thread::yield();
}

void learned_shapes::make_fifo(const std::string& name) const {
  ASSERT_EQ(::mkfifo((p.root() / name).c_str(), 0600), 0);
}

void learned_shapes::go() const {
  std::ofstream(p.root() / "go").flush();
}

}  // namespace morph::end_to_end
