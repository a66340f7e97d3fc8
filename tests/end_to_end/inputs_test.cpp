// What tests read beside code: files and environment variables are dependencies of the tests that read them.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using testing::Test;

/// Each test reads something of its own, in another way.
void write_readers(const project& p) {
  p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(readers CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
option(BUILD_NOTHING "" ON)
add_library(reader STATIC reader.cpp)
add_executable(tests tests.cpp)
target_compile_definitions(tests PRIVATE "DATA=\"${CMAKE_SOURCE_DIR}\"")
target_link_libraries(tests reader GTest::gtest_main)
add_executable(helper helper.cpp)
target_compile_definitions(tests PRIVATE "HELPER=\"$<TARGET_FILE:helper>\"")
add_dependencies(tests helper)
add_custom_target(morph-look COMMAND helper)
morph_add_suite(suite TARGET tests ENVIRONMENT GIVEN=1)
add_executable(plain plain.cpp)
target_link_libraries(plain reader)
target_compile_definitions(plain PRIVATE "DOCS=\"${CMAKE_SOURCE_DIR}/docs\"")
morph_add_suite(plain_suite TARGET plain FRAMEWORK none)
add_custom_command(OUTPUT words.made COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/tables/words.tab words.made
  COMMAND ${CMAKE_COMMAND} -E true a/helper/b helper-notes not-helper helper.txt
  DEPENDS tables/words.tab)
add_custom_command(OUTPUT news.made COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/NEWS news.made
  DEPENDS NEWS words.made)
add_custom_command(OUTPUT code.cpp COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/tables/code.tab code.cpp
  DEPENDS tables/code.tab)
file(COPY tables/copied DESTINATION .)
configure_file(tables/tool.sh tool COPYONLY)
add_custom_target(made ALL DEPENDS words.made news.made)
add_dependencies(tests made)
target_sources(reader PRIVATE code.cpp)
target_compile_definitions(tests PRIVATE "MADE=\"${CMAKE_BINARY_DIR}\"")
)");
  p.write("tables/words.tab", "1\n");
  p.write("tables/code.tab", "int code() { return 1; }\n");
  p.write("tables/copied/one.tab", "1\n");
  p.write("tables/tool.sh", "#!/bin/sh\nexit 0\n");
  p.must_run({"chmod", "+x", (p.root() / "tables/tool.sh").string()});
  p.write("tables/stat.tab", "1\n");
  p.write("tables/there.tab", "1\n");
  p.write("tables/unread.tab", "1\n");
  p.write("tables/alone/one.tab", "1\n");
  p.write("NEWS", "1\n");
  p.write("BUILD", "1\n");
  p.write("reader.h", "#include <string>\nstd::string read(const std::string& path);\n");
  p.write("reader.cpp", R"(#include "reader.h"
#include <fstream>
#include <iterator>
std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
)");
  p.write("helper.cpp", "#include <cstdlib>\nint main() { return std::getenv(\"OF_HELPER\") != nullptr; }\n");
  p.write("plain.cpp", "#include \"reader.h\"\nint main() { return read(DOCS \"/plain.md\") == \"never\"; }\n");
  p.write("tests.cpp", R"(#include <gtest/gtest.h>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include "reader.h"
std::string at(const char* name) { return std::string(DATA "/docs/") + name; }
void reader_says() { read("/dev/null"); }
bool has_locale = std::getenv("AT_START") != nullptr;
std::string at_start = read(at("start.md"));
TEST(Reads, Nothing) { EXPECT_EQ(read("/dev/null"), ""); }
TEST(Reads, Stream) { EXPECT_NE(read(at("stream.md")), ""); }
TEST(Reads, Relative) { ASSERT_EQ(chdir(DATA "/docs"), 0); EXPECT_NE(read("relative.md"), ""); }
TEST(Reads, AtFolder) {
  const int folder = open(DATA "/docs", O_PATH);
  const int file = openat(folder, "at.md", O_RDONLY);
  EXPECT_NE(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, file, 0), MAP_FAILED);
}
TEST(Reads, Shell) { EXPECT_EQ(system("cat " DATA "/docs/shell.md >/dev/null"), 0); }
TEST(Reads, Script) { EXPECT_EQ(system(DATA "/docs/script.md"), 0); }
TEST(Reads, Link) { EXPECT_NE(read(at("link.md")), ""); }
TEST(Reads, Folder) {
  DIR* folder = opendir(DATA "/docs/folder");
  while (readdir(folder) != nullptr) {}
  closedir(folder);
}
TEST(Reads, Thread) { std::thread([] { EXPECT_NE(read(at("thread.md")), ""); }).join(); }
TEST(Reads, Untracked) { EXPECT_NE(read(DATA "/local.cfg"), ""); }
TEST(Reads, OnlyWrites) { EXPECT_GE(open(DATA "/docs/written.md", O_WRONLY), 0); }
TEST(Reads, Dies) { EXPECT_DEATH({ read(at("death.md")); abort(); }, ""); }
TEST(Reads, Crashes) { read(at("crash.md")); }
int code();
struct stat facts;
bool is_there(const char* name) { return stat((std::string(DATA "/tables/") + name).c_str(), &facts) == 0; }
TEST(Looks, Stat) { EXPECT_TRUE(is_there("stat.tab")); }
TEST(Looks, Access) { EXPECT_EQ(access(DATA "/tables/there.tab", R_OK), 0); }
TEST(Looks, InVain) { EXPECT_FALSE(is_there("new.tab")); EXPECT_FALSE(is_there("later")); }
TEST(Looks, ForFolder) { EXPECT_TRUE(is_there("alone")); }
TEST(Made, Words) { EXPECT_NE(read(MADE "/words.made"), ""); }
TEST(Made, News) { EXPECT_NE(read(MADE "/news.made"), ""); }
TEST(Made, Copied) { EXPECT_NE(read(MADE "/copied/one.tab"), ""); }
TEST(Made, Code) { EXPECT_GT(code(), 0); }
TEST(Made, Tool) { EXPECT_EQ(system(MADE "/tool"), 0); }
TEST(Asks, Variable) { std::getenv("COLOUR"); reader_says(); }
TEST(Asks, Again) { std::getenv("COLOUR"); reader_says(); }
TEST(Asks, Absent) { std::getenv("NOT_THERE"); reader_says(); }
TEST(Asks, Helper) { EXPECT_EQ(system(HELPER), 0); }
TEST(Asks, Given) { std::getenv("GIVEN"); std::getenv("TERM"); reader_says(); }
)");
  for (const char* name : {"start", "stream", "relative", "at", "shell", "target", "thread", "written", "death",
                           "crash", "plain", "folder/one"})
    p.write(std::string("docs/") + name + ".md", "text\n");
  p.write("docs/script.md", "#!/bin/sh\nexit 0\n");
  p.must_run({"chmod", "+x", (p.root() / "docs/script.md").string()});
  p.must_run({"ln", "-s", "target.md", (p.root() / "docs/link.md").string()});
  p.start_repository();
  p.write(".git/info/exclude", "local.cfg\n");
  p.write("local.cfg", "one\n");
}

