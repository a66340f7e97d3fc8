// Relations that `morph scout` finds in the tests of a project, and what it reads again after a change.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class scouted : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<scratch_folder>();
    p_ = std::make_unique<project>(folder_->path() / "codec", folder_->path() / "home");
    p_->write("src/codec.h",
              "#pragma once\n#include <string>\nstd::string encode(const std::string&);\n"
              "std::string decode(const std::string&);\nint length(const std::string&);\n");
    p_->write("src/codec.cpp",
              "#include \"codec.h\"\nstd::string encode(const std::string& a) { return a + \"!\"; }\n"
              "std::string decode(const std::string& a) { return a.substr(0, a.size() - 1); }\n"
              "int length(const std::string& a) { return static_cast<int>(a.size()); }\n");
    p_->write("tests/trip.h", "#pragma once\ninline const char* text() { return \"a\"; }\n");
    p_->write("tests/trip_test.cpp", R"(#include <gtest/gtest.h>
#include "codec.h"
#include "trip.h"
TEST(Trip, ThereAndBack) {
  const std::string given = text();
  EXPECT_EQ(decode(encode(given)), given);
}
TEST(Trip, Value) { EXPECT_EQ(encode("a"), "a!"); }
)");
    p_->write("tests/length_test.cpp", R"(#include <gtest/gtest.h>
#include "codec.h"
TEST(Length, Grows) { EXPECT_LT(length("a"), length(encode("a"))); }
TEST(Length, Echo) {
  EXPECT_EQ(decode(encode("abc")), "abc");
}
)");
    p_->write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(codec CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
enable_testing()
add_library(codec STATIC src/codec.cpp)
target_include_directories(codec PUBLIC src)
foreach(name trip length)
  add_executable(${name}_tests tests/${name}_test.cpp)
  target_link_libraries(${name}_tests codec GTest::gtest_main)
  morph_add_suite(${name} TARGET ${name}_tests)
endforeach()
)");
    p_->start_repository();
    p_->configure();
  }
  static void TearDownTestSuite() {
    p_.reset();
    folder_.reset();
  }

  static json found(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"scout", "--json"});
    return json::parse(p_->morph(more).out);
  }

  static std::unique_ptr<scratch_folder> folder_;
  static std::unique_ptr<project> p_;
};
std::unique_ptr<scratch_folder> scouted::folder_;
std::unique_ptr<project> scouted::p_;

TEST_F(scouted, says_what_is_asserted_and_how_one_call_leads_to_the_other) {
  EXPECT_EQ(p_->morph({"scout", "trip_test.cpp"}).out,
            "tests/trip_test.cpp:6  Trip.ThereAndBack\n"
            "  EXPECT_EQ(decode(encode(given)), given)\n"
            "  1 encode(given)  (line 6)\n"
            "  2 decode(encode(given))  (line 6): its input is computed from the first call's\n"
            "\n"
            "1 relation in 1 of 2 tests (2 sources)\n");
  const finished all = p_->morph({"scout"});
  EXPECT_EQ(all.exit, 0);
  EXPECT_NE(all.out.find("\n2 relations in 2 of 4 tests (2 sources)\n"), std::string::npos) << all.out;
  EXPECT_NE(p_->morph({"scout", "--echoes"}).out.find("tests/length_test.cpp:5  Length.Echo  (echo of a literal)\n"),
            std::string::npos);
  EXPECT_NE(p_->morph({"scout", "--markdown"}).out.find("- `tests/trip_test.cpp:6` in `Trip.ThereAndBack`\n"),
            std::string::npos);
  const json one = found({"Length.Grows"}).at("tests").at(0).at("relations").at(0);
  EXPECT_EQ(one.at("by"), "<");
  EXPECT_EQ(one.at("kind"), "CompAssert");
  EXPECT_EQ(one.at("unit"), "src/codec.h");
  EXPECT_EQ(one.at("invocations").at(1).at("text"), "length(encode(\"a\"))");
}

