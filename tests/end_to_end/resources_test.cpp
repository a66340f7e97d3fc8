// A machine that gives little: a build tree that cannot be written, a full temporary folder, no memory left.
#include <gtest/gtest.h>
#include <unistd.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void write_machine(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Machine CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(machine machine.cpp)
add_executable(machine_tests machine_test.cpp)
target_link_libraries(machine_tests machine GTest::gtest_main)
morph_add_suite(machine TARGET machine_tests GRANULARITY ${GRANULARITY})
)");
  to.write("machine.cpp", R"(#include <cstdio>
#include <cstdlib>
#include <cstring>

int twice(int n) {
  return n + n;
}

bool keep(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  static char bytes[1 << 18];
  bool good = std::fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes;
  good = std::fclose(file) == 0 && good;
  return good;
}

void eat() {
  for (const std::size_t bite = 1 << 24; char* food = static_cast<char*>(std::malloc(bite));) std::memset(food, 1, bite);
}
)");
  to.write("machine_test.cpp", R"(#include <gtest/gtest.h>
#include <cstdlib>
#include <string>

int twice(int n);
bool keep(const char* path);
void eat();

TEST(Machine, Adds) {
  EXPECT_EQ(twice(1), 2);
}

TEST(Machine, Eats) {
  if (std::getenv("HUNGRY") == nullptr) return;
  eat();
  FAIL() << "there is nothing left";
}

TEST(Machine, Keeps) {
  if (std::getenv("TMPDIR") == nullptr) return;
  EXPECT_TRUE(keep((std::getenv("TMPDIR") + std::string("/kept")).c_str()));
}

TEST(Machine, AddsMore) {
  EXPECT_EQ(twice(2), 4);
}
)");
}

class resources : public testing::Test {
 protected:
  resources() : p(measured().here()) { measured().restore(); }

  static workspace& measured() {
    static workspace made(write_machine, {"-DGRANULARITY=case"});
    return made;
  }

  /// Runs a command where `preparation` was done to mounts that nobody else sees; "$1" in it is `folder`.
  finished run_with_mounts(const std::string& preparation, const fs::path& folder, const names& command) const {
    names all{"unshare", "--mount"};
    if (::geteuid() != 0) all.emplace_back("--map-root-user");
    const std::string script = preparation + R"( || exit 99; shift; exec "$@")";
    all.insert(all.end(), {"sh", "-c", script, "sh", folder.string()});
    all.insert(all.end(), command.begin(), command.end());
    return p.run(all);
  }
  static constexpr const char* read_only = R"(mount --bind "$1" "$1" && mount -o remount,bind,ro "$1")";
  static constexpr const char* small = R"(mount -t tmpfs -o size=128k small "$1")";
  bool can_mount() const { return run_with_mounts(small, p.root(), {"true"}).exit == 0; }

  std::string how(const std::string& test) const { return p.morph({"plan", "--why", test}).out; }

  project& p;
};

#define NEEDS_MOUNTS() \
  if (!can_mount()) GTEST_SKIP() << "not run: mounts of one's own are not allowed here (unshare --mount)"

// ---- a build tree that cannot be written

class read_only_tree : public resources {
 protected:
  finished in_tree(names arguments) const {
    return run_with_mounts(read_only, p.build_dir(), p.morph_command(std::move(arguments)));
  }
};

TEST_F(read_only_tree, serves_plans_and_reports) {
  NEEDS_MOUNTS();
  p.replace("machine.cpp", "n + n", "2 * n");
  const finished planned = in_tree({"plan", "--json"});
  ASSERT_EQ(planned.exit, 0) << planned.both();
  EXPECT_EQ(plan_view(nlohmann::json::parse(planned.out)).selected(), (names{"Machine.Adds", "Machine.AddsMore"}));
  const finished report = in_tree({"report", "coverage"});
  EXPECT_EQ(report.exit, 0) << report.both();
  EXPECT_NE(report.out.find("4 of 4 tests measured"), std::string::npos) << report.out;
  EXPECT_NE(in_tree({"doctor"}).out.find("build' cannot be written: Read-only file system; it serves plans and"),
            std::string::npos);
}

