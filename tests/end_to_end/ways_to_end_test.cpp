// Every way in which a test of Catch2, doctest or Boost.Test can end, however tests are kept apart: none is taken for a
// success, and what it executed is known or said to be unknown.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "frameworks.hpp"
#include "plugin/store/store.hpp"

namespace morph::end_to_end {
namespace {

struct way {
  const char* name;  // of the test, and of the function that it calls before
  const char* code;
  const char* outcome;
  int detail;  // signal or exit status
};

const way ways[] = {{"passes", "", "passed", 0},
                    {"segfaults", "*static_cast<volatile int*>(nullptr) = 1;", "crashed", 11},
                    {"aborts", "abort();", "crashed", 6},
                    {"exits", "exit(0);", "exited", 0},
                    {"exits_at_once", "_exit(0);", "exited", 0},
                    {"exits_quickly", "quick_exit(0);", "exited", 0},
                    {"exits_with_three", "_exit(3);", "exited", 3},
                    {"kills_itself", "kill(getpid(), SIGKILL);", "crashed", 9},
                    {"throws_in_a_thread", "std::thread([] { throw 1; }).join();", "crashed", 6},
                    {"overflows_its_stack", "CHECK(deep(1) == 1);", "crashed", 11}};

void write_ways(const project& to, const test_framework& framework) {
  std::string header = "#pragma once\n", source = "#include \"ways.hpp\"\n", cases = framework.preamble + R"(
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <thread>
#include "ways.hpp"
#pragma GCC diagnostic ignored "-Winfinite-recursion"
static int deep(int depth) {
  volatile char room[4096];
  room[0] = 1;
  return deep(depth + 1) + room[0];
}
)";
  for (const way& w : ways) {
    header += fmt::format("void {}();\n", w.name);
    source += fmt::format("void {}() {{\n}}\n", w.name);
    cases += fmt::format("TEST_CASE(\"{0}\") {{\n  {0}();\n  {1}\n}}\n", w.name, w.code);
  }
  to.write("ways.hpp", header);
  to.write("ways.cpp", source);
  to.write("cases.cpp", cases);
  to.write("CMakeLists.txt", fmt::format(R"(cmake_minimum_required(VERSION 3.25)
project(Ways CXX)
enable_testing()
find_package({} REQUIRED)
find_package(Threads REQUIRED)
find_package(Morph REQUIRED)
add_library(ways ways.cpp)
add_executable(cases cases.cpp)
target_compile_features(cases PRIVATE cxx_std_17)
target_link_libraries(cases ways {} Threads::Threads)
morph_add_suite(ways TARGET cases TIMEOUT 20)
)",
                                         framework.package, framework.with_main));
}

class ways_to_end : public each_framework {
 protected:
  void SetUp() override {
    each_framework::SetUp();
    if (IsSkipped()) return;
    p = &w_.here();
    write_ways(*p, framework);
    p->start_repository();
  }
  void configure(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), framework.configuring.begin(), framework.configuring.end());
    p->configure(arguments);
    p->build();
  }

  /// `rows_are_there`: the test's function is in its row, however it ended.
  void each_is_what_it_is(const std::vector<std::string>& how, bool rows_are_there) const {
    const finished end = p->try_measure(how);
    ASSERT_EQ(end.exit, 0) << end.both();
    auto opened = store::evidence_store::open_for_reading(p->store().string());
    ASSERT_TRUE(opened && *opened);
    const auto measurements = (*opened)->measurements().value();
    const auto newest = std::max_element(measurements.begin(), measurements.end(),
                                         [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto e = (*opened)->load(newest->id).value();
    std::map<std::string, std::set<std::string>> executed;  // by test: names of the functions
    for (const auto& c : e.classes)
      for (const auto x : c.elements)
        for (const auto t : c.tests)
          if (store::kind_of(x) == optimizer::requirement_kind::function)
            executed[e.tests[t].name].insert(e.functions[store::number_of(x)].symbol);
    for (const way& w : ways) {
      const auto test =
          std::find_if(e.tests.begin(), e.tests.end(), [&](const auto& each) { return each.name == w.name; });
      ASSERT_NE(test, e.tests.end()) << w.name;
      const bool fails = std::string(w.outcome) != "passed";
      // Boost.Test leaves a signal's handler by a jump, here to the stack of another thread, which may end it for good.
      const bool jumps_to_another_thread = framework.name == "boost" && w.name == std::string("throws_in_a_thread");
      if (jumps_to_another_thread && store::name_of(test->how) == std::string("crashed")) {
        EXPECT_NE(test->incomplete, 0);
      } else if (framework.name == "boost" && std::string(w.outcome) == "crashed" && w.detail != SIGKILL) {
        EXPECT_STREQ(store::name_of(test->how), "failed") << w.name;  // Boost.Test catches signals and goes on
      } else {
        EXPECT_STREQ(store::name_of(test->how), w.outcome) << w.name;
        EXPECT_EQ(test->detail, w.detail) << w.name;
        EXPECT_EQ(test->incomplete != 0, fails) << w.name;
      }
      const std::string function = fmt::format("_Z{}{}v", std::string(w.name).size(), w.name);
      const bool is_known = rows_are_there || !fails;
      EXPECT_TRUE(!is_known || executed[w.name].count(function) == 1) << w.name;
    }
    names failing;
    for (const way& w : ways)
      if (std::string(w.outcome) != "passed") failing.emplace_back(w.name);
    EXPECT_EQ(p->plan().selected(), sorted(failing));
  }

  project* p = nullptr;

 private:
  workspace w_;
};
MORPH_FOR_EACH_FRAMEWORK(ways_to_end);

TEST_P(ways_to_end, are_told_apart_in_forked_tests_and_in_processes_of_their_own) {
  configure({});
  each_is_what_it_is({}, true);
  each_is_what_it_is({"--fresh", "--isolation", "process"}, true);
}

TEST_P(ways_to_end, are_told_apart_where_gcov_reads_the_counters) {
  configure({"-DMORPH_COUNTERS=files"});
  each_is_what_it_is({}, false);
}

}  // namespace
}  // namespace morph::end_to_end
