// Every kind of change in tests/corpus/selection, with one compiler; ./dev bench corpus has the others.
#include "change_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace morph::end_to_end {
namespace {

// What line rules cannot see (docs/ARCHITECTURE.md, "Known limits of line rules").
const char* const expected_misses =
    "constexpr_function.Scaled.AtCompileTime "
    "weak_definition_overridden.Hook.IsCalled";
// Kinds in which line rules select tests that the change cannot affect.
const char* const expected_to_be_generous =
    "alias_width base_class_added catch_type comment_only concept_condition constexpr_constant constexpr_if "
    "data_file default_argument enum_value explicit_removed generated_source inline_variable layout_new_member "
    "line_shift_above_assert line_shift_above_expectations macro_value noexcept_added operator_new_overload "
    "overload_better reformat_only rename_local reorder_functions sfinae_condition static_local string_table "
    "table_constant template_specialization_new test_new test_removed tuple_size user_defined_literal "
    "virtual_override_new weak_definition_overridden";

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
