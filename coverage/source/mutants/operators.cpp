// The list of all operators.
#include "coverage/source/mutants/operators.hpp"

#include <array>

#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

using side = std::optional<std::string>;

bool always(std::string_view, const side&) {
  return true;
}

bool without_division(std::string_view alternative, const side&) {
  return alternative.find_first_of("/%") == std::string_view::npos;
}

/// The right side of && and || may be guarded by the left one.
bool left_side(std::string_view alternative, const side& left) {
  return left && alternative == only_side(*left);
}

}  // namespace

std::span<const mutation_operator> operators() {
  static constexpr std::array<mutation_operator, 18> all{{
      {.name = "aor", .at_expression = arithmetic, .is_comparable = without_division},
      {.name = "arg", .at_expression = argument_propagation},
      {.name = "aso", .at_expression = assignment},
      {.name = "bor", .at_expression = bitwise, .is_comparable = always},
      {.name = "crp", .at_expression = constant, .is_comparable = always},
      {.name = "crr", .at_expression = call_result},
      {.name = "inc", .at_expression = increment},
      {.name = "lcr", .at_expression = connector, .is_comparable = left_side},
      {.name = "neg", .at_condition = negation, .is_comparable = always},
      {.name = "ret", .at_statement = returned, .is_comparable = always},
      {.name = "ror", .at_expression = comparison, .is_comparable = always},
      {.name = "sdl", .at_statement = statement_deletion},
      {.name = "sor", .at_expression = shift, .is_comparable = always},
      {.name = "swa", .at_expression = argument_swap},
      {.name = "swm", .at_expression = opposite_function},
      {.name = "uod", .at_expression = unary_deletion, .is_comparable = always},
      {.name = "uoi", .at_expression = unary_insertion, .is_comparable = always},
      {.name = "vcr", .at_statement = call_removal},
  }};
  return all;
}

}  // namespace morph::source
