// morph mutate where compilers, assemblers and linkers reject what it makes of a place: the rest is judged.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// Each source has a place that somebody rejects, and a function `..._rest` that is mutated as ever.
void write_odd(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Odd C CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(odd src/constants.cpp src/inlined.cpp src/labels.cpp src/undefined.cpp src/killed.cpp src/plain.c)
target_include_directories(odd PUBLIC include)
add_executable(odd_tests tests/odd_test.cpp)
target_link_libraries(odd_tests odd GTest::gtest_main)
morph_add_suite(odd TARGET odd_tests)
)");
  to.write("include/odd.hpp", R"(#pragma once
int has_sse2();
int moved();
int constants_rest(int a, int b);
int shifted(int n);
int inlined_rest(int a, int b);
int ticked(int n);
int labels_rest(int a, int b);
int between(int n);
int undefined_rest(int a, int b);
int killed_rest(int a, int b);
extern "C" int plain(int a, int b);
)");
  // Also for C, where another function of it is called.
  to.write("include/both.h", R"(#pragma once
static inline int sum_of(int a, int b) {
  if (a > b) return a + b;
  return b + a + 1;
}
)");
  to.write("src/constants.cpp", R"(#include <immintrin.h>
#include "odd.hpp"
int has_sse2() {
  return __builtin_cpu_supports("sse2") ? 1 : 0;
}
int moved() {
  alignas(4 * 4) int all[4] = {1, 2, 3, 4};
  __m128i wide = _mm_load_si128(reinterpret_cast<const __m128i*>(all));
  wide = _mm_srli_si128(wide, 2 + 2);
  int first = _mm_extract_epi16(wide, 1 - 1);
  int result = 0;
  __asm__("movl %1, %0" : "=r"(result) : "i"(4 * 5));
  __builtin_prefetch(all, 0, 1 + 2);
  return first + result;
}
int constants_rest(int a, int b) {
  return a - b;
}
)");
  // The message is about a line of a header of the system; Clang would reject the first function.
  to.write("src/inlined.cpp", R"(#include "odd.hpp"
extern "C" void must_be_known() __attribute__((error("it is not known when it is compiled")));
namespace {
inline __attribute__((always_inline)) int twice_known(int n) {
  if (!__builtin_constant_p(n)) must_be_known();
  return 2 * n;
}
}  // namespace
int shifted(int n) {
  return n + twice_known(4);
}
int inlined_rest(int a, int b) {
  return a - b;
}
)");
  // Where the caller stands twice, so does the label; the assembler knows a line of its own alone.
  to.write("src/labels.cpp", R"(#include "odd.hpp"
namespace {
inline __attribute__((always_inline)) void mark() {
  __asm__ volatile("the_only_mark:\n nop");
}
}  // namespace
int ticked(int n) {
  mark();
  return n + 1;
}
int labels_rest(int a, int b) {
  return a - b;
}
)");
  // The opposite function is declared and defined nowhere.
  to.write("src/undefined.cpp", R"(#include <limits>
#include "both.h"
#include "odd.hpp"
struct level {};
template <>
struct std::numeric_limits<level> {
  static int min() { return 2; }
  static int max();
};
int between(int n) {
  return n * std::numeric_limits<level>::min() + 6;
}
int undefined_rest(int a, int b) {
  return a - b;
}
)");
  to.write("src/killed.cpp", "#include \"odd.hpp\"\nint killed_rest(int a, int b) {\n  return a - b;\n}\n");
  to.write("src/plain.c", "#include \"both.h\"\nint plain(int a, int b) {\n  return sum_of(a, b);\n}\n");
  to.write("tests/odd_test.cpp", R"(#include <gtest/gtest.h>
#include "both.h"
#include "odd.hpp"
TEST(Constants, Are) { EXPECT_EQ(has_sse2(), 1); EXPECT_EQ(moved(), 22); EXPECT_EQ(constants_rest(5, 2), 3); }
TEST(Inlined, Is) { EXPECT_EQ(shifted(1), 9); EXPECT_EQ(inlined_rest(5, 2), 3); }
TEST(Labels, Are) { EXPECT_EQ(ticked(1), 2); EXPECT_EQ(labels_rest(5, 2), 3); }
TEST(Undefined, Is) { EXPECT_EQ(between(2), 10); EXPECT_EQ(undefined_rest(5, 2), 3); }
TEST(Killed, Is) { EXPECT_EQ(killed_rest(5, 2), 3); }
TEST(Plain, Is) { EXPECT_EQ(plain(1, 2), 4); EXPECT_EQ(sum_of(2, 1), 3); }
)");
  // A compiler without memory, for one source as long as it has mutants.
  to.write("compiler.sh", R"(#!/bin/sh
for word; do
  case "$word" in */killed.cpp) grep -q MORPH_ON "$word" && echo "g++: fatal error: Killed signal terminated program cc1plus" >&2 && exit 1 ;; esac