TEST_F(scouted, reads_again_what_has_changed_and_no_more) {
  found();
  EXPECT_EQ(found().at("read"), 0);
  p_->write("tests/trip.h", "#pragma once\ninline const char* text() { return \"b\"; }\n");
  EXPECT_EQ(found().at("read"), 1);
  EXPECT_EQ(found().at("read"), 0);
}

TEST_F(scouted, tells_changed_tests) {
  p_->git({"checkout", "-q", "."});
  EXPECT_EQ(found({"--since", "HEAD"}).at("tests"), json::array());
  p_->write("tests/length_test.cpp", R"(#include <gtest/gtest.h>
#include "codec.h"
TEST(Length, Grows) { EXPECT_LT(length("b"), length(encode("b"))); }
TEST(Length, Echo) {
  EXPECT_EQ(decode(encode("abc")), "abc");
}
)");
  const json changed = found({"--since", "HEAD"});
  EXPECT_EQ(changed.at("sources"), 1);
  EXPECT_EQ(changed.at("tests_read"), 1);
  EXPECT_EQ(changed.at("tests").at(0).at("name"), "Length.Grows");
  p_->git({"checkout", "-q", "."});
  p_->write("tests/trip.h", "#pragma once\ninline const char* text() { return \"b\"; }\n");
  const json by_helper = found({"--since", "HEAD"});
  ASSERT_EQ(by_helper.at("tests").size(), 1U) << by_helper;
  EXPECT_EQ(by_helper.at("tests").at(0).at("name"), "Trip.ThereAndBack");
  p_->git({"checkout", "-q", "."});
}

TEST_F(scouted, counts_tests_of_frameworks_that_it_does_not_know) {
  p_->write("tests/length_test.cpp", R"(#include "codec.h"
#define OWN_TEST(name) static void name()
OWN_TEST(one) { (void)length("a"); }
OWN_TEST(other) { (void)length("b"); }
int main() { return 0; }
)");
  EXPECT_EQ(found().at("unread"), json::parse(R"({"OWN_TEST": 2})"));
  EXPECT_NE(p_->morph({"scout"}).out.find("  2 tests of OWN_TEST(): a framework that is not known\n"),
            std::string::npos);
  p_->git({"checkout", "-q", "."});
}

TEST_F(scouted, relates_units_if_it_is_asked_to) {
  p_->write("src/box.h", R"(#pragma once
#include <string>
struct box {
  explicit box(const std::string& of) : inside(of) {}
  std::string open() const { return inside; }
  std::string inside;
};
)");
  p_->write("tests/trip_test.cpp", R"(#include <gtest/gtest.h>
#include "box.h"
#include "codec.h"
TEST(Trip, IntoABox) {
  const std::string given = "a";
  EXPECT_EQ(box(encode(given)).open(), given);
}
)");
  EXPECT_EQ(found({"trip_test.cpp"}).at("relations"), 0);
  const json across = found({"trip_test.cpp", "--across"}).at("tests").at(0).at("relations").at(0);
  EXPECT_EQ(across.at("is_across"), true);
  EXPECT_EQ(across.at("unit"), "src/codec.h -> box");
  EXPECT_NE(p_->morph({"scout", "trip_test.cpp", "--across"}).out.find("(across units)"), std::string::npos);
}

TEST_F(scouted, names_what_is_not_there_and_what_does_not_parse) {
  const finished unknown = p_->morph({"scout", "Trip.Nowhere"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("no source of tests and no test is called 'Trip.Nowhere'"), std::string::npos);
  p_->write("tests/trip_test.cpp", R"(#include <gtest/gtest.h>
#include "codec.h"
TEST(Trip, Broken) { gone(); }
TEST(Trip, ThereAndBack) {
  const std::string given = "a";
  EXPECT_EQ(decode(encode(given)), given);
}
)");
  const finished broken = p_->morph({"scout", "trip_test.cpp"});
  EXPECT_EQ(broken.exit, 0) << broken.both();
  EXPECT_NE(broken.err.find("'tests/trip_test.cpp' is read in part: line 3: "), std::string::npos) << broken.err;
  EXPECT_NE(broken.out.find("1 relation in 1 of 2 tests"), std::string::npos) << broken.out;
}

}  // namespace
}  // namespace morph::end_to_end
