// Sources beside the repository: another checkout, a folder without git, installed headers, and what describes a build.
#include <gtest/gtest.h>

#include <algorithm>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// `../shared` is a checkout of its own, `../plain` is no repository, `buildlib` is a checkout that git ignores.
void write_prices(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Prices CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
include(../plain/options.cmake)
add_custom_command(OUTPUT table.inc COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/../plain/table.txt table.inc
  DEPENDS ${CMAKE_SOURCE_DIR}/../plain/table.txt)
add_library(rates ../shared/rate.cpp linked/tax.cpp)
target_include_directories(rates PUBLIC ../plain/include buildlib)
add_library(sums sum.cpp ${CMAKE_BINARY_DIR}/table.inc)
target_include_directories(sums PRIVATE ${CMAKE_BINARY_DIR} PUBLIC ../plain/include)
target_include_directories(sums SYSTEM PUBLIC ../plain/vendor)
add_executable(rate_tests rate_test.cpp)
target_link_libraries(rate_tests rates GTest::gtest_main)
add_executable(sum_tests sum_test.cpp)
target_link_libraries(sum_tests sums GTest::gtest_main)
morph_add_suite(rates TARGET rate_tests)
morph_add_suite(sums TARGET sum_tests)
)");
  to.write("../plain/options.cmake", "add_compile_options(-Wall)\n");
  to.write("../plain/table.txt", "1, 2, 3\n");
  to.write("../plain/include/round.hpp", R"(#pragma once
inline int rounded(int x) {
  return x / 10 * 10;
}
inline int halved(int x) {
  return x / 2;
}
)");
  to.write("../plain/vendor/vendor.hpp", "#pragma once\ninline int vendor(int x) {\n  return x;\n}\n");
  to.write("../plain/linked/tax.cpp", "int tax(int x) {\n  return x * 2;\n}\n");
  to.write("../shared/rate.cpp", R"(#include "inner.hpp"
#include "round.hpp"
int rate(int x) {
  return rounded(x) + inner(1);
}
int other(int x) {
  return x - 1;
}
)");
  to.write("buildlib/inner.hpp", "#pragma once\ninline int inner(int x) {\n  return x;\n}\n");
  to.git({"-C", "buildlib", "init", "--quiet"});
  to.git({"-C", "buildlib", "add", "."});
  to.git({"-C", "buildlib", "commit", "--quiet", "-m", "inner"});
  to.write("sum.cpp", R"(#include "round.hpp"
#include "vendor.hpp"
int sum() {
  const int values[] = {
#include "table.inc"
  };
  return vendor(values[0] + values[1] + values[2]);
}
int half(int x) {
  return halved(x);
}
)");
  to.write("rate_test.cpp", R"(#include <gtest/gtest.h>
int rate(int);
int other(int);
int tax(int);
TEST(Rate, Of) {
  EXPECT_EQ(rate(12), 11);
}
TEST(Rate, Other) {
  EXPECT_EQ(other(2), 1);
}
TEST(Rate, Tax) {
  EXPECT_EQ(tax(2), 4);
}
)");
  to.write("sum_test.cpp", R"(#include <gtest/gtest.h>
int sum();
int half(int);
TEST(Sum, Of) {
  EXPECT_EQ(sum(), 6);
}
TEST(Sum, Half) {
  EXPECT_EQ(half(4), 2);
}
)");
  fs::create_directory_symlink("../plain/linked", to.root() / "linked");
  to.git({"-C", "../shared", "init", "--quiet"});
  to.git({"-C", "../shared", "add", "."});
  to.git({"-C", "../shared", "commit", "--quiet", "-m", "rates"});
}

const names all_prices{"Rate.Of", "Rate.Other", "Rate.Tax", "Sum.Half", "Sum.Of"};
const names of_rate_cpp{"Rate.Of", "Rate.Other"};
const names rate_tests{"Rate.Of", "Rate.Other", "Rate.Tax"};

class outside_sources : public testing::Test {
 protected:
  outside_sources() : w_(measured()), p(w_.here()) { restore(); }
  ~outside_sources() override { restore(); }

