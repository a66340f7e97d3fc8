// Programs that do not list their tests plainly; machines that are full, read-only or of another owner.
#include <unistd.h>

#include <algorithm>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

// ---- programs

// What each prints or wants: see main().
void write_odd_programs(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Odd CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(odd_main OBJECT main.cpp)
foreach(name IN ITEMS noisy glued picky whole)
  add_executable(${name} test.cpp)
  target_link_libraries(${name} odd_main GTest::gtest)
endforeach()
morph_add_suite(noisy TARGET noisy TEST_PREFIX noisy. EXTRA_ARGS noisy)
morph_add_suite(glued TARGET glued TEST_PREFIX glued. EXTRA_ARGS glued)
morph_add_suite(picky TARGET picky TEST_PREFIX picky. EXTRA_ARGS picky)
morph_add_suite(whole TARGET whole TEST_PREFIX whole.)
)");
  to.write("test.cpp", R"(#include <gtest/gtest.h>
TEST(Odd, One) {
}
TEST(Odd, DISABLED_Two) {
}
)");
  to.write("main.cpp", R"(#include <gtest/gtest.h>
#include <cstdio>
#include <cstring>
int main(int argc, char** argv) {
  const char* slash = std::strrchr(argv[0], '/');
  const char* name = slash != nullptr ? slash + 1 : argv[0];
  if (std::strcmp(name, "noisy") == 0) std::puts("Odd program 1.0.\n  loading plugins\n\n  2 plugins");
  if (std::strcmp(name, "glued") == 0) std::printf("starting up... ");
  if (std::strcmp(name, "picky") == 0 && std::strcmp(argv[argc - 1], "picky") != 0) {
    std::fputs("usage: picky [OPTIONS] picky\n", stderr);
    return 2;
  }
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (std::strcmp(name, "noisy") == 0) std::puts("  bye");
  return result;
}
)");
}

class odd_programs : public testing::Test {
 protected:
  odd_programs() : p(built().here()) { built().restore(); }
  static workspace& built() {
    static workspace& shared = []() -> workspace& {
      static workspace w;
      write_odd_programs(w.here());
      w.here().start_repository();
      w.here().configure();
      w.here().build();
      w.save();
      return w;
    }();
    return shared;
  }
  names listed_of(const std::string& suite) const { return listed(p.ctest({"-N", "-L", "^" + suite + "$"}).out); }
  project& p;
};

TEST_F(odd_programs, output_around_the_list_makes_no_tests) {
  EXPECT_EQ(listed_of("noisy"), (names{"noisy.plan", "noisy.Odd.One", "noisy.Odd.Two"}));
  EXPECT_EQ(listed_of("whole"), (names{"whole.plan", "whole.Odd.One", "whole.Odd.Two"}));
}

