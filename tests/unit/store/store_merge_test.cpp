// Merging stores: order, repetition, shards, damage, interruption.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>

#include "plugin/store/merge.hpp"
#include "plugin/store/text.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::store {
namespace {
using morph::optimizer::requirement_kind;
using morph::test_support::temporary_folder;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* configuration = R"({"compiler":"GNU 12"})";

snapshot content(int number) {
  return {fmt::format("commit{}", number), fmt::format("tree{}", number), {{"local.cpp", "b10b"}}};
}

/// One job's part of a measurement: all tests are registered, those of `measured` have rows.
struct part {
  int of_content = 1;
  std::vector<int> measured;
  std::int64_t at = 1000;
  std::uint32_t first_line = 10;  // of every row
  bool reversed = false;          // numbers things the other way round
  std::string variable = "d1";
  bool is_shown = true;  // the start-up row's line, by gcov
};

constexpr int tests = 6;

void write_part(const std::string& path, const part& p) {
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  auto writer = store->begin(content(p.of_content), configuration, p.at);
  ASSERT_TRUE(writer) << writer.error();
  writer->put_blob("b10b", "int x;\n");
  const auto program = writer->program({"suite", "tests"});
  std::vector<int> order;
  for (int i = 0; i < tests; ++i) order.push_back(i);
  if (p.reversed) {
    std::reverse(order.begin(), order.end());
    writer->file("zzz.hpp");
  }
  const auto startup = writer->test(program, "", "");
  std::vector<std::uint32_t> ids(tests);
  for (const int i : order)
    ids[static_cast<std::size_t>(i)] = writer->test(program, fmt::format("S.{}", i), fmt::format("S.{}", i));
  std::vector<std::uint32_t> files(2);
  for (const int i : p.reversed ? std::vector{1, 0} : std::vector{0, 1})
    files[static_cast<std::size_t>(i)] = writer->file(fmt::format("src/{}.cpp", i));
  writer->file("zzz.hpp");
  std::vector<std::uint32_t> dependencies = files;
  std::sort(dependencies.begin(), dependencies.end());
  const auto unit = writer->unit({"0.cpp.o", files[0], dependencies, false});
  const auto function = writer->function({"_Z1fv", files[0], 1, 9, false});
  const auto input = writer->input({measured_input::kind::variable, "HOME", p.variable});
  writer->set_executable_lines(
      files[0], std::vector<std::uint32_t>{1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25});
  std::vector<element> started{make_element(requirement_kind::line, files[0], p.first_line % 3 + 1)};
  if (!p.is_shown) started.push_back(make_element(requirement_kind::unshown, files[0], p.first_line % 3 + 1));
  writer->put_row(startup, {}, started);
  for (const int i : p.measured) {
    std::vector<element> row{
        make_element(requirement_kind::line, files[0], p.first_line + static_cast<std::uint32_t>(i)),
        make_element(requirement_kind::line, files[0], p.first_line + static_cast<std::uint32_t>(i % 2)),
        make_element(requirement_kind::function, 0, function), make_element(requirement_kind::unit, 0, unit),
        make_element(requirement_kind::input, 0, input)};
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    measured_test facts;
    facts.wall_us = 100 + i;
    writer->put_row(ids[static_cast<std::size_t>(i)], facts, row);
  }
  writer->finish();
  const std::vector<test_outcome> outcomes{
      {"S.1", p.at % 2 == 0, p.at, 0.25, "ctest", fmt::format("c{}", p.of_content), "conf"},
      {"S.2", true, 500, p.first_line * 0.5, "junit", fmt::format("c{}", p.first_line), "conf"}};
  ASSERT_TRUE(store->add_outcomes(outcomes));
  ASSERT_TRUE(
      store->add_audit({"conf", "c", "base", 77, fmt::format("commit{}", p.at), 6, 2, 1, 600, 200, {"S.3"}, 1, 2}));
}

std::string text_of(const std::string& path, text_options options = {}) {
  auto store = evidence_store::open_for_reading(path);
  EXPECT_TRUE(store && *store) << path;
  std::string text;
  const auto written = write_text(**store, options, [&](const std::string& line) { text += line + '\n'; });
  EXPECT_TRUE(written) << written.error();
  return text;
}

store_totals merge(const std::vector<std::string>& from, const std::string& into) {
  std::vector<evidence_store> opened;
  std::vector<evidence_store*> all;
  opened.reserve(from.size());
  for (const std::string& path : from) {
    auto store = evidence_store::open_for_reading(path);
    EXPECT_TRUE(store && *store) << path;
    opened.push_back(std::move(**store));
    all.push_back(&opened.back());
  }
  const auto totals = replace_by_union(into, all, [](const auto&) { return true; });
  EXPECT_TRUE(totals) << totals.error();
  return totals.value_or(store_totals{});
}

std::vector<std::string> some_parts(const temporary_folder& folder) {
  const std::vector<part> parts{{1, {0, 1}, 1000, 10, false, "d1"},
                                {1, {2, 3}, 1100, 10, true, "d2"},
                                {1, {4, 5, 1}, 1200, 10, false, "d1"},
                                {1, {1}, 1200, 20, true, "d1"},
                                {2, {0, 1, 2, 3, 4, 5}, 900, 10, true},
                                {2, {0, 1, 2, 3, 4, 5}, 950, 20, false},
                                {3, {0}, 2000, 10, false}};
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    paths.push_back(folder / fmt::format("part{}.db", i));
    write_part(paths.back(), parts[i]);
  }
  return paths;
}

