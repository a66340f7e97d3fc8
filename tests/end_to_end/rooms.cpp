// The sources of the rooms project. Tests count its lines: change both.
#include "rooms.hpp"

namespace morph::end_to_end {
namespace {

void write_rooms(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Rooms CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(startup startup.cpp)
add_executable(startup_tests startup_test.cpp)
target_link_libraries(startup_tests startup GTest::gtest_main)
morph_add_suite(startup TARGET startup_tests)
add_subdirectory(sub)
)");
  to.write("startup.cpp", R"(#include "startup.hpp"

int begin() {
  return 7;
}

int at_start = begin();

int first_use() {
  return 5;
}

int table() {
  static const int value = first_use();
  return value;
}

int other() {
  return 3;
}
)");
  to.write("startup.hpp", "#pragma once\nextern int at_start;\nint table();\nint other();\n");
  to.write("startup_test.cpp", R"(#include <gtest/gtest.h>
#include "startup.hpp"

TEST(Table, IsMadeOnce) {
  EXPECT_EQ(table(), 5);
}

TEST(Table, IsStillThere) {
  EXPECT_EQ(table(), 5);
}

TEST(Other, IsOther) {
  EXPECT_EQ(other(), 3);
}
)");
  to.write("sub/CMakeLists.txt", R"(add_library(room room.cpp)
add_library(extension MODULE extension.cpp)
add_executable(endings_tests endings_test.cpp)
target_link_libraries(endings_tests room GTest::gtest_main ${CMAKE_DL_LIBS})
add_executable(helper helper.cpp)
target_link_libraries(helper room)
target_compile_definitions(endings_tests PRIVATE EXTENSION="$<TARGET_FILE:extension>" HELPER="$<TARGET_FILE:helper>")
add_dependencies(endings_tests extension helper)
morph_add_suite(endings TARGET endings_tests TIMEOUT 2 PRODUCTION room extension)
add_executable(moody_tests moody_test.cpp)
target_link_libraries(moody_tests room GTest::gtest)
morph_add_suite(mood TARGET moody_tests DISCOVERY_TIMEOUT 1)
)");
  to.write("sub/room.cpp", R"(int room(int doors) {
  return doors + 1;
}

int roof(int doors) {
  return doors - 1;
}
)");
  to.write("sub/extension.cpp", "extern \"C\" int extend() {\n  return 1;\n}\n");
  to.write("sub/helper.cpp", "int roof(int doors);\nint main() {\n  return roof(1);\n}\n");
  to.write("sub/endings_test.cpp", R"(#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int room(int doors);
int roof(int doors);

TEST(Ends, Well) {
  EXPECT_EQ(room(1), 2);
}
TEST(Ends, ByCrash) {
  abort();
}
TEST(Ends, ByExitStatusZero) {
  _exit(0);
}
TEST(Ends, ByFork) {
  const pid_t child = fork();
  if (child == 0) _exit(roof(1));
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
TEST(Ends, ByTimeLimit) {
  for (;;) pause();
}
TEST(Ends, BySkipping) {
  GTEST_SKIP() << "not today";
}
TEST(Ends, ByLoadingAnObject) {
  void* extension = dlopen(EXTENSION, RTLD_NOW);
  ASSERT_NE(extension, nullptr);
  EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(extension, "extend"))(), 1);
}
TEST(Ends, ByAnotherProgram) {
  EXPECT_EQ(system(HELPER), 0);
}
TEST(Ends, WithAFailure) {
  EXPECT_EQ(room(1), 3);
}
TEST(Ends, WellAgain) {
  EXPECT_EQ(roof(1), 0);
}
)");
  to.write("sub/moody_test.cpp", R"(#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>
#include <string>

int room(int doors);

TEST(Mood, IsGood) {
  EXPECT_EQ(room(0), 1);
}
TEST(Mood, IsNoRoom) {
  EXPECT_TRUE(true);
}

int main(int argc, char** argv) {
  const char* mood = getenv("MOOD");
  const bool listing = argc > 1 && std::string(argv[1]) == "--gtest_list_tests";
  if (listing && mood != nullptr && std::string(mood) == "hangs") for (;;) pause();
  if (listing && mood != nullptr && std::string(mood) == "crashes") abort();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
)");
}

}  // namespace

workspace& measured_rooms() {
  static workspace shared(write_rooms);
  return shared;
}

rooms_test::rooms_test() : p(measured_rooms().here()) {
  measured_rooms().restore();
}

}  // namespace morph::end_to_end
