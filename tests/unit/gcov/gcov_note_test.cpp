// The reader of GCC's notes: both layouts, what it refuses, and foreign bytes.
#include <gtest/gtest.h>

#include <random>

#include "coverage/gcov/note.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace morph::gcov {
namespace {
using gcov_support::gcov_writer;
using gcov_support::written_function;

constexpr std::uint32_t tree = 1, fake = 2, fall = 4;

std::vector<written_function> noted_functions() {
  return {{7,
           8,
           9,
           "_Z4signi",
           false,
           "src/sign.cpp",
           3,
           6,
           5,
           {{0, 2, fall}, {2, 3, 0}, {2, 4, tree | fall}, {3, 1, tree}, {4, 1, tree}, {3, 1, tree | fake}},
           {{2, "src/sign.cpp", {3, 4}},
            {3, "src/sign.cpp", {5}},
            {3, "/usr/include/x.h", {90, 91}},
            {4, "src/sign.cpp", {6}}}},
          {10, 11, 12, "_ZN1aC2Ev", true, "a.hpp", 1, 1, 3, {{0, 2, fall}, {2, 1, tree}}, {{2, "a.hpp", {1}}}}};
}

std::string note_bytes(int gcc = 12) {
  return gcov_writer(gcc).note(0x1234, "/build", noted_functions());
}

TEST(gcov_note, gives_back_what_gcc_11_and_gcc_12_write) {
  for (const int gcc : {11, 12}) {
    SCOPED_TRACE(gcc);
    const auto parsed = parse_note(note_bytes(gcc), "x.gcno");
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(parsed->gcc, gcc);
    EXPECT_EQ(parsed->stamp, 0x1234U);
    EXPECT_EQ(parsed->cwd, "/build");
    EXPECT_EQ(parsed->files, (std::vector<std::string>{"src/sign.cpp", "/usr/include/x.h", "a.hpp"}));
    ASSERT_EQ(parsed->functions.size(), 2U);
    const auto& sign = parsed->functions[0];
    EXPECT_EQ(sign.ident, 7U);
    EXPECT_EQ(sign.lineno_checksum, 8U);
    EXPECT_EQ(sign.cfg_checksum, 9U);
    EXPECT_EQ(sign.symbol, "_Z4signi");
    EXPECT_FALSE(sign.artificial);
    EXPECT_EQ(sign.file, 0U);
    EXPECT_EQ(sign.start_line, 3U);
    EXPECT_EQ(sign.start_column, 3U);
    EXPECT_EQ(sign.end_line, 6U);
    EXPECT_EQ(sign.end_column, 4U);
    EXPECT_EQ(sign.blocks, 5U);
    ASSERT_EQ(sign.arcs.size(), 6U);
    EXPECT_TRUE(!sign.arcs[0].on_tree && !sign.arcs[0].fake && sign.arcs[0].fall_through);
    EXPECT_TRUE(sign.arcs[2].on_tree && sign.arcs[2].source == 2 && sign.arcs[2].destination == 4);
    EXPECT_TRUE(sign.arcs[5].on_tree && sign.arcs[5].fake && !sign.arcs[5].fall_through);
    EXPECT_EQ(sign.lines, (std::vector<std::uint32_t>{3, 4, 5, 90, 91, 6}));
    ASSERT_EQ(sign.locations.size(), 4U);
    EXPECT_EQ(sign.locations[2].block, 3U);
    EXPECT_EQ(sign.locations[2].file, 1U);
    EXPECT_EQ(sign.locations[2].first, 3U);
    EXPECT_EQ(sign.locations[2].count, 2U);
    EXPECT_TRUE(parsed->functions[1].artificial);
    EXPECT_EQ(parsed->functions[1].file, 2U);
  }
}

TEST(gcov_note, a_version_without_a_reader_is_named) {
  EXPECT_EQ(parse_note(gcov_writer(17).note(1, "/b", {}), "/b/x.gcno").error(),
            "gcc 17 notes are not supported yet: '/b/x.gcno' (versions 11 to 16 are)");
  EXPECT_EQ(parse_note(gcov_writer(9).note(1, "/b", {}), "/b/x.gcno").error(),
            "gcc 9 notes are not supported yet: '/b/x.gcno' (versions 11 to 16 are)");
}

TEST(gcov_note, a_version_word_that_is_none_is_shown) {
  auto bytes = note_bytes();
  bytes[7] = '4';
  EXPECT_EQ(parse_note(bytes, "x.gcno").error(),
            "'x.gcno' has the version word 0x3432322a, which is no version of gcc");
}

TEST(gcov_note, counters_are_not_taken_for_notes) {
  EXPECT_EQ(parse_note(gcov_writer(12).data(1, 2, {}, {}), "x.gcno").error(),
            "'x.gcno' does not hold gcc notes: it starts with 0x67636461, not with 0x67636e6f");
}

TEST(gcov_note, another_byte_order_is_told_apart_from_damage) {
  auto bytes = note_bytes();
  std::swap(bytes[0], bytes[3]);
  std::swap(bytes[1], bytes[2]);
  EXPECT_EQ(parse_note(bytes, "x.gcno").error(),
            "the notes 'x.gcno' were written on a machine with another byte order: build and measure on one machine");
}

TEST(gcov_note, a_graph_that_does_not_hang_together_is_refused) {
  auto functions = noted_functions();
  functions[1].blocks = 4'000'000'000;
  EXPECT_EQ(parse_note(gcov_writer(12).note(1, "/b", functions), "x.gcno").error(),
            "the notes 'x.gcno' are damaged near byte 575: '_ZN1aC2Ev' has 4000000000 blocks, but only 2 arcs between "
            "them; rebuild the twin");
}

TEST(gcov_note, arcs_and_lines_of_blocks_that_do_not_exist_are_refused) {
  auto functions = noted_functions();
  functions[1].arcs[1].destination = 3;
  const auto to = parse_note(gcov_writer(11).note(1, "/b", functions), "x.gcno");
  ASSERT_FALSE(to);
  EXPECT_NE(to.error().find("an arc to block 3 of '_ZN1aC2Ev', which has 3 blocks"), std::string::npos) << to.error();
  functions = noted_functions();
  functions[1].arcs[1].source = 9;
  const auto from = parse_note(gcov_writer(11).note(1, "/b", functions), "x.gcno");
  ASSERT_FALSE(from);
  EXPECT_NE(from.error().find("arcs from block 9 of '_ZN1aC2Ev', which has 3 blocks"), std::string::npos);
  functions = noted_functions();
  functions[1].lines[0].block = 5;
  const auto lines = parse_note(gcov_writer(11).note(1, "/b", functions), "x.gcno");
  ASSERT_FALSE(lines);
  EXPECT_NE(lines.error().find("lines of block 5 of '_ZN1aC2Ev', which has 3 blocks"), std::string::npos);
}

TEST(gcov_note, conditions_have_a_block_each_and_at_most_64_terms) {
  const auto with = [](const std::vector<std::uint32_t>& words) {
    auto bytes = gcov_writer(14).note(1, "/b", noted_functions());
    const auto append = [&](std::uint32_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); };
    append(0x01470000);
    append(static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t)));
    for (const auto word : words) append(word);
    return parse_note(bytes, "x.gcno");
  };
  const auto parsed = with({1, 64, 0, 2});
  ASSERT_TRUE(parsed) << parsed.error();
  const auto& conditions = parsed->functions.back().conditions;
  ASSERT_EQ(conditions.size(), 2U);
  EXPECT_EQ(conditions[0].block, 1U);
  EXPECT_EQ(conditions[0].terms, 64U);
  EXPECT_EQ(conditions[1].terms, 2U);
  EXPECT_NE(with({1, 65}).error().find("a condition of 65 terms at block 1"), std::string::npos);
  EXPECT_NE(with({9, 2}).error().find("a condition of 2 terms at block 9"), std::string::npos);
  EXPECT_NE(with({1, 2, 1, 3}).error().find("two conditions at block 1"), std::string::npos);
  EXPECT_FALSE(with({1}));
}

