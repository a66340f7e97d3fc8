// gcov's line rule on graphs small enough to count by hand, and on damaged notes. gcov itself is asked in
// gcov_compare_test.cpp.
#include "coverage/gcov/gcov_lines.hpp"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "coverage/gcov/branches.hpp"
#include "coverage/gcov/program_model.hpp"
#include "coverage/gcov/solver.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace morph::gcov {
namespace {
using gcov_support::gcov_writer;
using gcov_support::written_function;

using shown = std::vector<std::tuple<std::uint32_t, std::int64_t>>;

shown lines_of(const std::vector<written_function>& functions, const std::vector<std::vector<std::uint64_t>>& values) {
  const auto notes = parse_note(gcov_writer(12).note(1, "/b", functions), "x.gcno").value();
  const auto counters = parse_data(gcov_writer(12).data(1, 2, functions, values), "x.gcda").value();
  shown result;
  const auto counts = gcov_counts(notes, counters).value();
  for (const auto& line : counts.lines) result.emplace_back(line.line, line.count);
  return result;
}

// Entry -> 2 -> 3 <-> 4, 3 -> 5 -> exit, and a last block that nothing enters.
written_function loop() {
  return {1,
          2,
          3,
          "_Z4loopv",
          false,
          "a.cpp",
          1,
          9,
          7,
          {{0, 2, 4}, {2, 3, 1}, {3, 4, 0}, {4, 3, 1}, {3, 5, 1}, {5, 1, 1}, {5, 6, 0}, {6, 1, 1}},
          {{2, "a.cpp", {1, 2}}, {3, "a.cpp", {3}}, {4, "a.cpp", {3}}, {5, "a.cpp", {4}}}};
}

TEST(gcov_lines, a_loop_on_one_line_counts_its_turns_and_its_entries) {
  EXPECT_EQ(lines_of({loop()}, {{2, 10, 0}}), (shown{{1, 2}, {2, 2}, {3, 12}, {4, 2}}));
}

TEST(gcov_lines, branches_stand_on_the_line_where_their_block_ends) {
  // 2 goes on to 4 or 3 (out of order in the notes); 3 is a call: it returns to 5, throws to 4, or does not return.
  const written_function function{
      1,
      2,
      3,
      "_Z6choosev",
      false,
      "a.cpp",
      1,
      9,
      7,
      {{0, 2, 1}, {2, 4, 0}, {2, 3, 4}, {3, 5, 4}, {3, 4, 0}, {3, 1, 2}, {4, 5, 1}, {5, 1, 1}, {5, 6, 1}, {6, 1, 1}},
      {{2, "a.cpp", {1, 2}}, {3, "a.cpp", {3}}, {4, "a.cpp", {4}}, {5, "a.cpp", {5}}}};
  const auto notes = parse_note(gcov_writer(12).note(1, "/b", {function}), "x.gcno").value();
  const auto counters = parse_data(gcov_writer(12).data(1, 2, {function}, {{3, 10, 8, 2, 0}}), "x.gcda").value();
  const auto counts = gcov_counts(notes, counters).value();
  const branch_count returned{8, true, false}, thrown{2, false, true};
  ASSERT_EQ(counts.lines.size(), 5U);
  EXPECT_EQ(counts.lines[0].branches, std::vector<branch_count>{});
  EXPECT_EQ(counts.lines[1].branches, (std::vector<branch_count>{{10, true, false}, {3, false, false}}));
  EXPECT_EQ(counts.lines[2].branches, (std::vector<branch_count>{thrown, returned}));
  EXPECT_EQ(counts.lines[3].branches, std::vector<branch_count>{}) << "one way on";

  const auto branches = branches_of(notes.functions[0]);
  ASSERT_EQ(branches.size(), 6U);
  EXPECT_TRUE(branches[0].decides && branches[1].decides);
  EXPECT_FALSE(branches[2].decides || branches[3].decides) << "that a call returns is no decision";
}

TEST(gcov_lines, turns_that_share_arcs_are_counted_once) {
  // Two turns through 2, 3 or 4, 5, 6 or 7: four cycles, but only two turns.
  const written_function function{1,
                                  2,
                                  3,
                                  "_Z5turnsv",
                                  false,
                                  "a.cpp",
                                  1,
                                  9,
                                  10,
                                  {{0, 2, 1},
                                   {2, 3, 0},
                                   {2, 4, 0},
                                   {3, 5, 0},
                                   {4, 5, 1},
                                   {5, 6, 0},
                                   {5, 7, 1},
                                   {6, 2, 1},
                                   {7, 8, 1},
                                   {8, 2, 0},
                                   {8, 1, 0},
                                   {2, 9, 0},
                                   {9, 1, 1}},
                                  {{2, "a.cpp", {1}},
                                   {3, "a.cpp", {1}},
                                   {4, "a.cpp", {1}},
                                   {5, "a.cpp", {1}},
                                   {6, "a.cpp", {1}},
                                   {7, "a.cpp", {1}},
                                   {8, "a.cpp", {1}}}};
  EXPECT_EQ(lines_of({function}, {{1, 1, 1, 1, 1, 0, 1}}), (shown{{1, 3}}));
}

TEST(gcov_lines, turns_are_counted_whatever_the_order_of_the_blocks) {
  auto function = loop();
  std::swap(function.lines[1], function.lines[2]);
  EXPECT_EQ(lines_of({function}, {{2, 10, 0}}), (shown{{1, 2}, {2, 2}, {3, 12}, {4, 2}}));
}

TEST(gcov_lines, a_block_that_mentions_a_line_twice_is_entered_twice_but_turns_once) {
  auto function = loop();
  function.lines[1] = {4, "a.cpp", {3}};
  function.lines[2] = {3, "a.cpp", {3}};
  function.lines.insert(function.lines.begin() + 3, {3, "b.hpp", {8}});
  function.lines.insert(function.lines.begin() + 4, {3, "a.cpp", {3}});
  EXPECT_EQ(lines_of({function}, {{2, 10, 0}}), (shown{{1, 2}, {2, 2}, {3, 14}, {4, 2}, {8, 12}}));
}

TEST(gcov_lines, the_exit_is_executed_as_often_as_it_is_entered) {
  const written_function function{
      1, 2, 3, "_Z5emptyv", false, "a.cpp", 1, 9, 2, {{0, 1, 0}, {0, 1, 0}}, {{1, "a.cpp", {5}}}};
  EXPECT_EQ(lines_of({function}, {{4, 3}}), (shown{{5, 7}}));
}

// All on one line: a start (block 2), and behind it forks in a row, of which each joins before the next.
written_function forks(std::uint32_t number, std::vector<std::vector<std::uint64_t>>& counts) {
  written_function function{1, 2, 3, "_Z5forksv", false, "a.cpp", 1, 9, 3 * number + 5, {}, {}};
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint64_t count) {
    function.arcs.push_back({from, to, 0});
    counts.back().push_back(count);
  };
  counts = {{}};
  const std::uint32_t last = 3 * number + 3;
  add(0, 2, 6);
  add(0, 3, 5);
  add(2, 2, 3);
  add(2, 3, 1);
  add(2, 1, 10);
  for (std::uint32_t fork = 3; fork < last; fork += 3)
    for (const std::uint32_t way : {1U, 2U}) {
      add(fork, fork + way, 3);
      add(fork + way, fork + 3, 3);
    }
  add(last, 2, 5);
  add(last, 1, 1);
  for (std::uint32_t block = 2; block <= last; ++block) function.lines.push_back({block, "a.cpp", {1}});
  return function;
}

