// Calls of what no plan can compare, found in the objects of real compilers.
#include "plugin/doctor/unseen.hpp"

#include "tests/unit/object/object_programs.hpp"

namespace morph::doctor {
namespace {

using object_tests::way;

std::vector<std::string> told(const std::string& source, const way& how = {"g++", " -O0"}) {
  object_tests::laboratory lab;
  object::object_reader reader;
  const auto print = reader.read(lab.object(how, "a.cpp", source), "a.cpp.o");
  if (!print) {
    ADD_FAILURE() << print.error();
    return {};
  }
  std::vector<std::string> lines;
  for (const unseen_call& call : unseen_calls(*print))
    lines.push_back(std::string(call.kind->name) + ": " + call.caller + " -> " + call.callee);
  std::sort(lines.begin(), lines.end());
  return lines;
}

using lines = std::vector<std::string>;

TEST(Unseen, CallsAreToldByKindWithTheirCallers) {
  const std::string source = R"(#include <chrono>
#include <random>
#include <thread>
#include <sys/socket.h>
#include <unistd.h>
namespace geo {
long now() { return std::chrono::system_clock::now().time_since_epoch().count(); }
unsigned processors() { return std::thread::hardware_concurrency(); }
int service() { return socket(AF_UNIX, SOCK_STREAM, 0); }
int area(int a, int b) { return a * b; }
}
)";
  for (const way& how : {way{"g++", " -O0"}, way{"g++", " -O2"}, way{"clang++-19", " -O2"}}) {
    if (!object_tests::is_present(how.compiler)) continue;
    EXPECT_EQ(told(source, how), (lines{"services: geo::service() -> socket",
                                        "the clock: geo::now() -> std::chrono::_V2::system_clock::now()",
                                        "the machine: geo::processors() -> std::thread::hardware_concurrency()"}))
        << object_tests::name_of(how);
  }
}

TEST(Unseen, ChanceIsToldThoughTheLibraryCallsItInline) {
  const auto found = told("#include <random>\nunsigned roll() { return std::random_device()(); }\n");
  ASSERT_FALSE(found.empty());
  for (const std::string& line : found) EXPECT_EQ(line.substr(0, 8), "chance: ") << line;
}

TEST(Unseen, WhatRunsBeforeMainIsTold) {
  EXPECT_EQ(told("#include <ctime>\nlong started = time(nullptr);\n"),
            lines{"the clock: what runs before main() -> time"});
}

TEST(Unseen, AFunctionThatIsPassedOnCounts) {
  EXPECT_EQ(told("#include <cstdlib>\nusing call = int (*)(const char*);\ncall shell() { return &std::system; }\n"),
            lines{"other processes: shell() -> system"});
}

TEST(Unseen, FrameworksMeasureDurationsAndDoNotCount) {
  EXPECT_EQ(told("#include <ctime>\nnamespace doctest { long ticks() { return time(nullptr); } }\n"
                 "namespace testing { long ticks() { return time(nullptr); } }\n"
                 "namespace Catch { long ticks() { return time(nullptr); } }\n"),
            lines{});
}

TEST(Unseen, AFunctionOfTheProjectWithSuchANameDoesNotCount) {
  EXPECT_EQ(told("extern \"C\" int connect(int) { return 1; }\nint f() { return connect(2); }\n"), lines{});
  EXPECT_EQ(told("namespace mine { long time(long); long f() { return time(1); } }\n"), lines{});
}

}  // namespace
}  // namespace morph::doctor
