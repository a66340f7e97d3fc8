// Entries of a series, whole, torn and damaged.
#include "plugin/spool/series.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace morph::spool {
namespace {

using morph_probe::of_every_case;
using morph_probe::series_entry;
using morph_probe::series_table;
using functions = std::vector<std::uint32_t>;

/// With one table.
std::string entry_of(std::uint32_t number, std::uint32_t flags, const std::string& key, const functions& entered,
                     series_entry values = {}) {
  const series_table table{static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(entered.size())};
  std::string rest(reinterpret_cast<const char*>(&table), sizeof table);
  rest += key;
  rest.resize((rest.size() + 3) / 4 * 4);
  rest.append(reinterpret_cast<const char*>(entered.data()), entered.size() * sizeof entered[0]);
  rest.resize((rest.size() + 7) / 8 * 8);
  values.number = number;
  values.flags = flags;
  values.tables = 1;
  values.size = static_cast<std::uint32_t>(sizeof values + rest.size());
  return std::string(reinterpret_cast<const char*>(&values), sizeof values) + rest;
}

std::string two_tests() {
  series_entry first{};
  first.variables[1] = 6;
  first.status = 256;
  return entry_of(of_every_case, 0, "abc", {7}) +
         entry_of(0, morph_probe::is_end | morph_probe::ended_by_itself, "abc", {3, 9}, first) +
         entry_of(1, morph_probe::is_end | morph_probe::of_restored, "abcde", {1});
}
const std::string variables("FIRST\0ALL\0", 10);
const std::map<std::string, functions> at_start{{"abc", {5}}};

TEST(SeriesRows, HaveTheirOwnAndWhatBelongsToAll) {
  auto rows = read_series(two_tests(), variables, "", at_start);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].entered["abc"], (functions{3, 5, 7, 9}));
  EXPECT_EQ(rows[0].variables, (std::vector<std::string>{"ALL", "FIRST"}));
  EXPECT_TRUE(rows[0].has_ended && rows[0].ended_by_itself && !rows[0].is_of_restored);
  EXPECT_EQ(rows[0].status, 256);
  EXPECT_EQ(rows[1].entered["abc"], (functions{5, 7}));
  EXPECT_EQ(rows[1].entered["abcde"], functions{1});
  EXPECT_EQ(rows[1].variables, std::vector<std::string>{"ALL"});
  EXPECT_TRUE(rows[1].is_of_restored);
  EXPECT_EQ(rows[of_all].entered["abc"], (functions{5, 7}));
}

TEST(SeriesRows, WithoutTheEntryOfAllThereAreNone) {
  EXPECT_TRUE(read_series(entry_of(0, morph_probe::is_end, "abc", {3}), "", "", at_start).empty());
}

TEST(SeriesRows, OfATornFileAreThoseThatAreWhole) {
  const std::string whole = two_tests();
  const std::size_t last = entry_of(1, 0, "abcde", {1}).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto rows = read_series(whole.substr(0, size), variables, "", at_start);
    EXPECT_FALSE(rows.contains(1)) << size;
    EXPECT_EQ(rows.contains(0), size >= whole.size() - last) << size;
  }
}

TEST(SeriesRows, ANameThatGoesBeyondItsEntryIsOfNoRow) {
  std::string bytes = entry_of(of_every_case, 0, "abc", {7}) + entry_of(0, morph_probe::is_end, "abc", {3});
  const std::uint32_t much = ~0U;
  std::memcpy(bytes.data() + bytes.size() / 2 + sizeof(series_entry), &much, sizeof much);
  EXPECT_FALSE(read_series(bytes, "", "", at_start).contains(0));
}

TEST(SeriesRows, ANameOfAVariableMayHaveBeenCutOff) {
  std::set<std::string> names;
  add_names(std::string("WHOLE\0HAL", 9), names);
  EXPECT_EQ(names, (std::set<std::string>{"HAL", "WHOLE"}));
}

TEST(SeriesRows, OfDamagedBytesReadNothingElse) {
  std::mt19937 random(7);
  const std::uint32_t words[]{0, 1, 8, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff};
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = two_tests();
    for (auto changes = random() % 4 + 1; changes > 0; --changes)
      std::memcpy(bytes.data() + random() % (bytes.size() / 4) * 4, &words[random() % std::size(words)], 4);
    for (const auto& [number, row] : read_series(bytes, variables, "", at_start))
      for (const auto& [key, entered] : row.entered) EXPECT_LT(entered.size(), bytes.size());
  }
}

}  // namespace
}  // namespace morph::spool
