// Which functions a table has, and what cannot have one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "coverage/probe/table.hpp"
#include "tests/unit/probe/probed_run.hpp"

namespace morph::probe::tests {
namespace {

using morph_probe::probe_kind;

const std::filesystem::path built_programs = PROGRAMS;

const probed_function* find(const probe_table& table, std::string_view name) {
  for (const probed_function& f : table.functions)
    if (std::ranges::find(f.names, name) != f.names.end()) return &f;
  return nullptr;
}

class ProbeTable : public ::testing::Test {
 protected:
  const std::string file_ = contents(built_programs / "probe_hazards_O0_fixed");
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
  const auto table = make_table(file_, "file", {"never_called", "main"});
  const probed_function &before = *find(*all, "never_called"), &after = *find(*table, "never_called");
  EXPECT_NE(before.kind, probe_kind::none);
  EXPECT_EQ(after.kind, probe_kind::none);
  EXPECT_TRUE(after.is_of_every_test && !before.is_of_every_test);
  EXPECT_FALSE(find(*table, "main")->is_of_every_test) << "a hook";
  const auto byte_at = [&](const probe_table& of) {
    const auto view = morph_probe::view_table(of.bytes.data());
    return of.bytes[view.header->text_offset + before.address - view.header->text_address];
  };
  EXPECT_NE(byte_at(*all), byte_at(*table));
}

TEST_F(ProbeTable, KnowsNotWhichOfTwoFunctionsOfANameIsMeant) {
  const std::string file = contents(built_programs / "probe_series");
  const auto all = make_table(file, "file");
  std::map<std::string_view, int> times;
  for (const probed_function& f : all->functions)
    for (const std::string_view name : f.names) ++times[function_of(name)];
  const auto several = std::ranges::find_if(times, [](const auto& t) { return t.second > 1; });
  if (several == times.end()) GTEST_SKIP() << "this compiler has split no function of GoogleTest";
  const auto table = make_table(file, "file", {std::string(several->first)});
  for (const probed_function& f : table->functions) EXPECT_FALSE(f.is_of_every_test);
}

TEST_F(ProbeTable, SaysWhatCannotHaveOne) {
  const auto error_of = [](const std::string& bytes) {
    const auto table = make_table(bytes, "file");
    return table ? std::string() : table.error();
  };
  EXPECT_EQ(error_of("text"), "'file' can have no probes: it is no ELF file");
  EXPECT_NE(error_of(file_.substr(0, 5000)), "");
}

TEST_F(ProbeTable, OfAStaticProgramHasBreakpointsAlone) {
  const std::string file = contents(built_programs / "probe_helper_static");
  const auto table = make_table(file, "file");
  ASSERT_TRUE(table) << table.error();
  EXPECT_GT(table->functions.size(), 100U) << "those of libc count";
  std::map<morph_probe::probe_kind, std::size_t> kinds;
  for (const probed_function& f : table->functions) ++kinds[f.kind];
  EXPECT_GT(kinds[morph_probe::probe_kind::trap], table->functions.size() / 2);
  EXPECT_EQ(kinds[morph_probe::probe_kind::trap] + kinds[morph_probe::probe_kind::none], table->functions.size());
  const auto view = morph_probe::view_table(table->bytes.data());
  EXPECT_EQ(view.header->flags & morph_probe::is_static, morph_probe::is_static);
  ASSERT_GE(view.header->hooks, 1U);
  for (std::uint32_t h = 0; h < view.header->hooks; ++h)
    EXPECT_EQ(view.hooks[h].role, morph_probe::hook_role::get_variable);
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
