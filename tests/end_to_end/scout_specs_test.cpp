// Specs that `morph scout` makes of relations: what is kept, what is reported, and what is written.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class scouted_specs : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<scratch_folder>();
    p_ = std::make_unique<project>(folder_->path() / "texts", folder_->path() / "home");
    p_->write("src/texts.h", R"(#pragma once
#include <string>
std::string encode(const std::string&);
std::string decode(const std::string&);
std::string pack(const std::string&);
std::string unpack(const std::string&);
std::string times(const std::string&, int);
char first(const std::string&);
int settle(const std::string&);
class box {
 public:
  explicit box(const std::string& of) : of_(of) {}
  std::string open() const { return of_; }
  void put(const std::string& of) { of_ = of; }
 private:
  std::string of_;
};
)");
    // unpack() loses what is longer than four bytes; first() needs a text; settle() needs an "a" in front.
    p_->write("src/texts.cpp", R"(#include "texts.h"
#include <cstdlib>
std::string encode(const std::string& a) { return a + "!"; }
std::string decode(const std::string& a) { return a.substr(0, a.size() - 1); }
std::string pack(const std::string& a) { return a; }
std::string unpack(const std::string& a) { return a.substr(0, 4); }
std::string times(const std::string& a, int n) {
  std::string made;
  for (int i = 0; i < n && i < 9; ++i) made += a;
  return made;
}
char first(const std::string& a) {
  if (a.empty()) std::abort();
  return a[0];
}
int settle(const std::string& a) {
  while (a.empty() || a[0] != 'a') {}
  return static_cast<int>(a.size());
}
)");
    p_->write("tests/helper.h", "#pragma once\n#include <string>\nstd::string shout(const std::string&);\n");
    p_->write("tests/helper.cpp",
              "#include \"helper.h\"\nstd::string shout(const std::string& a) { return a + \"?\"; }\n");
    p_->write("tests/texts_test.cpp", R"(#include <gtest/gtest.h>
#include "helper.h"
#include "texts.h"
TEST(Kept, RoundTrip) {
  const std::string given("abc"), loud = shout(given);
  EXPECT_EQ(decode(encode(loud)), loud);
}
TEST(Violated, Long) {
  const std::string given("abc");
  EXPECT_EQ(unpack(pack(given)), given);
}
TEST(Narrowed, OnceMore) { EXPECT_EQ(times("ab", 3), times("ab", 2) + "ab"); }
TEST(Crashing, Empty) {
  const std::string given("abc");
  EXPECT_EQ(first(given), first(given + given));
}
TEST(Hanging, Others) {
  const std::string given("abc");
  EXPECT_LT(settle(given), settle(given + given));
}
class Boxed : public testing::Test {
 protected:
  box box_{"empty"};
};
TEST_F(Boxed, Puts) {
  const std::string given("abc");
  box_.put(given);
  EXPECT_EQ(box(box_.open()).open(), given);
}
class Closed : public testing::Test {
 private:
  friend class Closed_Looks_Test;
  box box_{"empty"};
};
class Closed_Looks_Test;
TEST_F(Closed, Looks) {
  const std::string given("abc");
  box_.put(given);
  EXPECT_EQ(box_.open(), given);
}
TEST(Inferred, Case) { EXPECT_EQ(times("ab", 0), times("AB", 0)); }
TEST(Skipped, HalfWay) {
  const std::string given("abc");
  if (given.empty()) EXPECT_EQ(decode(encode(given)), given);
}
TEST(DISABLED_Off, RoundTrip) {
  const std::string given("abc");
  EXPECT_EQ(decode(encode(given)), given);
}
)");
    p_->write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(texts CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
add_library(texts STATIC src/texts.cpp)
target_include_directories(texts PUBLIC src)
add_subdirectory(tests)
)");
    // What is found here is not known above.
    p_->write("tests/CMakeLists.txt", R"(find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(texts_tests texts_test.cpp helper.cpp)
target_link_libraries(texts_tests texts GTest::gtest_main)
morph_add_suite(texts TARGET texts_tests)
)");
    p_->write("relations/README", "Specs of relations.\n");
    p_->start_repository();
    p_->configure();
    p_->build();
  }
  static void TearDownTestSuite() {
    p_.reset();
    folder_.reset();
  }
  /// Without Landlock that knows truncating no texts are drawn.
  void SetUp() override {
    constexpr unsigned asks_for_version = 1;
    if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, asks_for_version) < 3)
      GTEST_SKIP() << "this kernel cannot keep a program from writing elsewhere";
  }

  static std::unique_ptr<scratch_folder> folder_;
  static std::unique_ptr<project> p_;
};
std::unique_ptr<scratch_folder> scouted_specs::folder_;
std::unique_ptr<project> scouted_specs::p_;