TEST(StoreMerge, TheOrderOfStoresDoesNotMatter) {
  const temporary_folder folder;
  std::vector<std::string> paths = some_parts(folder);
  merge(paths, folder / "all.db");
  const std::string expected = text_of(folder / "all.db");
  const std::string bytes = bytes_of(folder / "all.db");
  std::mt19937 random(7);
  for (int round = 0; round < 8; ++round) {
    std::shuffle(paths.begin(), paths.end(), random);
    // In one go, and in two steps through a store in between.
    merge(paths, folder / "again.db");
    ASSERT_EQ(text_of(folder / "again.db"), expected) << round;
    ASSERT_TRUE(bytes_of(folder / "again.db") == bytes) << round;
    const auto middle =
        paths.begin() + std::uniform_int_distribution<int>(1, static_cast<int>(paths.size()) - 1)(random);
    merge({paths.begin(), middle}, folder / "left.db");
    std::vector<std::string> rest(middle, paths.end());
    rest.push_back(folder / "left.db");
    merge(rest, folder / "steps.db");
    ASSERT_EQ(text_of(folder / "steps.db"), expected) << round;
  }
}

TEST(StoreMerge, WhatIsMergedOnceMoreChangesNothing) {
  const temporary_folder folder;
  const std::vector<std::string> paths = some_parts(folder);
  merge(paths, folder / "all.db");
  const std::string once = bytes_of(folder / "all.db");
  merge({folder / "all.db", folder / "all.db", paths[2]}, folder / "all.db");
  EXPECT_TRUE(bytes_of(folder / "all.db") == once);
}

/// Without verdicts and audits.
std::string measurements_of(const std::string& path) {
  std::istringstream all(text_of(path));
  std::string text;
  for (std::string line; std::getline(all, line);)
    if (line.find("\"verdict\":") == std::string::npos && line.find("\"audit\":") == std::string::npos)
      text += line + '\n';
  return text;
}

TEST(StoreMerge, MeasurementsThatAreAddedOneByOneAreThoseOfTheUnion) {
  const temporary_folder folder;
  const std::vector<std::string> all = some_parts(folder);
  const std::vector<std::string> paths{all[0], all[1], all[4], all[6], all[2]};
  merge(paths, folder / "union.db");
  auto added = evidence_store::open_for_writing(folder / "added.db");
  ASSERT_TRUE(added) << added.error();
  for (const std::string& path : paths) {
    auto part = evidence_store::open_for_reading(path);
    ASSERT_TRUE(add_measurements(**part, *added)) << path;
    const std::string once = measurements_of(folder / "added.db");
    ASSERT_TRUE(add_measurements(**part, *added)) << path;
    EXPECT_TRUE(measurements_of(folder / "added.db") == once) << path;
  }
  EXPECT_EQ(added->measurements()->size(), 3U);
  const std::string expected = measurements_of(folder / "union.db");
  EXPECT_TRUE(measurements_of(folder / "added.db") == expected);
  EXPECT_EQ(added->verify().value(), std::vector<std::string>{});

  // What is there as a whole stays as it is.
  auto other = evidence_store::open_for_reading(all[5]);
  ASSERT_TRUE(add_measurements(**other, *added));
  EXPECT_TRUE(measurements_of(folder / "added.db") == expected);
}

