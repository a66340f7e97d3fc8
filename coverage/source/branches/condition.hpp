// One condition of a control flow graph: whether and as what it can be rewritten.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <optional>

#include "coverage/source/branches/branch.hpp"
#include "coverage/source/branches/written.hpp"

namespace morph::source {

/// A branch as Clang's graph has it.
struct decision {
  const clang::Stmt* terminator = nullptr;
  const clang::Expr* condition = nullptr;  // the part that decides; none for a loop over a range
  std::uint32_t function_begin = 0;        // stands for what lies in another file
};

/// What it becomes in rewritten source. `is_negated`: the site's outcomes are the opposites of the graph's.
struct described_site {
  branch_site site;
  bool is_negated = false;
};

described_site describe_site(const decision& of, const clang::ASTContext& context, const written_file& file);

/// In the order of the source.
std::vector<const clang::CaseStmt*> cases_of(const clang::SwitchStmt& of);

}  // namespace morph::source