TEST(gcov_note, damage_says_what_is_damaged) {
  // A record of these words behind those of a whole note, or in the place of all its functions.
  const auto error_with = [](std::uint32_t tag, const std::vector<std::uint32_t>& words, bool alone = false) {
    auto bytes = gcov_writer(12).note(1, "/b", alone ? std::vector<written_function>{} : noted_functions());
    const auto append = [&](std::uint32_t word) { bytes.append(reinterpret_cast<const char*>(&word), sizeof word); };
    append(tag);
    append(static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t)));
    for (const auto word : words) append(word);
    const auto parsed = parse_note(bytes, "x.gcno");
    const std::string start = parsed ? "" : parsed.error().substr(parsed.error().find(": ") + 2);
    return parsed ? "read" : start.substr(0, start.find(';'));
  };
  constexpr std::uint32_t blocks = 0x01410000, arcs = 0x01430000, lines = 0x01450000, conditions = 0x01470000,
                          unknown = 0x01490000;
  EXPECT_EQ(error_with(unknown, {1, 2, 3}), "read");
  EXPECT_EQ(error_with(unknown, {1, 2, 3}, true), "read");
  for (const std::uint32_t tag : {blocks, arcs, lines, conditions})
    EXPECT_EQ(error_with(tag, {0, 0}, true), "blocks, arcs, lines or conditions before any function");
  EXPECT_EQ(error_with(blocks, {3}), "the number of blocks of '_ZN1aC2Ev' is cut off or given twice");
  EXPECT_EQ(error_with(arcs, {2, 1}), "arcs from block 2 of '_ZN1aC2Ev', which has 3 blocks");
  EXPECT_EQ(error_with(arcs, {3}), "arcs from block 3 of '_ZN1aC2Ev', which has 3 blocks");
  EXPECT_EQ(error_with(arcs, {2}), "read");
  EXPECT_EQ(error_with(lines, {3}), "lines of block 3 of '_ZN1aC2Ev', which has 3 blocks");
  EXPECT_EQ(error_with(lines, {2, 5}), "a line without a file in '_ZN1aC2Ev'");
  EXPECT_EQ(error_with(lines, {2, 0, 9}), "the name of a file in '_ZN1aC2Ev' is cut off");
  EXPECT_EQ(error_with(conditions, {3, 1}), "a condition of 1 terms at block 3 of '_ZN1aC2Ev', which has 3 blocks");
  EXPECT_EQ(error_with(conditions, {2, 1, 1, 1, 2, 2}), "two conditions at block 2 of '_ZN1aC2Ev'");
}

