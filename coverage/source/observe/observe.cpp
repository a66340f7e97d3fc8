// Looks for the functions and test bodies that are asked for.
#include "coverage/source/observe/observe.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/mutants/test_code.hpp"
#include "coverage/source/observe/calls.hpp"
#include "coverage/source/observe/expressions.hpp"
#include "coverage/source/observe/rows.hpp"
#include "coverage/source/observe/written.hpp"

namespace morph::source {
namespace {

/// Its name, or what stands in front of it, is a macro's.
bool is_case(const clang::FunctionDecl& of) {
  return of.getLocation().isMacroID() || of.getBeginLoc().isMacroID();
}

}  // namespace

unit_points find_points(clang::ASTContext& context, const file_choice& chosen, const observed_code& what) {
  const clang::SourceManager& sources = context.getSourceManager();
  written_code code(context, chosen);
  type_rows rows(context);
  test_code tests(context, chosen.root);
  unit_points found;
  test_expressions expressions(context, code, rows, found.files);

  const auto look_at = [&](const clang::FunctionDecl& function) {
    const auto* const body = function.getBody();
    const auto where = code.range(body->getSourceRange());
    if (!where) return;
    if (const auto* const block = llvm::dyn_cast<clang::CompoundStmt>(body);
        block != nullptr && what.tests.contains(where->file) && is_case(function) && tests.contains(function))
      return expressions.add_body(*block);
    const auto whole = code.range(function.getSourceRange());
    if (!whole || !what.functions.contains({whole->file, whole->begin})) return;
    if (const std::string why = why_not_observed(function); !why.empty())
      found.not_read[{whole->file, whole->begin}] = why;
    else
      found.files[where->file].push_back(call_point(function, *where, code, rows));
  };
  const auto note = [&](clang::Decl& each) {
    const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(&each);
    if (function != nullptr && function->isThisDeclarationADefinition() && function->doesThisDeclarationHaveABody() &&
        !function->isDefaulted() && !function->isInvalidDecl())
      look_at(*function);
    return true;
  };
  for (clang::Decl* each : context.getTranslationUnitDecl()->decls())
    if (each->getLocation().isValid() && !sources.isInSystemHeader(each->getLocation()))
      walk(each, {.declaration = note});
  found.rows = std::move(rows).take();
  return found;
}

}  // namespace morph::source