TEST_F(odd_programs, output_inside_the_list_runs_the_program_as_a_whole_and_says_why) {
  EXPECT_EQ(listed_of("glued"), (names{"glued.plan", "glued.all"}));
  const finished end = p.morph({"plan"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.out.find("glued --gtest_list_tests': its list of tests is mixed with other output; keep the program "
                         "from printing before it lists; the suite runs as a whole"),
            std::string::npos)
      << end.out;
  EXPECT_EQ(p.ctest({"-R", "glued.all"}).exit, 0);
}

TEST_F(odd_programs, a_program_that_needs_arguments_to_list_gets_those_of_its_tests) {
  EXPECT_EQ(listed_of("picky"), (names{"picky.plan", "picky.Odd.One", "picky.Odd.Two"}));
  EXPECT_EQ(p.ctest({"-R", "picky.Odd.One"}).exit, 0);
  p.replace("CMakeLists.txt", " EXTRA_ARGS picky", "");
  p.configure();
  EXPECT_EQ(listed_of("picky"), (names{"picky.plan", "picky.all"}));
}

TEST_F(odd_programs, a_program_that_is_being_linked_runs_as_a_whole_and_is_listed_when_it_is_there) {
  const std::string program = read_bytes(p.build_dir() / "whole");
  write_bytes(p.build_dir() / "whole", program.substr(0, 1000));
  EXPECT_EQ(listed_of("whole"), (names{"whole.plan", "whole.all"}));
  fs::remove(p.build_dir() / "whole");
  EXPECT_EQ(listed_of("whole"), (names{"whole.plan", "whole_NOT_BUILT"}));
  write_bytes(p.build_dir() / "whole", program);
  fs::permissions(p.build_dir() / "whole", fs::perms::owner_all);
  EXPECT_EQ(listed_of("whole"), (names{"whole.plan", "whole.Odd.One", "whole.Odd.Two"}));
}

class threads : public shapes_test {};

TEST_F(threads, before_the_first_test_have_every_test_start_the_program) {
  p.replace("CMakeLists.txt", "GTest::gtest_main", "GTest::gtest");
  p.write("tests/shapes_test.cpp", p.read("tests/shapes_test.cpp") + R"(
#include <sys/stat.h>
#include <unistd.h>
TEST(Threads, Skip) {
  GTEST_SKIP();
}
TEST(Threads, LeaveWithStatusZero) {
  _exit(scale(0));
}
TEST(Threads, LeaveCountersInFiles) {
  if (const char* prefix = getenv("GCOV_PREFIX")) mkdir(prefix, 0777);
}
#include <thread>
int main(int argc, char** argv) {
  std::thread([] { for (;;) pause(); }).detach();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
)");
  p.commit();
  p.build();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_NE(end.err.find("'shapes_tests' has threads before its first test: it is started once for every test"),
            std::string::npos)
      << end.err;
  EXPECT_NE(end.out.find("measured 8 of 8 tests"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find(": 1 failed, "), std::string::npos) << end.out;
  EXPECT_EQ(p.plan().selected(),
            (names{"Threads.LeaveCountersInFiles", "Threads.LeaveWithStatusZero", "Threads.Skip"}));
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), (names{"Area.OfSquare", "Area.OfStrip", "Threads.LeaveCountersInFiles",
                                        "Threads.LeaveWithStatusZero", "Threads.Skip"}));
}

class processes : public shapes_test {};

TEST_F(processes, that_start_their_program_anew_come_to_its_end) {
  p.replace("CMakeLists.txt", "GTest::gtest_main", "GTest::gtest");
  p.write("tests/shapes_test.cpp", p.read("tests/shapes_test.cpp") + R"(
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  if (getenv("ANEW") == nullptr) {
    setenv("ANEW", "1", 1);
    execv("/proc/self/exe", argv);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
)");
  p.commit();
  p.build();
  const finished end = p.try_measure({"--isolation", "process"});
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_NE(end.out.find("measured 5 of 5 tests"), std::string::npos) << end.out;
  EXPECT_EQ(p.plan().selected(), names());
}

class static_programs : public shapes_test {};

// No dynamic linker loads what would tell of libraries, and no library of the runtime's.
TEST_F(static_programs, are_measured_and_selected) {
  p.replace("tests/shapes_test.cpp", "EXPECT_EQ(area(1, 3), 3);",
            "EXPECT_EXIT(exit(area(1, 3)), testing::ExitedWithCode(3), \"\");");
  redeclare("GTest::gtest_main)", "GTest::gtest_main -static)");
  for (const char* isolation : {"fork", "process"}) {
    const finished end = p.try_measure({"--fresh", "--isolation", isolation});
    EXPECT_EQ(end.exit, 0) << end.err;
    EXPECT_NE(end.out.find("measured 5 of 5 tests"), std::string::npos) << end.out;
    EXPECT_NE(end.out.find(": 0 failed, 0 incomplete"), std::string::npos) << end.out;
    EXPECT_EQ(p.plan().selected(), names()) << isolation;
    p.replace("src/area.cpp", "width * height", "height * width");
    EXPECT_EQ(p.plan().selected(), area_tests) << isolation;
    p.replace("src/area.cpp", "height * width", "width * height");
  }
}

// ---- shards

class shards : public shapes_test {
 protected:
  void every_test_is_measured() const {
    for (const char* isolation : {"fork", "process"}) {
      const finished end = p.try_measure({"--fresh", "--isolation", isolation});
      EXPECT_EQ(end.exit, 0) << end.err;
      EXPECT_NE(end.out.find("measured 5 of 5 tests"), std::string::npos) << end.out;
      EXPECT_EQ(p.plan().selected(), names()) << isolation;
      p.replace("src/area.cpp", "width * height", "height * width");
      EXPECT_EQ(p.plan().selected(), area_tests) << isolation;
      p.replace("src/area.cpp", "height * width", "width * height");
    }
  }
};

TEST_F(shards, that_somebody_has_set_divide_no_measurement) {
  p.set_variable("GTEST_TOTAL_SHARDS", "2");
  p.set_variable("GTEST_SHARD_INDEX", "1");
  every_test_is_measured();
}

TEST_F(shards, of_a_suite_divide_no_measurement) {
  p.replace("CMakeLists.txt", "DATA data/*.txt",
            "DATA data/*.txt ENVIRONMENT GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1");
  p.commit();
  p.build();
  every_test_is_measured();
}

class old_programs : public shapes_test {};

TEST_F(old_programs, that_lack_a_case_of_the_sources_do_not_hide_it) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByTwo)",
            "TEST(Scale, ByOne) {\n  EXPECT_EQ(scale(1), 3);\n}\n\nTEST(Scale, ByTwo)");
  p.measure();  // of the sources as they are
  p.build();
  EXPECT_NE(p.plan().reasons("Scale.ByOne"), names{"unaffected"});  // it fails
  EXPECT_EQ(failed(p.ctest({"-L", "^morph$"}).out), names{"Scale.ByOne"});
}