TEST(gcov_lines, turns_are_counted_at_once_where_many_ways_go_on_from_arcs_that_are_used_up) {
  std::vector<std::vector<std::uint64_t>> counts;
  const auto function = forks(40, counts);
  EXPECT_EQ(lines_of({function}, counts), (shown{{1, 6 + 5 + 3 + 1}})) << "three turns of block 2 alone, one of all";
}

TEST(gcov_lines, turns_are_counted_at_once_where_many_ways_lead_nowhere) {
  std::vector<std::vector<std::uint64_t>> counts;
  auto function = forks(40, counts);
  function.arcs.end()[-2].destination = 1;
  EXPECT_EQ(lines_of({function}, counts), (shown{{1, 6 + 5 + 3}})) << "three turns of block 2 alone";
}

TEST(gcov_lines, a_line_that_blocks_belong_to_ignores_blocks_that_only_mention_it) {
  auto function = loop();
  function.lines = {{2, "a.cpp", {4, 7}}, {4, "a.cpp", {4}}};
  EXPECT_EQ(lines_of({function}, {{2, 0, 0}}), (shown{{4, 0}, {7, 2}}));
}

TEST(gcov_lines, a_block_belongs_to_the_highest_line_of_a_location_in_whatever_order) {
  auto function = loop();
  function.lines = {{2, "a.cpp", {7, 4}}, {4, "a.cpp", {4}}};
  EXPECT_EQ(lines_of({function}, {{2, 0, 0}}), (shown{{4, 0}, {7, 2}}));
}