done
exec "$@"
)");
  fs::permissions(to.root() / "compiler.sh", fs::perms::owner_all);
}

/// All is judged once.
class rejected_places : public testing::Test {
 protected:
  static workspace& shared() {
    static workspace made;
    static const bool is_written = [] {
      write_odd(made.here());
      made.here().start_repository();
      made.here().configure({"-DCMAKE_CXX_COMPILER_LAUNCHER=" + (made.here().root() / "compiler.sh").string()});
      return true;
    }();
    EXPECT_TRUE(is_written);
    return made;
  }
  struct judged {
    finished run;
    found_mutants found;
  };
  static const judged& all() {
    static const judged made = [] {
      finished run = shared().here().morph({"mutate", "--json"});
      return judged{run, {nlohmann::json::parse(run.out, nullptr, false)}};
    }();
    return made;
  }
  /// What became of `a + b` in place of `a - b`.
  static std::string rest_of(const std::string& file) {
    if (!all().found.json.is_object()) return "no result";
    for (const auto& m : all().found.json.at("mutants"))
      if (m.at("file") == file && m.at("original") == "a - b" && m.at("replacement") == "a + b") return m.at("state");
    return "no such mutant";
  }
  /// The last thing that was left out of it.
  static std::string said_of(const std::string& file) {
    std::string said;
    if (!all().found.json.is_object()) return "no result";
    for (const auto& part : all().found.json.at("rejected_parts"))
      if (part.at("file") == file) said = part.at("what").get<std::string>() + ":" + part.at("why").get<std::string>();
    return said;
  }
};

TEST_F(rejected_places, do_not_stop_the_command) {
  EXPECT_EQ(all().run.exit, 0) << all().run.both();
  ASSERT_TRUE(all().found.json.is_object());
  EXPECT_EQ(all().found.json.at("whole"), true) << all().found.json.at("missing");
  EXPECT_EQ(all().found.json.at("left_out_tests"), nlohmann::json::array());
}

TEST_F(rejected_places, that_have_to_be_constant_are_none) {
  EXPECT_EQ(rest_of("src/constants.cpp"), "killed");
  EXPECT_EQ(said_of("src/constants.cpp"), "");
  EXPECT_GT(all().found.json.at("left_out").at("constant of a builtin"), 2);
  EXPECT_EQ(all().found.json.at("left_out").at("inline assembler"), 2);
}

TEST_F(rejected_places, of_which_a_message_says_who_called_go_alone) {
  EXPECT_EQ(rest_of("src/inlined.cpp"), "killed");
  EXPECT_NE(said_of("src/inlined.cpp").find("declared with attribute error"), std::string::npos) << all().run.err;
  // What the call gives is mutated, its argument is not.
  const auto states = all().found.states();
  EXPECT_EQ(states.count("src/inlined.cpp:10 crr static_cast<int>(0)"), 1U);
  EXPECT_EQ(states.count("src/inlined.cpp:10 crp static_cast<int>(0)"), 0U);
}

TEST_F(rejected_places, that_an_assembler_rejects_go_with_their_file) {
  EXPECT_EQ(rest_of("src/labels.cpp"), "no such mutant");
  EXPECT_EQ(said_of("src/labels.cpp"), "*:symbol `the_only_mark' is already defined") << all().run.err;
  EXPECT_NE(all().run.err.find("src/labels.cpp: all "), std::string::npos) << all().run.err;
}

TEST_F(rejected_places, that_a_linker_rejects_go_alone) {
  EXPECT_EQ(rest_of("src/undefined.cpp"), "killed");
  EXPECT_EQ(said_of("src/undefined.cpp"), ":undefined reference to `std::numeric_limits<level>::max()'")
      << all().run.err;
  EXPECT_EQ(all().found.states().count("src/undefined.cpp:11 crr static_cast<int>(0)"), 1U) << all().run.err;
}

