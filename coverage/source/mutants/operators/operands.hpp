// What operators of expressions share: an operator's two sides as text.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string>

#include "coverage/source/mutants/site.hpp"

namespace morph::source {

/// `left operator right` as it is spelled: nothing if a macro hides a part, or the operator is an alternative token.
struct spelled_binary {
  text_range whole;
  std::string left;
  std::string right;
  std::string_view spelling;  // of the operator

  std::string with(std::string_view other) const {
    std::string text = left;
    text.append(" ").append(other).append(" ").append(right);
    return text;
  }
};

std::optional<spelled_binary> spell(const clang::Expr& whole, const clang::Expr& left, const clang::Expr& right,
                                    std::string_view spelling, site& at);
std::optional<spelled_binary> spell(const clang::BinaryOperator& of, site& at);

/// One side of && or || in place of both.
std::string only_side(const std::string& side);

/// A binary operator of a class, that is a function: `a == b`.
struct overloaded_binary {
  clang::OverloadedOperatorKind kind;
  spelled_binary spelled;
};
std::optional<overloaded_binary> spell_overloaded(const clang::Expr& of, site& at);

/// Whether a value of the type is one of: integers, floating point numbers (not bool).
bool is_number(clang::QualType type);

/// What a scalar is replaced by where a constant is wanted; a text that fits any place of that type. Two at most.
std::vector<std::string> constants_of(clang::QualType type, const site& at);

}  // namespace morph::source
