// What tests read that git does not track, in the repository and beside it: the content counts wherever it lies.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// Each test uses something of its own beside the repository, in another way.
void write_outsiders(const project& p) {
  p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(outside CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(reader STATIC reader.cpp)
foreach(name IN ITEMS tests others)
  add_executable(${name} ${name}.cpp)
  target_compile_definitions(${name} PRIVATE "HERE=\"${CMAKE_SOURCE_DIR}\"" "OUT=\"${CMAKE_SOURCE_DIR}/../outside\"")
  target_link_libraries(${name} reader GTest::gtest_main)
endforeach()
morph_add_suite(suite TARGET tests)
morph_add_suite(of_data TARGET others DATA ../outside/data/*.txt local/*.txt)
add_executable(plain plain.cpp)
add_executable(adopted plain.cpp)
target_link_libraries(plain reader)
target_link_libraries(adopted reader)
morph_add_suite(plain_suite TARGET plain FRAMEWORK none EXTRA_ARGS ${CMAKE_SOURCE_DIR}/../outside/plain.txt)
add_test(NAME reads COMMAND adopted ${CMAKE_SOURCE_DIR}/../outside/adopted.txt)
add_test(NAME makes COMMAND adopted ${CMAKE_SOURCE_DIR}/../outside/made.txt make)
add_test(NAME finds COMMAND adopted ${CMAKE_SOURCE_DIR}/../outside/made.txt)
set_tests_properties(makes PROPERTIES FIXTURES_SETUP made)
set_tests_properties(finds PROPERTIES FIXTURES_REQUIRED made)
morph_adopt_tests()
)");
  p.write("reader.h", "#include <string>\nstd::string read(const std::string& path);\n");
  p.write("reader.cpp", R"(#include "reader.h"
#include <fstream>
#include <iterator>
std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
)");
  p.write("plain.cpp", R"(#include "reader.h"
#include <fstream>
int main(int count, char** words) {
  if (count > 2) std::ofstream(words[1]) << "one\n";
  return read(words[1]) != "one\n";
}
)");
  p.write("others.cpp", "#include <gtest/gtest.h>\nTEST(Of, Data) {}\nTEST(Of, Data2) {}\n");
  p.write("tests.cpp", R"(#include <gtest/gtest.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include "reader.h"
void list(const char* path) {
  DIR* folder = opendir(path);
  while (readdir(folder) != nullptr) {}
  closedir(folder);
}
TEST(Reads, Nothing) {}
TEST(Reads, File) { EXPECT_EQ(read(OUT "/file.txt"), "one\n"); }
TEST(Reads, Upwards) { ASSERT_EQ(chdir(HERE "/docs"), 0); EXPECT_EQ(read("../../outside/upwards.txt"), "one\n"); }
TEST(Reads, Folder) { list(OUT "/folder"); }
TEST(Reads, Absent) { EXPECT_NE(access(OUT "/absent.txt", R_OK), 0); }
TEST(Reads, Link) { EXPECT_NE(read(OUT "/link"), ""); }
TEST(Reads, NameOfLink) { char name[100]; EXPECT_GT(readlink(OUT "/name", name, sizeof name), 0); }
TEST(Reads, ThroughLink) { EXPECT_NE(read(OUT "/docs/text.md"), ""); }
TEST(Reads, Both) { EXPECT_GE(open(OUT "/both.txt", O_RDWR), 0); }
TEST(Reads, Big) { EXPECT_GE(open(OUT "/big.bin", O_RDONLY), 0); }
TEST(Reads, Facts) { struct stat facts; EXPECT_EQ(stat(OUT "/facts.txt", &facts), 0); }
TEST(Reads, Shell) { EXPECT_EQ(system("cat " OUT "/shell.txt >/dev/null"), 0); }
TEST(Reads, Interpreter) { EXPECT_EQ(system(HERE "/docs/script"), 0); }
TEST(Reads, Ignored) { EXPECT_EQ(read(HERE "/local/absent.cfg"), ""); }
TEST(Reads, IgnoredFolder) { list(HERE "/local"); }
TEST(Changes, Left) { std::ofstream(OUT "/left.txt") << "text"; EXPECT_EQ(read(OUT "/left.txt"), "text"); }
TEST(Changes, IfAbsent) {
  if (access(OUT "/cache.txt", R_OK) != 0) std::ofstream(OUT "/cache.txt") << "text";
  EXPECT_EQ(read(OUT "/cache.txt"), "text");
}
TEST(Changes, Counter) {
  const int count = std::atoi(read(OUT "/counter.txt").c_str()) + 1;
  std::ofstream(OUT "/counter.txt") << count;
}
TEST(Changes, Temporary) {
  char file[] = "/tmp/morph-outside-XXXXXX", folder[] = OUT "/folder-XXXXXX";
  ASSERT_GE(mkstemp(file), 0);
  EXPECT_EQ(read(file), "");
  unlink(file);
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string in = folder;
  std::ofstream(in + "/one") << "text";
  ASSERT_EQ(rename((in + "/one").c_str(), (in + "/two").c_str()), 0);
  EXPECT_EQ(read(in + "/two"), "text");
  list(folder);
}
TEST(Changes, AtomicallyReplaced) {
  std::ofstream(OUT "/replaced.new") << "text" << getpid();
  ASSERT_EQ(rename(OUT "/replaced.new", OUT "/replaced.txt"), 0);
  EXPECT_NE(read(OUT "/replaced.txt"), "");
}
TEST(Shares, Writes) { std::ofstream(OUT "/shared.txt") << "text"; }
TEST(Shares, WritesAndReads) { EXPECT_EQ(read(OUT "/shared.txt"), "text"); }
TEST(Shares, Temporary) { list("/tmp"); }
)");
  p.write("docs/text.md", "text\n");
  p.write("docs/script", "#!" + (p.root().parent_path() / "outside/interpreter").string() + "\n");
  const auto outside = [&](const std::string& name) { return "../outside/" + name; };
  for (const char* name : {"file", "upwards", "first", "second", "both", "facts", "shell", "plain", "adopted"})
    p.write(outside(name + std::string(".txt")), "one\n");
  p.write(outside("folder/one.txt"), "one\n");
  p.write(outside("data/one.txt"), "one\n");
  p.write(outside("data/one.md"), "one\n");
  p.write(outside("counter.txt"), "1");
  p.write(outside("big.bin"), "");
  fs::resize_file(p.root() / outside("big.bin"), 17 << 20);
  fs::copy_file("/bin/true", p.root() / outside("interpreter"));
  fs::permissions(p.root() / "docs/script", fs::perms::owner_all);
  fs::create_symlink("first.txt", p.root() / outside("link"));
  fs::create_symlink("first.txt", p.root() / outside("name"));
  fs::create_directory_symlink("../project/docs", p.root() / outside("docs"));
  p.write(".git/info/exclude", "local/\n");
  p.write("local/one.txt", "one\n");
}

class outside : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared = std::make_unique<workspace>();
    const project& p = shared->here();
    p.git({"init", "--quiet", "--initial-branch=main"});
    write_outsiders(p);
    p.start_repository();
    p.configure();
    p.build();
    p.measure();
    shared->save();
    p.must_run({"cp", "-a", (shared->folder() / "outside").string(), (shared->folder() / "outside.saved").string()});
  }
  static void TearDownTestSuite() { shared.reset(); }
  void TearDown() override {
    shared->restore();
    fs::remove_all(shared->folder() / "outside");
    p.must_run({"cp", "-a", (shared->folder() / "outside.saved").string(), (shared->folder() / "outside").string()});
  }

  fs::path at(const std::string& name) const { return fs::weakly_canonical(shared->folder() / "outside") / name; }
  std::string reason(const std::string& name) const { return "changed-data:" + at(name).string(); }
  /// Of the tests that a change selects, those that nothing selects before.
  names affected() const {
    names found;
    for (const std::string& test : p.plan().selected())
      if (test != "Shares.WritesAndReads") found.push_back(test);
    return found;
  }

  static std::unique_ptr<workspace> shared;
  project& p = shared->here();
};
std::unique_ptr<workspace> outside::shared;

TEST_F(outside, nothing_changed_selects_no_test_but_one_that_reads_what_another_wrote) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Shares.WritesAndReads"});
  EXPECT_EQ(plan.reasons("Shares.WritesAndReads"), names{"incomplete-evidence"});
  const finished why = p.morph({"plan", "--why", "Shares.WritesAndReads"});
  EXPECT_NE(why.out.find("read a file which another test or process changed"), std::string::npos) << why.out;
}

TEST_F(outside, a_changed_file_selects_the_tests_that_opened_it) {
  const std::vector<std::pair<std::string, names>> readers{
      {"file.txt", {"Reads.File"}},
      {"upwards.txt", {"Reads.Upwards"}},
      {"first.txt", {"Reads.Link", "Reads.NameOfLink"}},
      {"both.txt", {"Reads.Both"}},
      {"facts.txt", {"Reads.Facts"}},
      {"shell.txt", {"Reads.Shell"}},
      {"plain.txt", {"plain"}},
      {"adopted.txt", {"reads"}},
      {"second.txt", {}},
      {"folder/one.txt", {}},
      {"data/one.md", {}},
  };
  for (const auto& [name, tests] : readers) {
    const std::string before = read_bytes(at(name));
    write_bytes(at(name), "two\n");
    EXPECT_EQ(affected(), tests) << name;
    for (const std::string& test : tests) EXPECT_EQ(p.plan().reasons(test), names{reason(name)});
    write_bytes(at(name), before);
    EXPECT_EQ(affected(), names{}) << name << " is as it was";
  }
  EXPECT_EQ(p.ctest({"-L", "^morph$"}).exit, 0);
  write_bytes(at("plain.txt"), "two\n");
  EXPECT_EQ(failed(p.ctest({"-L", "^morph$"}).out), names{"plain"});
}

TEST_F(outside, the_interpreter_of_a_script_counts) {
  write_bytes(at("interpreter"), read_bytes("/bin/false"));
  EXPECT_EQ(affected(), names{"Reads.Interpreter"});
}

TEST_F(outside, of_a_big_file_size_and_time_count) {
  fs::last_write_time(at("big.bin"), fs::last_write_time(at("big.bin")) + std::chrono::seconds(1));
  EXPECT_EQ(affected(), names{"Reads.Big"});
}

TEST_F(outside, what_comes_and_goes_selects_the_tests_that_looked_for_it) {
  write_bytes(at("absent.txt"), "");
  EXPECT_EQ(affected(), names{"Reads.Absent"});
  EXPECT_EQ(p.plan().reasons("Reads.Absent"), names{reason("absent.txt")});
  fs::remove(at("absent.txt"));
  fs::remove(at("file.txt"));
  EXPECT_EQ(affected(), names{"Reads.File"});
}

TEST_F(outside, a_folder_counts_by_its_names) {
  write_bytes(at("folder/two.txt"), "");
  EXPECT_EQ(affected(), names{"Reads.Folder"});
  EXPECT_EQ(p.plan().reasons("Reads.Folder"), names{reason("folder/")});
  fs::remove(at("folder/two.txt"));
  fs::last_write_time(at("folder"), fs::file_time_type::clock::now());
  EXPECT_EQ(affected(), names{});
  fs::remove(at("folder/one.txt"));
  EXPECT_EQ(affected(), names{"Reads.Folder"});
}

TEST_F(outside, a_link_counts_by_where_it_leads) {
  const auto turn = [&](const char* name, const char* target) {
    fs::remove(at(name));
    fs::create_symlink(target, at(name));
  };
  turn("link", "second.txt");
  EXPECT_EQ(affected(), names{"Reads.Link"});
  turn("link", "first.txt");
  turn("name", "second.txt");
  EXPECT_EQ(affected(), names{"Reads.NameOfLink"});
  turn("name", "first.txt");
  turn("docs", "folder");
  EXPECT_EQ(affected(), names{"Reads.ThroughLink"});
  turn("docs", "../project/docs");
  p.write("docs/text.md", "other text\n");
  EXPECT_EQ(affected(), names{"Reads.ThroughLink"});
}

TEST_F(outside, counts_in_the_repository_too_where_git_ignores_it) {
  p.write("local/absent.cfg", "text\n");
  EXPECT_EQ(affected(), (names{"Reads.Ignored", "Reads.IgnoredFolder"}));
}

TEST_F(outside, data_of_a_suite_may_lie_anywhere) {
  const std::vector<fs::path> files{at("data/one.txt"), at("data/two.txt"), p.root() / "local/one.txt"};
  for (const fs::path& file : files) {
    write_bytes(file, "two\n");
    EXPECT_EQ(affected(), (names{"Of.Data", "Of.Data2"})) << file;
    const bool is_new = file.filename() == "two.txt";
    if (is_new)
      fs::remove(file);
    else
      write_bytes(file, "one\n");
  }
  EXPECT_EQ(affected(), names{});
}

TEST_F(outside, what_tests_make_themselves_does_not_run_them_for_ever) {
  EXPECT_EQ(p.ctest().exit, 0);
  EXPECT_EQ(affected(), names{});
  write_bytes(at("left.txt"), "another text");
  EXPECT_EQ(affected(), names{});
  EXPECT_EQ(p.ctest().exit, 0);
  const finished again = p.try_measure();
  EXPECT_NE(again.out.find("is already measured"), std::string::npos) << again.both();
}

TEST_F(outside, changed_files_are_measured_again) {
  write_bytes(at("file.txt"), "one\nmore\n");
  EXPECT_EQ(p.plan({"--before-build"}).reasons("Reads.File"), names{reason("file.txt")});
  const finished end = p.try_measure();
  EXPECT_NE(end.out.find("measured 2 of "), std::string::npos) << end.both();
  write_bytes(at("file.txt"), "one\n");
  EXPECT_EQ(affected(), names{"Reads.File"}) << "the test failed when it was measured";
  p.try_measure();
  EXPECT_EQ(p.plan().selected(), names{}) << "what was shared has been there before";
  write_bytes(at("shared.txt"), "other text");
  EXPECT_EQ(p.plan().selected(), names{"Shares.WritesAndReads"});
}

TEST_F(outside, a_test_with_too_many_files_always_runs) {
  p.replace("tests.cpp", "TEST(Reads, Nothing) {}", R"(TEST(Reads, Nothing) {
  for (int i = 0; i < 10001; ++i) access((OUT "/absent/" + std::to_string(i)).c_str(), R_OK);
})");
  p.commit();
  p.build();
  p.measure();
  const finished why = p.morph({"plan", "--why", "Reads.Nothing"});
  EXPECT_NE(why.out.find("more than 10,000 that git does not track"), std::string::npos) << why.out;
  EXPECT_EQ(affected(), names{"Reads.Nothing"});
}

}  // namespace
}  // namespace morph::end_to_end
