// Every kind of change in tests/corpus/selection, with one compiler; ./dev bench corpus has the others.
#include "change_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <vector>

namespace morph::end_to_end {
namespace {

const char* const expected_misses = "";
// Kinds whose plans hold tests that the change cannot affect: at -O2 with GoogleTest the twin's plans have them, too.
const std::set<std::string> generous_by_probes{"constexpr_if", "default_argument", "overload_better",
                                               "sfinae_condition", "template_specialization_new"};

constexpr std::size_t parts = 3;

/// One of `every` kinds of each part.
void try_part(std::size_t part, const corpus_setting& setting, std::size_t every = 1) {
  auto all = read_change_kinds(MORPH_SOURCE_DIR "/tests/corpus/selection");
  std::erase_if(all, [](const change_kind& kind) { return kind.detail; });
  ASSERT_GE(all.size(), 34u);
  std::vector<change_kind> kinds;
  for (std::size_t i = part; i < all.size(); i += parts * every) kinds.push_back(all[i]);
  std::set<std::string> missed, generous;
  for (const kind_outcome& kind : try_change_kinds(kinds, setting)) {
    EXPECT_EQ(kind.contradicted, names()) << kind.name << ": the tests' answers are not what the kind says";
    missed.insert(kind.missed.begin(), kind.missed.end());
    EXPECT_EQ(kind.missed_early, names()) << kind.name << ": before the build";
    if (!kind.too_many.empty()) generous.insert(kind.name);
  }
  EXPECT_EQ(fmt::format("{}", fmt::join(missed, " ")), expected_misses);
  std::set<std::string> expected;
  for (const change_kind& kind : kinds)
    if (setting.evidence == "probes" && generous_by_probes.contains(kind.name)) expected.insert(kind.name);
  EXPECT_EQ(fmt::format("{}", fmt::join(generous, " ")), fmt::format("{}", fmt::join(expected, " ")));
}

class change_kinds : public testing::TestWithParam<std::size_t> {};

// Half of the kinds, and below a quarter: they take long. ./dev bench corpus tries all.
TEST_P(change_kinds, select_what_they_affect) {
  try_part(GetParam(), {tested_compiler(), "-O0", "doctest"}, 2);
}

TEST_P(change_kinds, select_what_they_affect_by_probes) {
  try_part(GetParam(), {tested_compiler(), "-O2", "gtest", "probes"});
}

TEST_P(change_kinds, select_what_they_affect_by_blocks) {
  try_part(GetParam(), {tested_compiler(), "-O0", "gtest", "blocks"}, 4);
}

INSTANTIATE_TEST_SUITE_P(part, change_kinds, testing::Range<std::size_t>(0, parts));

}  // namespace
}  // namespace morph::end_to_end
