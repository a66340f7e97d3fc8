// A project that ctest has run once, with what its tests execute and read recorded.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "shapes.hpp"

namespace morph::end_to_end {

inline void write_shapes_that_read(const project& to) {
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

/// Built, and run by ctest once.
class learning : public testing::Test {
 protected:
  learning() : p(shared().here()) {
    shared().restore();
    std::filesystem::remove(p.root() / "../outside.txt");
  }

  static workspace& shared() {
    static workspace made;
    static const bool is_made = make(made);
    EXPECT_TRUE(is_made);
    return made;
  }

  static bool make(workspace& at) {
    project& p = at.here();
    write_shapes_that_read(p);
    p.start_repository();
    p.configure({"-DMORPH_EVIDENCE=probes"});
    p.build();
    const finished first = p.ctest({"-L", "morph"});
    const plan_view plan = p.plan();
    std::filesystem::remove_all(p.build_dir() / ".morph" / "spool");
    at.save();
    return first.exit == 0 && started(first.out).size() == 11 && plan.selected().empty();
  }

  /// What `ctest -L morph` starts, but for the entries that tell of the plan.
  names run(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"-L", "morph"});
    names tests = started(p.ctest(arguments).out);
    std::erase_if(tests, [](const std::string& name) { return name.ends_with(".plan"); });
    return sorted(tests);
  }

  names run_after_build(const std::vector<std::string>& arguments = {}) const {
    p.build();
    return run(arguments);
  }

  void add_test(const std::string& text) const {
    p.write("tests/reads_test.cpp", p.read("tests/reads_test.cpp") + text);
  }

  /// Those of this build tree; how many.
  int kill_recorders() const {
    int killed = 0;
    for (const auto& process : std::filesystem::directory_iterator("/proc")) {
      const std::string name = process.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream in(process.path() / "cmdline");
      const std::string command{std::istreambuf_iterator<char>(in), {}};
      if (command.find("morph-recorder") == std::string::npos || command.find(spool().string()) == std::string::npos)
        continue;
      killed += ::kill(std::stoi(name), SIGKILL) == 0 ? 1 : 0;
    }
    return killed;
  }

  /// Whoever opens it to read waits for go().
  void make_fifo(const std::string& name) const { ASSERT_EQ(::mkfifo((p.root() / name).c_str(), 0600), 0); }
  void go() const { std::ofstream(p.root() / "go").flush(); }

  std::filesystem::path spool() const { return p.build_dir() / ".morph" / "spool"; }

  project& p;
};

}  // namespace morph::end_to_end
