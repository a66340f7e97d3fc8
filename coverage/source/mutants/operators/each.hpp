// The mutation operators one by one, each in the file of its name or that of its kind.
#pragma once

#include <clang/AST/Expr.h>

#include "coverage/source/mutants/site.hpp"

namespace morph::source {

void argument_propagation(const clang::Expr& node, site& at);
void argument_swap(const clang::Expr& node, site& at);
void arithmetic(const clang::Expr& node, site& at);
void assignment(const clang::Expr& node, site& at);
void bitwise(const clang::Expr& node, site& at);
void call_removal(const clang::Stmt& node, site& at);
void call_result(const clang::Expr& node, site& at);
void comparison(const clang::Expr& node, site& at);
void connector(const clang::Expr& node, site& at);
void constant(const clang::Expr& node, site& at);
void increment(const clang::Expr& node, site& at);
void negation(const clang::Expr& condition, site& at);
void opposite_function(const clang::Expr& node, site& at);
void returned(const clang::Stmt& node, site& at);
void shift(const clang::Expr& node, site& at);
void statement_deletion(const clang::Stmt& node, site& at);
void unary_deletion(const clang::Expr& node, site& at);
void unary_insertion(const clang::Expr& node, site& at);

}  // namespace morph::source