class inputs : public Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<workspace>(write_readers); }
  static void TearDownTestSuite() { shared.reset(); }
  void TearDown() override { shared->restore(); }
  static std::unique_ptr<workspace> shared;
  project& p = shared->here();
};
std::unique_ptr<workspace> inputs::shared;

TEST_F(inputs, nothing_changed_selects_nothing) {
  EXPECT_EQ(p.plan().selected(), names{});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(inputs, a_changed_file_selects_the_tests_that_opened_it) {
  const std::vector<std::pair<std::string, std::string>> readers{
      {"stream.md", "Reads.Stream"},
      {"relative.md", "Reads.Relative"},
      {"at.md", "Reads.AtFolder"},
      {"shell.md", "Reads.Shell"},
      {"script.md", "Reads.Script"},
      {"target.md", "Reads.Link"},
      {"thread.md", "Reads.Thread"},
      {"death.md", "Reads.Dies"},
      {"written.md", ""},
      {"plain.md", "plain"},
      {"folder/one.md", ""},
  };
  for (const auto& [name, test] : readers) {
    const std::string file = "docs/" + name, before = p.read(file);
    p.write(file, "other text\n");
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.selected(), test.empty() ? names{} : names{test}) << file;
    if (!test.empty()) {
      EXPECT_EQ(plan.reasons(test), names{"changed-data:" + file});
    }
    p.write(file, before);
  }
}