TEST(gcov_note, a_folder_longer_than_any_path_is_refused) {
  const std::string longest(4096, 'x');
  EXPECT_TRUE(parse_note(gcov_writer(12).note(1, longest, noted_functions()), "x.gcno"));
  EXPECT_EQ(parse_note(gcov_writer(12).note(1, longest + "x", noted_functions()), "x.gcno").error(),
            "the notes 'x.gcno' are damaged near byte 4122: the path of a folder has 4097 bytes; rebuild the twin");
}

TEST(gcov_note, truncated_at_every_length_it_is_an_error_or_ends_between_records) {
  for (const int gcc : {11, 12}) {
    const auto bytes = note_bytes(gcc);
    std::size_t read = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto parsed = parse_note(std::string(bytes, 0, size), "x.gcno");
      EXPECT_TRUE(parsed || parsed.error().find("'x.gcno'") != std::string::npos) << size;
      read += parsed ? 1 : 0;
    }
    // After the header and after every whole record that leaves a function with a believable number of blocks.
    EXPECT_EQ(read, 17U) << gcc;
  }
}

TEST(gcov_note, no_flipped_bit_and_no_garbage_does_harm) {
  for (const int gcc : {11, 12}) {
    const auto bytes = note_bytes(gcc);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      auto flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const auto parsed = parse_note(flipped, "x.gcno");
      EXPECT_TRUE(parsed || !parsed.error().empty());
    }
    std::mt19937 random(17);
    for (int round = 0; round < 3000; ++round) {
      auto noisy = bytes;
      for (auto changes = random() % 8 + 1; changes > 0; --changes) {
        noisy[16 + random() % (noisy.size() - 16)] = static_cast<char>(random());
      }
      const auto parsed = parse_note(noisy, "x.gcno");
      if (!parsed) continue;
      for (const auto& function : parsed->functions) EXPECT_LE(function.blocks, function.arcs.size() + 16);
    }
  }
}

TEST(gcov_note, a_path_is_resolved_against_the_folder_of_the_compilation) {
  EXPECT_EQ(resolved_path("/build/x", "../src/./a.cpp"), "/build/src/a.cpp");
  EXPECT_EQ(resolved_path("/build/x", "/usr/../usr/include/a.h"), "/usr/include/a.h");
}

}  // namespace
}  // namespace morph::gcov