TEST_F(rejected_places, of_a_source_that_no_compiler_can_compile_go_with_it) {
  EXPECT_EQ(rest_of("src/killed.cpp"), "no such mutant");
  EXPECT_EQ(said_of("src/killed.cpp"), "*:Killed signal terminated program cc1plus");
}

TEST_F(rejected_places, of_headers_for_c_are_off_there) {
  const auto states = all().found.states();
  EXPECT_EQ(states.count("include/both.h:4 aor b - a"), 1U) << all().run.err;
  EXPECT_EQ(states.count("include/both.h:4 ret static_cast<int>(0)"), 0U);
}

TEST_F(rejected_places, are_left_out_at_once_in_the_next_run) {
  ASSERT_TRUE(all().found.json.is_object());
  const found_mutants again = mutate(shared().here());
  EXPECT_EQ(again.ran(), 0);
  EXPECT_EQ(again.states(), all().found.states());
  EXPECT_EQ(again.json.at("rejected_parts"), all().found.json.at("rejected_parts"));
  EXPECT_EQ(again.json.at("rejected_by_compiler"), 0);
}

TEST_F(rejected_places, are_not_made_in_a_file_that_is_left_out) {
  ASSERT_TRUE(all().found.json.is_object());
  project& p = shared().here();
  const found_mutants found = mutate(p, {"--fresh", "--without", "src/constants.cpp", "--without", "both.h"});
  const fs::path mirror = p.build_dir() / "morph-twin/mutation/source" / p.root().relative_path();
  for (const char* const file : {"src/constants.cpp", "include/both.h"}) {
    EXPECT_EQ(read_bytes(mirror / file), p.read(file));
    for (const auto& m : found.json.at("mutants")) EXPECT_NE(m.at("file"), file);
  }
  EXPECT_NE(read_bytes(mirror / "src/inlined.cpp"), p.read("src/inlined.cpp"));
  EXPECT_GT(found.json.at("left_out").at("in a file that is left out"), 3);
}

/// What does not compile without mutants either is no fault of theirs.
TEST(rejected_sources, of_the_project_are_its_own_fault) {
  workspace made;
  project& p = made.here();
  write_shop(p);
  p.replace("src/price.cpp", "#include \"shop.hpp\"", "#include \"shop.hpp\"\n#include \"no_such_file.hpp\"");
  p.start_repository();
  p.configure();
  const finished run = p.morph({"mutate"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("no_such_file.hpp"), std::string::npos) << run.both();
}

// ---- what runs before the tests

TEST(skipping_environments, are_said_to_skip) {
  workspace made;
  project& p = made.here();
  write_shop(p);
  p.replace("tests/shop_test.cpp", "TEST(Price, OfFew)", R"(struct machine : testing::Environment {
  void SetUp() override {
    if (price(3, 4) == 12) GTEST_SKIP() << "no device here";
  }
};
const auto* const its = testing::AddGlobalTestEnvironment(new machine);
TEST(Price, OfFew))");
  p.start_repository();
  p.configure();
  const finished run = p.morph({"mutate", "--operators", "aor"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("'Price.OfFew' is skipped by what the program sets up before its tests"), std::string::npos)
      << run.both();
  EXPECT_EQ(run.both().find("in time"), std::string::npos) << run.both();

  // A mutant that makes it skip is noticed by nobody; one that makes it fail is, by every test.
  p.replace("tests/shop_test.cpp", "if (price(3, 4) == 12) GTEST_SKIP()", "if (discount(8) != 4) GTEST_SKIP()");
  p.replace("tests/shop_test.cpp", "\"no device here\";", "\"no device here\";\n    ASSERT_EQ(count_down(2), 2);");
  const found_mutants found = mutate(p, {"--operators", "aor,inc"});
  EXPECT_EQ(found.states().at("src/price.cpp:11 aor price * 2"), "survived");
  for (const auto& m : found.json.at("mutants"))
    if (m.at("file") == "src/count.cpp" && m.at("replacement") == "--steps") {
      EXPECT_EQ(m.at("state"), "killed") << m;
    }
}

}  // namespace
}  // namespace morph::end_to_end
