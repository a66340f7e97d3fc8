// Walks over syntax trees. One instance of Clang's visitor serves all: each of its own takes seconds to compile.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

#include <functional>

namespace morph::source {

/// What is called for each node, parents first; false ends the walk. Those that are empty are not called.
struct walk_calls {
  std::function<bool(const clang::Stmt&)> statement = {};  // expressions, too
  std::function<bool(clang::Decl&)> declaration = {};
  std::function<bool(clang::TypeLoc)> type = {};
  bool implicit_code = false;  // what the compiler adds is visited as well
};

void walk(const clang::Stmt* from, walk_calls calls);
void walk(clang::Decl* from, walk_calls calls);

}  // namespace morph::source
