// Batches: the file, what GoogleTest's output means, when `auto` takes them. Whole runs are in tests/end_to_end.
#include "plugin/frameworks/batch.hpp"

#include <gtest/gtest.h>

#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/rows.hpp"
#include "plugin/selection/granularity.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {
using namespace morph::frameworks;
using namespace morph::system;
using morph::selection::prefers_batches;
using morph::test_support::temporary_folder;

batch a_batch(const temporary_folder& folder) {
  build_tree tree;
  tree.binary_dir = folder.path();
  suite s;
  s.name = "geo";
  s.framework = "gtest";
  s.working_directory = "/w";
  s.environment = {"A=b c"};
  s.extra_args = {"--x y"};
  s.timeout = 2.5;
  batch b = make_batch(tree, s, "geo.tier1");
  b.programs = {{"/bin/one", {{"S.A", "pre.S.A"}, {"S.B \"\\", "pre.S.B"}}}, {"/bin/two", {{"T.A", "T.A"}}}};
  return b;
}

TEST(Batch, GivesBackWhatWasKept) {
  const temporary_folder folder;
  const batch b = a_batch(folder);
  const auto path = keep_batch(b);
  ASSERT_TRUE(path) << path.error();
  EXPECT_EQ(path->parent_path(), folder.path() / ".morph" / "batches");
  const auto read = read_batch(*path);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->entry, "geo.tier1");
  EXPECT_EQ(read->suite, "geo");
  EXPECT_EQ(read->framework, "gtest");
  EXPECT_EQ(read->binary_dir, folder.path());
  EXPECT_EQ(read->working_directory, "/w");
  EXPECT_EQ(read->environment, b.environment);
  EXPECT_EQ(read->extra_args, b.extra_args);
  EXPECT_EQ(read->timeout, 2.5);
  EXPECT_EQ(read->size(), 3U);
  EXPECT_EQ(read->programs[0].executable, "/bin/one");
  EXPECT_EQ(read->programs[0].cases[1].case_name, "S.B \"\\");
  EXPECT_EQ(read->programs[1].cases[0].name, "T.A");
}

TEST(Batch, IsOneFileForEqualContentAndMarkedAsUsed) {
  const temporary_folder folder;
  batch b = a_batch(folder);
  const auto path = *keep_batch(b);
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  std::filesystem::last_write_time(path, long_ago);
  EXPECT_EQ(*keep_batch(b), path);
  EXPECT_GT(std::filesystem::last_write_time(path), long_ago + std::chrono::hours(24 * 29));
  b.programs[1].cases.pop_back();
  EXPECT_NE(*keep_batch(b), path);
}

TEST(Batch, IsRemovedWhenNoListingHasUsedItForAWeek) {
  const temporary_folder folder;
  batch b = a_batch(folder);
  const auto old = *keep_batch(b);
  b.entry = "geo.tier2";
  const auto used = *keep_batch(b);
  std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 8));
  build_tree tree;
  tree.binary_dir = folder.path();
  remove_old_batches(tree);
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(used));
}

TEST(Batch, ThatCannotBeKeptOrReadSaysWhy) {
  const temporary_folder folder;
  batch b = a_batch(folder);
  b.programs[0].cases[0].name = "\xff";
  EXPECT_NE(keep_batch(b).error().find("not UTF-8"), std::string::npos);
  folder.write(".morph", "a file");
  EXPECT_NE(keep_batch(a_batch(folder)).error().find("cannot write"), std::string::npos);

  EXPECT_NE(read_batch(folder / "none.json").error().find("list the tests again"), std::string::npos);
  folder.write("other.json", R"({"schema": "morph.batch/9"})");
  EXPECT_NE(read_batch(folder / "other.json").error().find("has schema 'morph.batch/9'"), std::string::npos);
  folder.write("cut.json", R"({"schema": "morph.batch/1", "entry": )");
  EXPECT_NE(read_batch(folder / "cut.json").error().find("is not a batch of tests"), std::string::npos);
  folder.write("part.json", R"({"schema": "morph.batch/1", "entry": "a"})");
  EXPECT_NE(read_batch(folder / "part.json").error().find("is not a batch of tests"), std::string::npos);
}

TEST(Batch, EntriesAreNoTests) {
  build_tree tree;
  tree.suites.emplace_back().name = "geo";
  for (const char* name : {"geo.plan", "geo.selected", "geo.deferred", "geo.tier1", "geo.tier4"})
    EXPECT_TRUE(is_entry(tree, name)) << name;
  for (const char* name : {"geo.tier5", "geo.all", "geo", "other.plan", "plan", ".plan"})
    EXPECT_FALSE(is_entry(tree, name)) << name;
}

