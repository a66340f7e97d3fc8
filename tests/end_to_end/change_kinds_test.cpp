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
    "alias_width attribute_only base_class_added catch_type class_renamed comment_only comparison_defaulted "
    "concept_condition constexpr_constant constexpr_if constexpr_in_another_constant copy_becomes_move "
    "data_file default_argument default_template_argument destructor_new enum_value explicit_removed "
    "found_by_argument generated_source include_new initial_value inline_variable lambda_new_before_others "
    "layout_bit_field layout_new_member line_number_value line_shift_above_assert line_shift_above_expectations "
    "macro_continued_in_test macro_value member_initializer member_initializer_of_aggregate noexcept_added "
    "noexcept_asked operator_new_overload overload_better reformat_only rename_local reorder_functions "
    "sfinae_condition static_assert_new static_local string_table structured_binding table_constant "
    "table_of_functions table_size template_parameter_new template_specialization_new test_new test_removed "
    "test_value_changed test_values thread_local_value tuple_size unused_function_new user_defined_literal "
    "using_directive virtual_override_new virtual_override_removed weak_definition_overridden";

TEST(change_kinds, select_what_they_affect) {
  const auto kinds = read_change_kinds(MORPH_SOURCE_DIR "/tests/corpus/selection");
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
