// Where in a test an assertion on an expression can stand.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace morph::source {

/// An expression of a test, as it is written in the main file of the unit; both from 1, columns are bytes.
struct asked_expression {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text{};  // blanks do not count
};

enum class placing : std::uint8_t {
  none,    // an assertion cannot stand there: `why_not`
  before,  // on `expression`, before the statement: it has its value since then
  after,   // on `expression`, which the statement gives a value
  hoist,   // the expression gets a name before the statement, and is replaced by that
};

struct placed_expression {
  placing how = placing::none;
  std::string why_not{};
  std::string macro{};               // of the test: TEST_F, TEST_CASE
  std::string expression{};          // what is asserted; of hoist: a name that is free there
  std::uint32_t begin = 0, end = 0;  // bytes of the statement, with its semicolon
  std::uint32_t from = 0, to = 0;    // of hoist: bytes of the expression; the statement's if it is nothing else
  bool is_whole_statement = false;   // of hoist
  bool is_boolean = false, is_real = false, is_single = false, is_unsigned = false;
  bool is_pointer = false, is_text = false;  // is_text: a pointer to characters
};

/// One for each question. Changes nothing. Costs a walk over the unit's functions, and Clang's table of parents.
std::vector<placed_expression> place_assertions(clang::ASTContext& context, const std::vector<asked_expression>& asked);

nlohmann::json to_json(const std::vector<placed_expression>& all);

}  // namespace morph::source