// ---- GoogleTest

/// The events of these lines: "g:Suite", ">Case", "+Case", "-Case", "~Case".
std::string events_of(std::initializer_list<std::string_view> lines) {
  const auto runner = make_gtest_runner();
  std::string text;
  for (std::string_view line : lines)
    for (const case_event& e : runner->read_line(line))
      text += std::string(1, "g>+-!~"[static_cast<int>(e.what)]) + e.name + " ";
  return text;
}

TEST(GTestRunner, ReadsItsPrinter) {
  EXPECT_EQ(events_of({"Running main() from gtest_main.cc", "[==========] Running 3 tests from 2 test suites.",
                       "[----------] Global test environment set-up.", "[----------] 2 tests from A",
                       "[ RUN      ] A.One", "output", "[       OK ] A.One (0 ms)", "[ RUN      ] A.Two",
                       "a.cpp:3: Failure", "[  FAILED  ] A.Two (2 ms)", "[----------] 2 tests from A (2 ms total)",
                       "[----------] 1 test from I/B/0, where TypeParam = int", "[ RUN      ] I/B/0.C/1",
                       "[  SKIPPED ] I/B/0.C/1, where GetParam() = 7 (0 ms)", "[==========] 3 tests ran.",
                       "[  FAILED  ] A.Two"}),
            "gA >A.One +A.One >A.Two -A.Two gI/B/0 >I/B/0.C/1 ~I/B/0.C/1 ");
}

TEST(GTestRunner, ReadsThroughColoursAndUnfinishedLines) {
  EXPECT_EQ(events_of({"\x1b[0;32m[ RUN      ] \x1b[mA.One", "dots....\x1b[0;32m[       OK ] \x1b[mA.One (0 ms)\r"}),
            ">A.One +A.One ");
}

TEST(GTestRunner, TakesNoOtherCasesEndForTheRunningOnes) {
  EXPECT_EQ(events_of({"[ RUN      ] A.One", "[       OK ] A.Two (0 ms)", "[       OK ] A.OneMore (0 ms)",
                       "[  FAILED  ] A.One", "[       OK ] A.One (0 ms)", "[  FAILED  ] A.One (0 ms)"}),
            ">A.One +A.One -A.One ");
}

TEST(GTestRunner, AsksByAFlagFileHoweverManyCases) {
  const temporary_folder folder;
  const auto runner = make_gtest_runner();
  const std::vector<std::string> cases(30000, "Suite.a-b:c*");
  EXPECT_EQ(runner->takes(cases), cases.size());
  const auto arguments = runner->arguments(cases, folder.path());
  ASSERT_TRUE(arguments) << arguments.error();
  const std::string flags = (*arguments)[0].substr(std::string("--gtest_flagfile=").size());
  EXPECT_EQ(read_file(flags)->substr(0, 46), "--gtest_filter=Suite.a?b?c?:Suite.a?b?c?:Suite");
}

// ---- GRANULARITY auto

TEST(Granularity, ComparesProcessesWithTests) {
  EXPECT_TRUE(prefers_batches(980, 0.6, false));    // yaml-cpp: 4.4 s of processes
  EXPECT_FALSE(prefers_batches(980, 30, false));    // 30 ms a case
  EXPECT_FALSE(prefers_batches(100, 0.01, false));  // half a second is nobody's pain
  EXPECT_FALSE(prefers_batches(980, std::nullopt, false));
  EXPECT_TRUE(prefers_batches(2001, std::nullopt, false));
  EXPECT_TRUE(prefers_batches(2001, 3600, false));
}

TEST(Granularity, DoesNotFlipWithNoise) {
  const double even = 1000 * 0.0045;
  EXPECT_FALSE(prefers_batches(1000, even * 1.1, false));
  EXPECT_TRUE(prefers_batches(1000, even * 1.1, true));
  EXPECT_TRUE(prefers_batches(1000, even * 1.9, true));
  EXPECT_FALSE(prefers_batches(1000, even * 2.1, true));
  EXPECT_TRUE(prefers_batches(1990, std::nullopt, true));
  EXPECT_FALSE(prefers_batches(990, std::nullopt, true));
  EXPECT_FALSE(prefers_batches(50, 0.001, true));
}

}  // namespace
}  // namespace morph::build