TEST_F(scouted_specs, are_judged_by_inputs_that_no_test_has) {
  const json told = json::parse(p_->morph({"scout", "--specs", "--json"}).out);
  EXPECT_EQ(told.at("schema"), "morph.scout-specs/1");
  std::map<std::string, json> by_test;
  for (const json& each : told.at("specs")) by_test[each.at("test")] = each;
  const auto fate = [&](const char* test) {
    return by_test.contains(test) ? by_test.at(test).at("fate") : json("none");
  };
  EXPECT_EQ(fate("Kept.RoundTrip"), "kept");
  EXPECT_EQ(by_test.at("Kept.RoundTrip").at("seeds"), json({"from the test", "like these", "any"}));
  EXPECT_EQ(fate("Violated.Long"), "violated");
  const std::string why = by_test.at("Violated.Long").at("why");
  EXPECT_NE(why.find(R"({"given":"aaaaa"} -> {"holds":fail,"left":"\"aaaa\"","right":"\"aaaaa\""})"), std::string::npos)
      << why;
  EXPECT_EQ(fate("Narrowed.OnceMore"), "kept");
  EXPECT_EQ(by_test.at("Narrowed.OnceMore").at("seeds"), json({"from the test", "like these", "any"}));
  EXPECT_EQ(by_test.at("Narrowed.OnceMore").at("as_in_the_test").size(), 1);
  EXPECT_EQ(by_test.at("Narrowed.OnceMore").at("inputs").size(), 1);
  EXPECT_EQ(fate("Crashing.Empty"), "too few valid inputs");
  EXPECT_NE(by_test.at("Crashing.Empty").at("why").get<std::string>().find("crash"), std::string::npos);
  EXPECT_EQ(fate("Boxed.Puts"), "kept");
  EXPECT_EQ(fate("Closed.Looks"), "does not compile");
  EXPECT_NE(by_test.at("Closed.Looks").at("why").get<std::string>().find("private"), std::string::npos);
  EXPECT_EQ(fate("Hanging.Others"), "too few valid inputs");
  EXPECT_NE(by_test.at("Hanging.Others").at("why").get<std::string>().find("it hangs"), std::string::npos);
}

TEST_F(scouted_specs, are_inferred_where_the_second_input_is_written_by_hand) {
  const json told = json::parse(p_->morph({"scout", "Inferred.Case", "--specs", "--json"}).out);
  ASSERT_EQ(told.at("specs").size(), 1U);
  const json& one = told.at("specs").at(0);
  EXPECT_EQ(one.at("inferred").at(0),
            "the second call's value is the first call's, in upper case (explains 1 of 1 pair)");
  EXPECT_EQ(one.at("fate"), "kept") << one;
  const finished printed = p_->morph({"scout", "Inferred.Case", "--specs"});
  EXPECT_NE(printed.out.find("const std::string follow_up = morph::upper(std::string(in.value));"), std::string::npos)
      << printed.out;
}