  static workspace& measured() {
    static workspace& shared = *new workspace(write_prices);
    static const bool saved = [] {
      for (const std::string folder : {"shared", "plain"})
        shared.here().must_run(
            {"cp", "-a", (shared.folder() / folder).string(), (shared.folder() / ("saved-" + folder)).string()});
      return true;
    }();
    static_cast<void>(saved);
    return shared;
  }
  void restore() {
    w_.restore();
    for (const std::string folder : {"shared", "plain"}) {
      fs::remove_all(w_.folder() / folder);
      p.must_run({"cp", "-a", (w_.folder() / ("saved-" + folder)).string(), (w_.folder() / folder).string()});
    }
  }
  names selected_before_build() const { return p.plan({"--before-build"}).selected(); }

  workspace& w_;
  project& p;
};

TEST_F(outside_sources, what_did_not_change_selects_nothing_and_is_measured_once) {
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(selected_before_build(), names{});
  const finished again = p.try_measure();
  EXPECT_NE(again.out.find("is already measured"), std::string::npos) << again.both();
  // Nothing of Morph's own, which may be installed elsewhere where the store is used.
  const std::string watched = read_bytes(p.build_dir() / ".morph" / "watched.json");
  EXPECT_NE(watched.find("\"../shared/rate.cpp\""), std::string::npos) << watched;
  EXPECT_EQ(watched.find("morph_"), std::string::npos) << watched;
}

TEST_F(outside_sources, a_fault_in_another_checkout_selects_the_tests_that_run_it_before_and_after_the_build) {
  p.replace("../shared/rate.cpp", "x - 1", "x - 2");
  const plan_view before = p.plan({"--before-build"});
  EXPECT_EQ(before.selected(), names{"Rate.Other"}) << before.json;
  const finished text = p.morph({"plan", "--before-build"});
  EXPECT_NE(text.out.find("to build: rate_tests\n"), std::string::npos) << text.both();
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Rate.Other"});
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"Rate.Other"});
}

TEST_F(outside_sources, a_commit_there_makes_another_content_that_is_measured) {
  p.replace("../shared/rate.cpp", "x - 1", "x - 3 + 2");
  p.git({"-C", "../shared", "commit", "--quiet", "-am", "a change"});
  p.build();
  const finished measured = p.try_measure();
  EXPECT_NE(measured.out.find("measured 1 of 5 tests"), std::string::npos) << measured.both();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(outside_sources, lines_decide_where_object_code_is_not_compared) {
  p.replace("../shared/rate.cpp", "x - 1", "x - 2");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Rate.Other"}) << plan.json;
  p.write("../shared/rate.cpp", p.read("../shared/rate.cpp") + "// the end\n");
  EXPECT_EQ(p.plan().selected(), of_rate_cpp);
}

TEST_F(outside_sources, a_header_selects_whom_its_units_concern_and_lines_whom_they_ran) {
  p.replace("../plain/include/round.hpp", "x / 10 * 10", "x / 10 * 11");
  EXPECT_EQ(p.plan().selected(), names{"Rate.Of"});
  EXPECT_EQ(selected_before_build(), names{"Rate.Of"});
  p.replace("../plain/include/round.hpp", "#pragma once", "#pragma once\nenum { places = 1 };");
  EXPECT_EQ(selected_before_build(), all_prices);
}

TEST_F(outside_sources, a_source_behind_a_link_counts) {
  p.replace("../plain/linked/tax.cpp", "x * 2", "x * 3");
  EXPECT_EQ(p.plan().selected(), names{"Rate.Tax"});
  EXPECT_EQ(selected_before_build(), names{"Rate.Tax"});
}

TEST_F(outside_sources, a_header_of_others_selects_who_ran_what_includes_it) {
  p.replace("../plain/vendor/vendor.hpp", "return x;", "return x + 1;");
  EXPECT_EQ(p.plan().selected(), (names{"Sum.Half", "Sum.Of"}));
  EXPECT_EQ(selected_before_build(), (names{"Sum.Half", "Sum.Of"}));
}

TEST_F(outside_sources, what_describes_the_build_or_is_made_into_sources_selects_everything) {
  p.write("../plain/options.cmake", "add_compile_options(-Wall -DMORE)\n");
  EXPECT_EQ(selected_before_build(), all_prices);
  restore();
  p.write("../plain/table.txt", "1, 2, 4\n");
  EXPECT_EQ(selected_before_build(), all_prices);
  p.build();
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"Sum.Of"});
}

