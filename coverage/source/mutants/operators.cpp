// The list of all operators.
#include "coverage/source/mutants/operators.hpp"

#include <array>

#include "coverage/source/mutants/operators/each.hpp"

namespace morph::source {

std::span<const mutation_operator> operators() {
  static constexpr std::array<mutation_operator, 18> all{{
      {.name = "aor", .at_expression = arithmetic},
      {.name = "arg", .at_expression = argument_propagation},
      {.name = "aso", .at_expression = assignment},
      {.name = "bor", .at_expression = bitwise},
      {.name = "crp", .at_expression = constant},
      {.name = "crr", .at_expression = call_result},
      {.name = "inc", .at_expression = increment},
      {.name = "lcr", .at_expression = connector},
      {.name = "neg", .at_condition = negation},
      {.name = "ret", .at_statement = returned},
      {.name = "ror", .at_expression = comparison},
      {.name = "sdl", .at_statement = statement_deletion},
      {.name = "sor", .at_expression = shift},
      {.name = "swa", .at_expression = argument_swap},
      {.name = "swm", .at_expression = opposite_function},
      {.name = "uod", .at_expression = unary_deletion},
      {.name = "uoi", .at_expression = unary_insertion},
      {.name = "vcr", .at_statement = call_removal},
  }};
  return all;
}

}  // namespace morph::source
