// Every kind of change in tests/corpus/selection, with one compiler; ./dev bench corpus has the others.
#include "change_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace morph::end_to_end {
namespace {

const char* const expected_misses = "";
// Kinds whose plans hold tests that the change cannot affect.
const char* const expected_to_be_generous = "";

TEST(change_kinds, select_what_they_affect) {
  auto kinds = read_change_kinds(MORPH_SOURCE_DIR "/tests/corpus/selection");
  std::erase_if(kinds, [](const change_kind& kind) { return kind.detail; });
  ASSERT_GE(kinds.size(), 34u);
  std::set<std::string> missed, generous;
  for (const kind_outcome& kind : try_change_kinds(kinds, {tested_compiler(), "-O0", "doctest"})) {
    EXPECT_EQ(kind.contradicted, names()) << kind.name << ": the tests' answers are not what the kind says";
    missed.insert(kind.missed.begin(), kind.missed.end());
    if (!kind.too_many.empty()) generous.insert(kind.name);
  }
  EXPECT_EQ(fmt::format("{}", fmt::join(missed, " ")), expected_misses);
  EXPECT_EQ(fmt::format("{}", fmt::join(generous, " ")), expected_to_be_generous);
}

}  // namespace
}  // namespace morph::end_to_end
