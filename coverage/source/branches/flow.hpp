// Clang's control flow graph of one function as a graph of ours, with what its blocks decide and call.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Analysis/CFG.h>

#include <memory>
#include <optional>
#include <vector>

#include "coverage/source/branches/control.hpp"

namespace morph::source {

struct called_function {
  const clang::FunctionDecl* callee = nullptr;
  clang::SourceRange where{};
  const clang::CXXRecordDecl* receiver = nullptr;
  bool is_virtual = false;
};

struct block_facts {
  const clang::Stmt* terminator = nullptr;  // of a branch that the source decides when it runs; otherwise nothing
  const clang::Expr* condition = nullptr;   // its part that decides; none for a loop over a range
  std::vector<std::size_t> outcomes{};      // of a switch: by edge, which of its cases
  std::vector<called_function> calls{};     // of functions, constructors and destructors
};

struct function_flow {
  std::unique_ptr<clang::CFG> kept;  // what `blocks` points into
  flow_graph graph;
  std::vector<block_facts> blocks;
};

/// Nothing if Clang makes no graph of it. Changes the syntax tree: temporaries around `a && b` would hide from Clang
/// that these are two conditions, and loops of templates lack parts.
std::optional<function_flow> flow_of(const clang::FunctionDecl& function, clang::ASTContext& context);

}  // namespace morph::source