TEST_F(inputs, a_file_that_was_read_before_the_first_test_selects_the_program) {
  p.write("docs/start.md", "other text\n");
  EXPECT_EQ(p.plan().selected().size(), 27U);
}

TEST_F(inputs, a_new_and_a_deleted_file_select_the_tests_that_opened_the_folder) {
  p.write("docs/folder/inner/two.md", "text\n");
  p.commit();
  EXPECT_EQ(p.plan().selected(), names{"Reads.Folder"});
  p.remove("docs/folder/inner/two.md");
  p.commit();
  EXPECT_EQ(p.plan().selected(), names{});
  p.remove("docs/folder/one.md");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Folder"});
}

TEST_F(inputs, a_file_of_unknown_use_concerns_who_opened_or_looked_for_it) {
  // Nobody says what the copied folder and the tool are made of.
  const names at_least{"Made.Copied", "Made.News", "Made.Tool", "Made.Words"};
  const auto with = [&](names tests) {
    tests.insert(tests.end(), at_least.begin(), at_least.end());
    return sorted(tests);
  };
  const std::vector<std::pair<std::string, names>> readers{
      {"unread.tab", {}}, {"stat.tab", {"Looks.Stat"}}, {"there.tab", {"Looks.Access"}}};
  for (const auto& [name, tests] : readers) {
    p.write("tables/" + name, "2\n");
    EXPECT_EQ(p.plan().selected(), with(tests)) << name;
    EXPECT_EQ(p.plan().state(), "affected");
    p.write("tables/" + name, "1\n");
  }
  p.write("BUILD", "2\n");
  EXPECT_EQ(p.plan().selected(), with({})) << "BUILD_TESTING and POST_BUILD name no file";
  p.write("BUILD", "1\n");
  p.write("tables/new.tab", "1\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), with({"Looks.InVain"}));
  p.remove("tables/new.tab");
  p.write("tables/later/file.tab", "1\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), with({"Looks.InVain"})) << "it looked for the folder";
  p.git({"reset", "--quiet", "--hard"});
  p.remove("tables/alone/one.tab");
  EXPECT_EQ(p.plan().selected(), with({})) << "the folder is there";
  std::filesystem::remove(p.root() / "tables/alone");
  EXPECT_EQ(p.plan().selected(), with({"Looks.ForFolder"}));
}

TEST_F(inputs, what_a_command_makes_files_of_concerns_who_opened_them) {
  const names of_unknown_make{"Made.Copied", "Made.Tool"};
  p.write("tables/words.tab", "2\n");
  EXPECT_EQ(p.plan().selected().size(), 28U) << "which is not built";
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Made.Copied", "Made.News", "Made.Tool", "Made.Words"}));
  EXPECT_EQ(p.plan().reasons("Made.News"), names{"changed-data:tables/words.tab"});
  p.git({"checkout", "--quiet", "."});
  p.write("NEWS", "2\n");
  EXPECT_EQ(p.plan({"--before-build"}).selected().size(), 28U);
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Made.Copied", "Made.News", "Made.Tool"}));
  p.git({"checkout", "--quiet", "."});
  p.write("tables/code.tab", "int code() { return 2; }\n");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Made.Code", "Made.Copied", "Made.Tool"}));
}

TEST_F(inputs, what_cmake_makes_a_script_of_concerns_who_executed_it) {
  p.write("tables/tool.sh", "#!/bin/sh\nexit 1\n");
  EXPECT_EQ(p.plan().selected().size(), 28U) << "which is not configured";
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), (names{"Made.Copied", "Made.News", "Made.Tool", "Made.Words"}));
}

TEST_F(inputs, a_program_without_tests_concerns_who_executed_it) {
  p.replace("helper.cpp", "!= nullptr", "!= nullptr ? 2 : 0");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Asks.Helper"});
}