TEST(StoreMerge, ShardsOfOneContentBecomeOneWholeMeasurement) {
  const temporary_folder folder;
  write_part(folder / "a.db", {1, {0, 2, 4}});
  write_part(folder / "b.db", {1, {1, 3, 5}, 1001, 10, true});
  write_part(folder / "whole.db", {1, {0, 1, 2, 3, 4, 5}, 1001});
  EXPECT_EQ(merge({folder / "a.db", folder / "b.db"}, folder / "all.db").measurements, 1U);
  auto store = evidence_store::open_for_reading(folder / "all.db");
  ASSERT_TRUE(store && *store);
  const auto infos = (*store)->measurements();
  ASSERT_EQ(infos->size(), 1U);
  EXPECT_TRUE(infos->front().complete);
  EXPECT_EQ((*store)->verify().value(), std::vector<std::string>{});
  EXPECT_EQ((*store)->blob("b10b").value(), "int x;\n");
  merge({folder / "whole.db"}, folder / "canonical.db");
  EXPECT_EQ(text_of(folder / "all.db", {false}), text_of(folder / "canonical.db", {false}));
}

TEST(StoreMerge, WithoutOneShardItStaysIncomplete) {
  const temporary_folder folder;
  write_part(folder / "a.db", {1, {0, 2}});
  write_part(folder / "b.db", {1, {1, 3, 5}});
  merge({folder / "a.db", folder / "b.db"}, folder / "all.db");
  auto store = evidence_store::open_for_reading(folder / "all.db");
  const auto loaded = (*store)->load(1);
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_FALSE(loaded->info.complete);
  EXPECT_EQ(std::count_if(loaded->tests.begin(), loaded->tests.end(), [](const auto& t) { return !t.measured; }), 1);
}

TEST(StoreMerge, RowsOfATestThatDifferAreUnitedAndTheTestIsUnsteady) {
  const temporary_folder folder;
  write_part(folder / "a.db", {1, {0, 1}, 1000, 10});
  write_part(folder / "b.db", {1, {1}, 1500, 20});
  merge({folder / "a.db", folder / "b.db"}, folder / "all.db");
  const std::string text = text_of(folder / "all.db");
  const auto row_of = [&](const std::string& test) {
    const auto at = text.find(R"("src/0.cpp":")", text.rfind('\n', text.find("\"test\":\"" + test + "\"")));
    return text.substr(at, text.find('}', at) - at);
  };
  EXPECT_EQ(row_of("S.0"), R"("src/0.cpp":"10")");
  EXPECT_EQ(row_of("S.1"), R"("src/0.cpp":"11 21")");
  EXPECT_EQ(row_of(""), R"("src/0.cpp":"2-3")");
  const auto line_of = [&](const std::string& test) {
    const auto at = text.rfind('\n', text.find("\"test\":\"" + test + "\"")) + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(line_of("S.0").find("unsteady"), std::string::npos);
  EXPECT_NE(line_of("S.1").find("\"unsteady\":true"), std::string::npos);
  EXPECT_NE(line_of("S.1").find("\"at\":1500"), std::string::npos);  // how it ended: as the later row has it
}

TEST(StoreMerge, ATestWithTwoEqualRowsIsSteadyWhateverItReadThen) {
  const temporary_folder folder;
  write_part(folder / "a.db", {1, {0, 1}, 1000, 10, false, "d1"});
  write_part(folder / "b.db", {1, {1}, 1500, 10, true, "d2"});
  merge({folder / "a.db", folder / "b.db"}, folder / "all.db");
  const std::string text = text_of(folder / "all.db");
  EXPECT_EQ(text.find("unsteady"), std::string::npos);
  auto store = evidence_store::open_for_reading(folder / "all.db");
  const auto loaded = (*store)->load(1);
  ASSERT_TRUE(loaded) << loaded.error();
  for (const auto& c : loaded->classes)
    for (const element x : c.elements) {
      if (kind_of(x) != requirement_kind::input) continue;
      for (const std::uint32_t test : c.tests)
        EXPECT_EQ(loaded->inputs[number_of(x)].digest, loaded->tests[test].case_name == "S.1" ? "d2" : "d1");
    }
}

TEST(StoreMerge, ALineThatOneStartUpRowRanAllOfIsShown) {
  const temporary_folder folder;
  const auto united_of = [&](bool one_is_shown, bool other_is_shown) {
    const std::string name = fmt::format("{}-{}", one_is_shown, other_is_shown);
    const std::string one = folder / (name + "-one.db"), two = folder / (name + "-two.db"),
                      all = folder / (name + ".db");
    write_part(one, {.measured = {0, 1, 2}, .is_shown = one_is_shown});
    write_part(two, {.measured = {3, 4, 5}, .at = 2000, .reversed = true, .is_shown = other_is_shown});
    merge({one, two}, all);
    return text_of(all);
  };
  EXPECT_NE(united_of(false, false).find("unshown"), std::string::npos);
  EXPECT_EQ(united_of(false, true).find("unshown"), std::string::npos);
  EXPECT_EQ(united_of(true, false).find("unshown"), std::string::npos);
  EXPECT_EQ(united_of(true, true).find("unshown"), std::string::npos);
}

