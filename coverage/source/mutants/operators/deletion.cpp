// sdl: a statement deleted; vcr: a call of a void function removed.
//
// Never a return, a throw, a break or a declaration: what follows would not be what anybody could have written by
// mistake, or could not be compiled.
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "coverage/source/mutants/operators/each.hpp"

namespace morph::source {
namespace {

const clang::Expr* bare(const clang::Stmt& node) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(&node);
  return expression == nullptr ? nullptr : expression->IgnoreImplicit();
}

bool is_void_call(const clang::Expr& of) {
  return llvm::isa<clang::CallExpr>(of) && of.getType()->isVoidType();
}

void remove(const clang::Stmt& node, std::string_view op, site& at) {
  auto where = at.range(node);
  if (!where || where->in_macro || at.in_single_return()) return;
  const auto rest = at.original({where->file, where->end, static_cast<std::uint32_t>(-1)});
  const auto semicolon = rest.find_first_not_of(" \t\r\n");
  if (semicolon == std::string_view::npos || rest[semicolon] != ';') return;
  where->end += static_cast<std::uint32_t>(semicolon) + 1;
  at.propose(*where, mutation::place_kind::statement, {}, op, {});
}

}  // namespace

void statement_deletion(const clang::Stmt& node, site& at) {
  const clang::Expr* const of = bare(node);
  if (of == nullptr ? !llvm::isa<clang::ContinueStmt>(node)
                    : llvm::isa<clang::CXXThrowExpr, clang::CoroutineSuspendExpr>(of) || is_void_call(*of))
    return;
  remove(node, "sdl", at);
}

void call_removal(const clang::Stmt& node, site& at) {
  if (const clang::Expr* const of = bare(node); of != nullptr && is_void_call(*of)) remove(node, "vcr", at);
}

}  // namespace morph::source
