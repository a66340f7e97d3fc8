// Statements that keep a body from standing twice.
#include "coverage/source/mutants/duplicated_functions.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

bool is_unique(const clang::Stmt& of) {
  return llvm::isa<clang::LabelStmt, clang::AsmStmt, clang::CoroutineBodyStmt>(of);
}

bool is_unique(const clang::Decl& of) {
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(&of);
  return variable != nullptr && variable->isStaticLocal();
}

}  // namespace

bool can_stand_twice(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  auto* const body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  if (body == nullptr || function.isConstexpr() ||
      function.getDeclaredReturnType()->getContainedDeducedType() != nullptr)
    return false;
  const clang::SourceManager& sources = context.getSourceManager();
  // #line elsewhere in the file: ours would have to count as that does.
  if (sources.getPresumedLineNumber(body->getEndLoc()) != sources.getSpellingLineNumber(body->getEndLoc()))
    return false;
  bool found = false;
  const auto goes_on = [&found](const auto& of) { return !(found = found || is_unique(of)); };
  walk(body, {.statement = goes_on, .declaration = goes_on});
  return !found;
}

}  // namespace morph::source