TEST(gcov_lines, the_last_block_belongs_to_no_line) {
  auto function = loop();
  function.lines = {{5, "a.cpp", {4, 8}}, {6, "a.cpp", {4}}};
  EXPECT_EQ(lines_of({function}, {{2, 0, 1}}), (shown{{4, 3}, {8, 2}}));
}

TEST(gcov_lines, functions_that_start_on_one_line_have_lines_of_their_own) {
  auto first = loop(), second = loop();
  second.ident = 10;
  second.symbol = "_Z4loopi";
  EXPECT_EQ(lines_of({first, second}, {{1, 0, 0}, {5, 0, 0}}),
            (shown{{1, 1}, {1, 5}, {2, 1}, {2, 5}, {3, 1}, {3, 5}, {4, 1}, {4, 5}}));
}

TEST(gcov_lines, artificial_functions_and_those_without_counters_are_left_out) {
  auto first = loop(), second = loop();
  first.artificial = true;
  second.ident = 10;
  const auto notes = parse_note(gcov_writer(12).note(1, "/b", {first, second}), "x.gcno").value();
  const auto counters = parse_data(gcov_writer(12).data(1, 2, {first}, {{1, 1, 1}}), "x.gcda").value();
  const auto counts = gcov_counts(notes, counters).value();
  EXPECT_TRUE(counts.lines.empty());
  EXPECT_TRUE(counts.functions.empty());
}

TEST(gcov_lines, counters_of_another_build_are_refused) {
  const auto notes = parse_note(gcov_writer(12).note(1, "/b", {loop()}), "x.gcno").value();
  auto counters = parse_data(gcov_writer(12).data(2, 2, {loop()}, {{1, 1, 1}}), "x.gcda").value();
  EXPECT_EQ(gcov_counts(notes, counters).error(),
            "the counters have the stamp 2 and the notes 1: they are not of one build; rebuild the twin");
  counters.stamp = 1;
  counters.functions[0].cfg_checksum = 4;
  EXPECT_EQ(gcov_counts(notes, counters).error(),
            "the checksums or counters of '_Z4loopv' differ between notes and counters: they are not of one build; "
            "rebuild the twin");
}

TEST(gcov_lines, whatever_notes_can_be_read_can_be_solved) {
  const auto good = gcov_writer(12).note(1, "/b", {loop(), loop()});
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    auto noisy = good;
    for (auto changes = random() % 6 + 1; changes > 0; --changes) {
      noisy[16 + random() % (noisy.size() - 16)] = static_cast<char>(random() % 12);
    }
    const auto notes = parse_note(noisy, "x.gcno");
    if (!notes) continue;
    data counters{notes->gcc, notes->stamp, 0, {}};
    module_record module{"x.gcda", gcov_writer(12).version(), notes->stamp, 0, {}};
    std::vector<counter> row;
    for (const auto& f : notes->functions) {
      const auto size = flow(f.blocks, f.arcs).counters();
      data_function values{f.ident, f.lineno_checksum, f.cfg_checksum, size, {}};
      module.functions.push_back(
          {f.ident, f.lineno_checksum, f.cfg_checksum, size, static_cast<std::uint32_t>(row.size())});
      for (std::uint32_t i = 0; i < size; ++i) {
        values.values.push_back(random());
        row.push_back({static_cast<std::uint32_t>(row.size()), random() % 3});
      }
      counters.functions.push_back(std::move(values));
    }
    const auto counts = gcov_counts(*notes, counters);
    EXPECT_TRUE(counts || !counts.error().empty());
    program_model model([&](const std::string&) -> tl::expected<std::string, std::string> { return noisy; });
    if (!model.add(module)) continue;
    for (const auto line : model.convert(row).lines) EXPECT_LT(line, model.lines().size());
  }
}

}  // namespace
}  // namespace morph::gcov