TEST_F(read_only_tree, is_not_measured_and_nothing_is_lost) {
  NEEDS_MOUNTS();
  EXPECT_EQ(in_tree({"measure"}).exit, 0);  // this content is measured
  p.replace("machine.cpp", "n + n", "2 * n");
  p.commit();
  const finished end = in_tree({"measure"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_EQ(end.err, "morph: the build tree '" + p.build_dir().string() +
                         "' cannot be written: Read-only file system; the instrumented twin is built in it: measure in "
                         "another build tree\n");
  EXPECT_EQ(p.plan().selected(), (names{"Machine.Adds", "Machine.AddsMore"}));
}

TEST_F(read_only_tree, has_an_entry_a_case_where_batches_cannot_be_kept) {
  NEEDS_MOUNTS();
  p.configure({"-DGRANULARITY=tier"});
  const finished first = in_tree({"plan", "--format", "cmake"});
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_NE(first.both().find("its batches cannot be kept"), std::string::npos) << first.both();
  EXPECT_NE(first.out.find("[=[Machine.Adds]=]"), std::string::npos) << first.out;
  ASSERT_EQ(p.morph({"plan", "--format", "cmake"}).exit, 0);
  const finished kept = in_tree({"plan", "--format", "cmake"});
  EXPECT_EQ(kept.both().find("its batches cannot be kept"), std::string::npos) << kept.both();
}

// ---- no space

class full_folder : public resources {};

TEST_F(full_folder, for_temporary_files_shows_the_compilers_error_and_keeps_the_evidence) {
  NEEDS_MOUNTS();
  const fs::path temporary = p.build_dir() / "temporary";
  fs::create_directory(temporary);
  p.set_variable("TMPDIR", temporary.string());
  p.set_variable("CCACHE_DISABLE", "1");  // an earlier run may have compiled it
  p.replace("machine.cpp", "n + n", "2 * n");
  p.commit();
  const finished end =
      run_with_mounts(std::string(small) + R"( && { dd if=/dev/zero of="$1/full" bs=1k count=200 2>/dev/null; true; })",
                      temporary, p.morph_command({"measure"}));
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("could not be built"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("No space left on device"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("make room in the temporary folder (TMPDIR)"), std::string::npos) << end.err;
  EXPECT_EQ(p.plan().selected(), (names{"Machine.Adds", "Machine.AddsMore"}));
}

TEST_F(full_folder, fails_the_test_that_needs_it_and_no_other) {
  NEEDS_MOUNTS();
  const fs::path temporary = p.build_dir() / "temporary";
  fs::create_directory(temporary);
  p.set_variable("TMPDIR", temporary.string());
  const finished end = run_with_mounts(small, temporary, p.morph_command({"measure", "--fresh"}));
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("measured 4 of 4 tests"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("1 failed, 1 incomplete"), std::string::npos) << end.out;
  EXPECT_EQ(p.plan().selected(), names{"Machine.Keeps"});
}

TEST_F(full_folder, for_the_store_is_named_and_what_was_measured_before_is_kept) {
  NEEDS_MOUNTS();
  const fs::path folder = p.root() / ".morph";
  const std::string before = read_bytes(p.store());
  p.replace("machine.cpp", "n + n", "2 * n");
  p.commit();
  // What is there already is all that the folder holds.
  const finished end = run_with_mounts(
      R"(cp "$1/evidence.db" "$1/../saved.db" && mount -t tmpfs -o size=256k small "$1" && mv "$1/../saved.db" "$1/evidence.db")"
      R"( && { dd if=/dev/zero of="$1/full" bs=1k count=256 2>/dev/null; true; })",
      folder,
      {"sh", "-c", R"("$@"; code=$?; cat "$0/evidence.db" > "$0/../kept.db"; exit $code)", folder.string(),
       MORPH_PREFIX "/bin/morph", "measure", "--build", p.build_dir().string()});
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("evidence.db': "), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("full"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("what was written before is kept"), std::string::npos) << end.err;
  EXPECT_TRUE(read_bytes(p.root() / "kept.db") == before);
}

// ---- no memory

class no_memory : public resources {
 protected:
  /// Of all tests one is cut off, and always runs from now on.
  void only_one_suffers(const finished& end, const std::string& why) const {
    EXPECT_EQ(end.exit, 0) << end.both();
    EXPECT_NE(end.out.find("measured 4 of 4 tests"), std::string::npos) << end.both();
    EXPECT_NE(end.out.find("1 failed, 1 incomplete"), std::string::npos) << end.both();
    EXPECT_EQ(p.plan().selected(), names{"Machine.Eats"});
    EXPECT_NE(how("Machine.Eats").find(why), std::string::npos) << how("Machine.Eats");
  }
};

TEST_F(no_memory, that_a_process_may_have_fails_the_test_that_needs_it) {
  p.set_variable("HUNGRY", "1");
  names command{"prlimit", "--as=536870912", "--"};
  const names measure = p.morph_command({"measure", "--fresh"});
  command.insert(command.end(), measure.begin(), measure.end());
  only_one_suffers(p.run(command), "failed");
}

TEST_F(no_memory, that_the_machine_has_ends_the_test_and_not_what_measures_it) {
  // A group of processes of our own, in either kind of hierarchy; the shell joins it, and morph with all that it runs.
  const char* script = R"(
own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
if [ -n "$own" ]; then group=/sys/fs/cgroup/memory$own/morph.$$ limit=memory.limit_in_bytes
else group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/morph.$$ limit=memory.max; fi
( mkdir "$group" && echo 268435456 > "$group/$limit" && [ -e "$group/memory.oom.group" -o -n "$own" ] ) 2>/dev/null || exit 99
sh -c 'echo $$ > "$1/cgroup.procs" || exit 99; shift; exec "$@"' sh "$group" "$@"
code=$?
rmdir "$group"
exit $code)";
  p.set_variable("HUNGRY", "1");
  names command{"sh", "-c", script, "sh"};
  const names measure = p.morph_command({"measure", "--fresh"});
  command.insert(command.end(), measure.begin(), measure.end());
  const finished end = p.run(command);
  if (end.exit == 99) GTEST_SKIP() << "not run: groups of processes (cgroups) cannot be made here";
  only_one_suffers(end, "crashed");
}

}  // namespace
}  // namespace morph::end_to_end
