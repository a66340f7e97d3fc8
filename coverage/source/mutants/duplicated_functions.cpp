// Statements that keep a body from standing twice.
#include "coverage/source/mutants/duplicated_functions.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

namespace morph::source {
namespace {

class search_for_unique_things : public clang::RecursiveASTVisitor<search_for_unique_things> {
 public:
  bool found = false;

  bool VisitVarDecl(clang::VarDecl* of) { return go_on(!of->isStaticLocal()); }
  bool VisitLabelStmt(clang::LabelStmt*) { return go_on(false); }
  bool VisitAsmStmt(clang::AsmStmt*) { return go_on(false); }
  bool VisitCoroutineBodyStmt(clang::CoroutineBodyStmt*) { return go_on(false); }

 private:
  bool go_on(bool can) {
    found = found || !can;
    return !found;
  }
};

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
  search_for_unique_things search;
  search.TraverseStmt(body);
  return !search.found;
}

}  // namespace morph::source