TEST_F(old_programs, that_have_a_case_which_the_sources_lack_run_it) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByTwo)", "TEST(Scale, ByTheNumberTwo)");
  p.measure();
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  p.build();
  EXPECT_THROW(p.plan().test("Scale.ByTwo"), std::runtime_error);
}

// ---- machines

class machine : public shapes_test {
 protected:
  /// As somebody who may not write the sources: a superuser becomes another one.
  std::vector<std::string> as_a_guest(std::vector<std::string> command) const {
    if (::geteuid() == 0)
      command.insert(command.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
    return command;
  }
};

TEST_F(machine, with_a_read_only_source_tree_plans_work_and_measuring_says_what_cannot_be_written) {
  const bool superuser = ::geteuid() == 0;
  if (superuser) {
    p.must_run({"chmod", "o+x", p.root().parent_path().string()});
    p.must_run({"chown", "-R", "65534:65534", p.build_dir().string()});
    p.must_run({"git", "config", "--global", "--add", "safe.directory", p.root().string()});
    p.must_run({"chmod", "-R", "a+rX", (p.root().parent_path() / "home").string()});
  }
  p.replace("src/area.cpp", "width * height", "height * width");
  p.must_run({"chmod", "-R", "a-w,a+rX", p.root().string()});
  p.must_run({"chmod", "-R", "u+w", p.build_dir().string()});

  const finished plan = p.run(as_a_guest(p.morph_command({"plan", "--json"})));
  EXPECT_EQ(plan.exit, 0) << plan.err;
  EXPECT_EQ(plan_view(nlohmann::json::parse(plan.out)).selected(), area_tests);
  const finished measure = p.run(as_a_guest(p.morph_command({"measure"})));
  EXPECT_EQ(measure.exit, 3);
  EXPECT_NE(measure.err.find("'" + p.store().string() + "' cannot be written"), std::string::npos) << measure.err;
  EXPECT_NE(measure.err.find("MORPH_STORE"), std::string::npos) << measure.err;

  p.must_run({"chmod", "u+w", p.root().string(), (p.root() / ".morph").string()});
  p.remove(".morph");
  p.must_run({"chmod", "a-w", p.root().string()});
  const finished first = p.run(as_a_guest(p.morph_command({"measure"})));
  EXPECT_EQ(first.exit, 3);
  EXPECT_NE(first.err.find("cannot make the folder '" + (p.root() / ".morph").string()), std::string::npos)
      << first.err;
  EXPECT_NE(first.err.find("MORPH_STORE"), std::string::npos) << first.err;
  p.must_run({"chmod", "-R", "u+w", p.root().string()});
  if (superuser) p.must_run({"git", "config", "--global", "--unset-all", "safe.directory"});
}

TEST_F(machine, a_full_disk_keeps_what_was_measured_before) {
  const fs::path disk = p.root().parent_path() / "disk";
  fs::create_directories(disk);
  const std::string mount = "mount -t tmpfs -o size=512k tmpfs '" + disk.string() + "'";
  const auto with_disk = [&](const std::string& script) {
    return p.run({"unshare", "--mount", "--map-root-user", "sh", "-c", mount + " && " + script});
  };
  if (with_disk("true").exit != 0) GTEST_SKIP() << "not run: no file system can be mounted here";
  p.configure({"-DMORPH_STORE=" + (disk / "evidence.db").string()});
  const std::string morph = MORPH_PREFIX "/bin/morph";
  const std::string build = " --build '" + p.build_dir().string() + "'";
  const finished end = with_disk(morph + " measure" + build + "; echo measured: $?; " +  //
                                 "head -c 1000000 /dev/zero > '" + disk.string() + "/other' 2>/dev/null; " + morph +
                                 " measure --fresh" + build + "; echo again: $?; " + morph + " plan" + build +
                                 "; echo planned: $?; " + morph + " store verify" + build);
  EXPECT_NE(end.out.find("measured: 0"), std::string::npos) << end.both();
  EXPECT_NE(end.out.find("again: 3"), std::string::npos) << end.both();
  EXPECT_NE(end.err.find("database or disk is full"), std::string::npos) << end.both();
  EXPECT_NE(end.err.find("what was written before is kept"), std::string::npos) << end.both();
  EXPECT_NE(end.out.find("unchanged-proven"), std::string::npos) << end.both();
  EXPECT_NE(end.out.find("planned: 0"), std::string::npos) << end.both();
  EXPECT_NE(end.out.find(": sound"), std::string::npos) << end.both();
}

}  // namespace
}  // namespace morph::end_to_end