TEST_F(inputs, a_program_that_a_command_names_concerns_all) {
  p.replace("CMakeLists.txt", "COMMAND ${CMAKE_COMMAND} -E true a/helper/b",
            R"(COMMAND sh -c "true \"./helper\"" a/helper/b)");
  p.commit();
  p.build();
  p.measure();
  p.replace("helper.cpp", "!= nullptr", "!= nullptr ? 2 : 0");
  p.build();
  EXPECT_EQ(p.plan().selected().size(), 28U);
}

TEST_F(inputs, a_measurement_that_told_no_files_is_no_base_for_files_of_unknown_use) {
  p.write("tables/unread.tab", "2\n");
  p.commit();
  ASSERT_EQ(p.try_measure({"--ignore-files"}).exit, 0);
  p.write("tables/unread.tab", "3\n");
  EXPECT_EQ(p.plan().selected().size(), 28U);
  p.git({"checkout", "--quiet", "."});
  p.replace("reader.cpp", "std::ifstream file(path)", "std::ifstream file(path, std::ios::in)");
  p.commit();
  p.build();
  const finished end = p.try_measure({"--incremental"});
  EXPECT_NE(end.err.find("every test is measured: the nearest measurement does not tell which files tests open"),
            std::string::npos)
      << end.err;
  p.write("tables/unread.tab", "3\n");
  EXPECT_EQ(p.plan().selected(), (names{"Made.Copied", "Made.News", "Made.Tool", "Made.Words"}));
}

TEST_F(inputs, a_file_that_git_ignores_is_compared_by_content) {
  p.write("local.cfg", "one\n");
  EXPECT_EQ(p.plan().selected(), names{});
  p.write("local.cfg", "two\n");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Untracked"});
  p.remove("local.cfg");
  EXPECT_EQ(p.plan().reasons("Reads.Untracked"), names{"changed-data:local.cfg"});
}

TEST_F(inputs, a_variable_with_another_value_selects_the_tests_that_asked_for_it) {
  p.set_variable("COLOUR", "blue");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), (names{"Asks.Again", "Asks.Variable"}));
  EXPECT_EQ(plan.reasons("Asks.Again"), names{"changed-environment:COLOUR"});
  p.unset_variable("COLOUR");
  EXPECT_EQ(p.plan().selected(), names{});
  p.set_variable("NOT_THERE", "");
  EXPECT_EQ(p.plan().selected(), names{"Asks.Absent"});
  p.unset_variable("NOT_THERE");
  p.set_variable("OF_HELPER", "1");
  EXPECT_EQ(p.plan().selected(), names{"Asks.Helper"});
  p.unset_variable("OF_HELPER");
  p.set_variable("GIVEN", "2");
  p.set_variable("TERM", "another");
  EXPECT_EQ(p.plan().selected(), names{});
  p.set_variable("AT_START", "1");
  EXPECT_EQ(p.plan().selected().size(), 27U);
}

TEST_F(inputs, what_measuring_itself_reads_is_none) {
  const std::string stored = read_bytes(p.store());
  EXPECT_NE(stored.find("docs/plain.md"), std::string::npos);
  EXPECT_EQ(stored.find(".morph/measure"), std::string::npos);
}

TEST_F(inputs, values_of_variables_are_not_stored) {
  p.set_variable("COLOUR", "a-secret-of-the-user");
  ASSERT_EQ(p.try_measure({"--fresh"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names{});
  EXPECT_EQ(read_bytes(p.store()).find("a-secret-of-the-user"), std::string::npos);
}

TEST_F(inputs, are_the_same_when_every_test_has_a_process) {
  ASSERT_EQ(p.try_measure({"--fresh", "--isolation", "process"}).exit, 0);
  p.write("docs/shell.md", "other text\n");
  p.set_variable("COLOUR", "blue");
  EXPECT_EQ(p.plan().selected(), (names{"Asks.Again", "Asks.Variable", "Reads.Shell"}));
}

TEST_F(inputs, are_left_out_if_the_user_says_so) {
  ASSERT_EQ(p.try_measure({"--fresh", "--ignore-files"}).exit, 0);
  p.write("docs/shell.md", "other text\n");
  EXPECT_EQ(p.plan().selected(), names{});
}

}  // namespace
}  // namespace morph::end_to_end