TEST(StoreMerge, AnInputThatWasSeenWithTwoValuesKeepsBoth) {
  const temporary_folder folder;
  write_part(folder / "a.db", {1, {0}, 1000, 10, false, "d1"});
  write_part(folder / "b.db", {1, {1}, 1000, 10, false, "d2"});
  merge({folder / "a.db", folder / "b.db"}, folder / "all.db");
  auto store = evidence_store::open_for_reading(folder / "all.db");
  const auto loaded = (*store)->load(1);
  ASSERT_TRUE(loaded) << loaded.error();
  ASSERT_EQ(loaded->inputs.size(), 2U);
  EXPECT_EQ(loaded->inputs[0].digest, "d1");
  EXPECT_EQ(loaded->inputs[1].digest, "d2");
}

TEST(StoreMerge, LeavesOutWhatIsNotToBeKeptAndItsBlobs) {
  const temporary_folder folder;
  const std::vector<std::string> paths = some_parts(folder);
  merge(paths, folder / "all.db");
  auto store = evidence_store::open_for_writing(folder / "all.db");
  ASSERT_TRUE(store);
  std::vector<evidence_store*> all{&*store};
  const auto totals = replace_by_union(folder / "all.db", all, [](const auto&) { return false; });
  ASSERT_TRUE(totals) << totals.error();
  EXPECT_EQ(totals->measurements, 0U);
  EXPECT_GT(totals->outcomes, 0U);
  auto thin = evidence_store::open_for_reading(folder / "all.db");
  EXPECT_FALSE((*thin)->blob("b10b"));
  EXPECT_TRUE((*thin)->measurements()->empty());
}

TEST(StoreMerge, AWriterIsKeptOutWhileTheStoreIsHeld) {
  const temporary_folder folder;
  write_part(folder / "a.db", {});
  auto store = evidence_store::open_for_writing(folder / "a.db");
  const auto held = store->hold();
  ASSERT_TRUE(held) << held.error();
  database other(folder / "a.db", database::mode::read_write);
  other.run("PRAGMA busy_timeout=0");
  EXPECT_THROW(transaction{other}, database_error);
}

TEST(StoreMerge, OneThatIsKilledLeavesTheOldStoreOrTheNewOne) {
  const temporary_folder folder;
  const std::vector<std::string> paths = some_parts(folder);
  merge(paths, folder / "new.db");
  const std::string old_bytes = bytes_of(paths[0]), new_bytes = bytes_of(folder / "new.db");
  int old_ones = 0;
  for (int round = 0; round < 12; ++round) {
    std::filesystem::copy_file(paths[0], folder / "target.db", std::filesystem::copy_options::overwrite_existing);
    const pid_t child = ::fork();
    if (child == 0) {
      merge(paths, folder / "target.db");
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(round * 1000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string bytes = bytes_of(folder / "target.db");
    ASSERT_TRUE(bytes == old_bytes || bytes == new_bytes) << round;
    old_ones += bytes == old_bytes ? 1 : 0;
  }
  EXPECT_GT(old_ones, 0);
  merge(paths, folder / "target.db");  // what the killed ones left is not in the way
  EXPECT_TRUE(bytes_of(folder / "target.db") == new_bytes);
}

TEST(StoreMerge, ReadsStoresOfOlderSchemas) {
  const temporary_folder folder;
  std::vector<std::string> paths;
  for (const int schema : {1, 2, 3, 4, 5, 6}) {  // the example of 7 lacks a blob
    paths.push_back(folder / fmt::format("{}.db", schema));
    std::filesystem::copy_file(MORPH_SOURCE_DIR + fmt::format("/tests/unit/data/evidence-schema-{}.db", schema),
                               paths.back());
  }
  const std::string before = bytes_of(paths[0]);
  const auto totals = merge(paths, folder / "all.db");
  EXPECT_GT(totals.measurements, 0U);
  EXPECT_TRUE(bytes_of(paths[0]) == before);
  auto store = evidence_store::open_for_reading(folder / "all.db");
  EXPECT_EQ((*store)->verify().value(), std::vector<std::string>{});
}

}  // namespace
}  // namespace morph::store
