// The mutation operators: what each of them puts in the place of a piece of code.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "coverage/source/mutants/site.hpp"

namespace morph::source {

/// What the reader of a unit asks at each node, outer ones first. Each has a file in operators/, an annotated source in
/// tests/source/operators, and its facts in coverage/mutation/operator_table.cpp.
struct mutation_operator {
  std::string_view name;
  void (*at_expression)(const clang::Expr&, site&) = nullptr;
  void (*at_condition)(const clang::Expr&, site&) = nullptr;  // of if, loops and ?:
  void (*at_statement)(const clang::Stmt&, site&) = nullptr;  // one that stands alone
  /// Whether an alternative evaluates only what the original does, and constants: what can go wrong there has gone
  /// wrong in the original, so that both values can be compared. `left`: the text of the left side. Without it: never.
  bool (*is_comparable)(std::string_view alternative, const std::optional<std::string>& left) = nullptr;
};

std::span<const mutation_operator> operators();

/// The extreme transformations of a function's body (Descartes): one return of a constant, or nothing. Returns why none
/// fits.
std::string_view transform_body(const clang::FunctionDecl& function, site& at);

}  // namespace morph::source
