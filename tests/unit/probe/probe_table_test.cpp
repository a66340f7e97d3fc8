// Which functions a table has, and what cannot have one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "coverage/probe/table.hpp"
#include "tests/unit/probe/probed_run.hpp"

namespace morph::probe::tests {
namespace {

using morph_probe::probe_kind;

const std::filesystem::path programs = PROGRAMS;

const probed_function* find(const probe_table& table, std::string_view name) {
  for (const probed_function& f : table.functions)
    if (std::ranges::find(f.names, name) != f.names.end()) return &f;
  return nullptr;
}

class ProbeTable : public ::testing::Test {
 protected:
  const std::string file_ = contents(programs / "probe_hazards_O0_fixed");
};

TEST_F(ProbeTable, HasTheProgramsFunctionsAndNotThoseOfItsStart) {
  const auto table = make_table(file_, "file");
  ASSERT_TRUE(table) << table.error();
  EXPECT_NE(find(*table, "main"), nullptr);
  EXPECT_NE(find(*table, "never_called"), nullptr);
  EXPECT_EQ(find(*table, "_start"), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(table->functions, {}, &probed_function::address));
  const auto view = morph_probe::view_table(table->bytes.data());
  EXPECT_EQ(view.header->functions, table->functions.size());
  EXPECT_EQ(view.header->text_offset + view.header->text_size, table->bytes.size());
}

TEST_F(ProbeTable, LeavesWhatEveryTestEntersWithoutProbes) {
  const auto all = make_table(file_, "file");
  const probed_function& main_function = *find(*all, "main");
  const auto number = static_cast<std::size_t>(&main_function - all->functions.data());
  earlier_rows earlier;
  earlier.of_every_test.resize(number + 1);
  earlier.of_every_test[number] = true;
  const auto table = make_table(file_, "file", earlier);
  EXPECT_NE(main_function.kind, probe_kind::none);
  EXPECT_EQ(find(*table, "main")->kind, probe_kind::none);
  const auto byte_at = [&](const probe_table& of) {
    const auto view = morph_probe::view_table(of.bytes.data());
    return of.bytes[view.header->text_offset + main_function.address - view.header->text_address];
  };
  EXPECT_NE(byte_at(*all), byte_at(*table));
}

TEST_F(ProbeTable, KnowsThePagesThatManyRowsWriteTo) {
  const auto all = make_table(file_, "file");
  std::vector<std::string> rows(4, std::string(all->functions.size(), '\0'));
  const auto main_number = static_cast<std::size_t>(find(*all, "main") - all->functions.data());
  rows[1][main_number] = 1;
  earlier_rows earlier;
  earlier.rows = rows;
  const auto table = make_table(file_, "file", earlier);
  const auto view = morph_probe::view_table(table->bytes.data());
  ASSERT_EQ(view.header->hot_runs, 1U);
  EXPECT_EQ(view.hot[0], (find(*all, "main")->address - view.header->text_address) / morph_probe::page_size);
  rows.resize(5, rows[0]);
  earlier.rows = rows;
  EXPECT_EQ(morph_probe::view_table(make_table(file_, "file", earlier)->bytes.data()).header->hot_runs, 0U);
}

TEST_F(ProbeTable, SaysWhatCannotHaveOne) {
  const auto error_of = [](const std::string& bytes) {
    const auto table = make_table(bytes, "file");
    return table ? std::string() : table.error();
  };
  EXPECT_EQ(error_of("text"), "'file' can have no probes: it is no ELF file");
  EXPECT_EQ(error_of(contents(programs / "probe_helper_static")), "'file' can have no probes: it is static");
  EXPECT_NE(error_of(file_.substr(0, 5000)), "");
}

TEST_F(ProbeTable, OfAnyDamageIsAnErrorOrATable) {
  std::string damaged = file_.substr(0, file_.size());
  for (std::size_t at = 0; at < 4000; at += 3) {
    const char before = damaged[at];
    damaged[at] = static_cast<char>(~before);
    static_cast<void>(make_table(damaged, "file"));
    static_cast<void>(key_of(damaged, "file"));
    damaged[at] = before;
  }
}

TEST(FunctionOf, TakesWhatOptimizersAddAway) {
  EXPECT_EQ(function_of("_Z1fi"), "_Z1fi");
  EXPECT_EQ(function_of("_Z1fi.part.0"), "_Z1fi");
  EXPECT_EQ(function_of("_Z1fi.constprop.0.isra.0"), "_Z1fi");
  EXPECT_EQ(function_of("_Z1fi.cold"), "_Z1fi");
  EXPECT_TRUE(is_entered_by_jumps("_Z1fi.cold"));
  EXPECT_FALSE(is_entered_by_jumps("_Z4coldv"));
}

}  // namespace
}  // namespace morph::probe::tests