TEST_F(outside_sources, a_checkout_within_the_repository_counts_without_being_a_submodule) {
  p.replace("buildlib/inner.hpp", "return x;", "return x + 10;");
  EXPECT_EQ(p.plan().selected(), names{"Rate.Of"});
  EXPECT_EQ(selected_before_build(), names{"Rate.Of"});
  p.replace("buildlib/inner.hpp", "return x + 10;", "return x + ten;");
  EXPECT_EQ(selected_before_build(), rate_tests);
  p.replace("buildlib/inner.hpp", "return x + ten;", "return x;");
  p.write("buildlib/round.hpp", "#pragma once\n");
  EXPECT_EQ(selected_before_build(), all_prices);
}

TEST_F(outside_sources, a_new_or_deleted_source_selects_everything) {
  p.write("../shared/more.hpp", "#pragma once\n");
  EXPECT_EQ(selected_before_build(), all_prices);
  p.remove("../shared/more.hpp");
  EXPECT_EQ(selected_before_build(), names{});
  p.write("../shared/notes.txt", "of no use\n");
  EXPECT_EQ(selected_before_build(), names{});
  p.remove("../plain/include/round.hpp");
  EXPECT_EQ(selected_before_build(), all_prices);
}

TEST_F(outside_sources, reports_name_the_real_path) {
  const finished lines = p.morph({"report", "coverage", "--line", "../shared/rate.cpp:7"});
  EXPECT_NE(lines.out.find("Rate.Other"), std::string::npos) << lines.both();
  const fs::path real = p.root().parent_path() / "shared" / "rate.cpp";
  EXPECT_EQ(p.morph({"report", "coverage", "--line", real.string() + ":7"}).out, lines.out);
  const std::string tracefile = p.morph({"report", "coverage", "--format", "lcov"}).out;
  EXPECT_NE(tracefile.find("SF:" + real.string() + "\n"), std::string::npos) << tracefile;
  EXPECT_NE(tracefile.find("SF:" + (p.root().parent_path() / "plain/include/round.hpp").string() + "\n"),
            std::string::npos);
  EXPECT_EQ(tracefile.find("vendor.hpp"), std::string::npos);
  const auto json = nlohmann::json::parse(p.morph({"report", "coverage", "--json"}).out);
  EXPECT_NE(json.dump().find("\"../shared/rate.cpp\""), std::string::npos);
  const std::string only = p.morph({"report", "coverage", "--only", "../shared/"}).out;
  EXPECT_NE(only.find("  ../shared/\n"), std::string::npos) << only;
  EXPECT_NE(only.find("    rate.cpp\n"), std::string::npos) << only;
  EXPECT_EQ(only.find("sum.cpp"), std::string::npos) << only;
}

TEST_F(outside_sources, a_store_serves_neighbours_of_another_place) {
  const fs::path elsewhere = w_.folder() / "elsewhere";
  fs::create_directories(elsewhere);
  p.must_run({"cp", "-a", (p.root().parent_path() / "shared").string(), (p.root().parent_path() / "plain").string(),
              elsewhere.string()});
  p.git({"clone", "--quiet", p.root().string(), (elsewhere / "project").string()});
  const project other(elsewhere / "project", p.root().parent_path() / "home");
  p.must_run({"cp", "-a", (p.root() / "buildlib").string(), other.root().string()});
  other.configure({"-DMORPH_STORE=" + p.store().string()});
  EXPECT_EQ(other.plan({"--before-build"}).selected(), names{});
  other.replace("../shared/rate.cpp", "x - 1", "x - 2");
  EXPECT_EQ(other.plan({"--before-build"}).selected(), names{"Rate.Other"});
  fs::remove_all(elsewhere);
}

TEST_F(outside_sources, mutants_are_made_in_the_project_alone_and_that_is_said) {
  const finished end = p.morph({"mutate", "--operators", "aor"});
  EXPECT_NE(end.both().find("mutants of 2 sources outside of '" + p.root().string() + "', which are not made"),
            std::string::npos)
      << end.both();
}

}  // namespace
}  // namespace morph::end_to_end
