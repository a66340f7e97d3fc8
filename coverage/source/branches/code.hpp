// Which decisions compilers make of conditions without optimizing.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <map>
#include <utility>
#include <vector>

#include "coverage/source/branches/branch.hpp"

namespace morph::source {

struct function_code {
  /// By condition without parentheses; by statement for a loop over a range and a `switch`.
  std::map<const clang::Stmt*, site_code> sites;
  std::vector<const clang::Expr*> operands;  // the last ones of values of && and ||
  std::vector<clang::SourceRange> hidden;    // what may decide more than its sites
};

/// To be asked before Clang makes the graph, for which conditions lose the temporaries around them.
function_code code_of(const clang::FunctionDecl& function, const clang::ASTContext& context);

}  // namespace morph::source
