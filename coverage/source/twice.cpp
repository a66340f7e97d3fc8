#include "coverage/source/twice.hpp"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <string_view>

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

bool has_directives(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;) {
    at = text.find_first_not_of(" \t\r\n\f\v", at);
    if (at != std::string_view::npos && (text[at] == '#' || text.substr(at).starts_with("%:"))) return true;
  }
  return false;
}

}  // namespace

bool can_stand_twice(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  auto* const body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  if (body == nullptr || function.isConstexpr() ||
      function.getDeclaredReturnType()->getContainedDeducedType() != nullptr)
    return false;
  const clang::SourceManager& sources = context.getSourceManager();
  const auto range = clang::CharSourceRange::getTokenRange(body->getSourceRange());
  if (has_directives(clang::Lexer::getSourceText(range, sources, context.getLangOpts()))) return false;
  // #line elsewhere in the file: ours would have to count as that does.
  if (sources.getPresumedLineNumber(body->getEndLoc()) != sources.getSpellingLineNumber(body->getEndLoc()))
    return false;
  search_for_unique_things search;
  search.TraverseStmt(body);
  return !search.found;
}

}  // namespace morph::source