TEST_F(scouted_specs, need_a_relation_that_happens) {
  const json told = json::parse(p_->morph({"scout", "--observe", "--json"}).out);
  std::map<std::string, json> seen;
  for (const json& test : told.at("tests"))
    for (const json& each : test.at("relations")) seen[test.at("name")] = each.at("observed");
  EXPECT_EQ(seen["Kept.RoundTrip"], "seen");
  EXPECT_EQ(seen["Boxed.Puts"], "seen");
  EXPECT_EQ(seen["DISABLED_Off.RoundTrip"], "its test did not run");
  ASSERT_EQ(told.at("refuted").size(), 1U) << told.at("refuted");
  EXPECT_EQ(told.at("refuted").at(0).at("test"), "Skipped.HalfWay");
  EXPECT_EQ(told.at("refuted").at(0).at("why"), "the assertion was not reached");
  EXPECT_FALSE(seen.contains("Skipped.HalfWay"));
  EXPECT_NE(p_->morph({"scout", "--observe"}).out.find(" seen in a run of their tests, 1 refuted\n"),
            std::string::npos);
}

TEST_F(scouted_specs, are_ranked_by_what_they_add) {
  const finished early = p_->morph({"scout", "--rank"});
  EXPECT_EQ(early.exit, 3);
  EXPECT_NE(early.err.find("run `morph mutate` first"), std::string::npos) << early.err;
  ASSERT_EQ(p_->morph({"scout", "Kept.RoundTrip", "--write", "relations"}).exit, 0);
  p_->git({"add", "-A"});
  p_->git({"commit", "-qm", "relations"});
  p_->build();
  ASSERT_LE(p_->morph({"mutate", "--only", "src/", "-q"}).exit, 1);
  EXPECT_EQ(p_->morph({"scout", "--rank"}).exit, 3) << "who else kills is not known";
  const finished mutated = p_->morph({"mutate", "--only", "src/", "--all-killers", "-q"});
  ASSERT_LE(mutated.exit, 1) << mutated.both();
  const finished ranked = p_->morph({"scout", "--rank", "--json"});
  ASSERT_EQ(ranked.exit, 0) << ranked.both();
  const json told = json::parse(ranked.out);
  ASSERT_EQ(told.at("specs").size(), 1U);
  EXPECT_EQ(told.at("specs").at(0).at("name"), "Kept_RoundTrip");
  EXPECT_GT(told.at("specs").at(0).at("kills"), 0);
  EXPECT_GT(told.at("mutants").at("own"), 0);
  EXPECT_NE(p_->morph({"scout", "--rank"}).out.find("by the project's own tests"), std::string::npos);
  p_->git({"reset", "-q", "--hard", "HEAD~1"});
  p_->configure();
}

TEST_F(scouted_specs, are_written_with_their_lines_of_cmake_and_hold) {
  const finished written = p_->morph({"scout", "--write", "relations"});
  EXPECT_EQ(written.exit, 0) << written.both();
  EXPECT_NE(written.out.find("tests/CMakeLists.txt: morph_add_spec(texts_test_relations SOURCES "
                             "../relations/texts_test.relations.spec.cpp helper.cpp LIKE texts_tests)"),
            std::string::npos)
      << written.out;
  const std::string specs = p_->read("relations/texts_test.relations.spec.cpp");
  EXPECT_NE(specs.find("#include \"../tests/helper.h\"\n"), std::string::npos) << specs.substr(0, 400);
  EXPECT_NE(specs.find("#include \"texts.h\"\n"), std::string::npos);
  p_->build();
  const finished ran = p_->ctest({"-R", "holds"});
  EXPECT_EQ(ran.exit, 0) << ran.both();
  EXPECT_NE(ran.out.find("Kept_RoundTrip.holds"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("Violated_Long"), std::string::npos) << ran.out;
  // Once more: the file is Morph's own, the line is there.
  const std::string lists = p_->read("tests/CMakeLists.txt");
  EXPECT_EQ(p_->morph({"scout", "--write", "relations"}).exit, 0);
  EXPECT_EQ(p_->read("tests/CMakeLists.txt"), lists);
  p_->write("relations/texts_test.relations.spec.cpp", "// mine\n");
  const finished kept = p_->morph({"scout", "--write", "relations"});
  EXPECT_EQ(kept.exit, 2);
  EXPECT_NE(kept.err.find("is there already, and is not of `morph scout`"), std::string::npos) << kept.err;
  EXPECT_EQ(p_->read("relations/texts_test.relations.spec.cpp"), "// mine\n");
}

}  // namespace
}  // namespace morph::end_to_end
