// What the body of a test evaluates, each expression seen where it stands.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <map>
#include <string>
#include <vector>

#include "coverage/observation/points.hpp"
#include "coverage/source/observe/rows.hpp"
#include "coverage/source/observe/written.hpp"

namespace morph::source {

/// Passes by: constants, what is assigned to, lambdas that the test writes, bit-fields, prvalues of classes that
/// initialize an object or whose life a reference extends. A variable is seen once more behind its declaration.
class test_expressions {
 public:
  using found_points = std::map<std::string, std::vector<observation::point>>;

  test_expressions(clang::ASTContext& context, written_code& code, type_rows& rows, found_points& to)
      : context_(context), code_(code), rows_(rows), to_(to) {}

  void add_body(const clang::CompoundStmt& body) { block(body); }

 private:
  /// What an expression is there for.
  enum class role {
    read,         // its value is used as it is
    initializes,  // an object: a prvalue becomes that, and is nowhere before
    temporary,    // a prvalue that lies in memory until the end of the full expression
    changed,      // assigned to, or its address is taken
  };

  void block(const clang::CompoundStmt& of);
  void statement(const clang::Stmt* of);
  void expression(const clang::Expr* of, role as);
  void operands(const clang::Expr& of);
  void call_operands(const clang::CallExpr& of);
  void declare(const clang::VarDecl& of);
  void only_arguments(const clang::Expr* of);
  bool can_be_seen(const clang::Expr& of, role as) const;
  void see(const clang::Expr& of);
  void begin_instruction(const clang::Stmt& of);
  void see_variables(const clang::DeclStmt& of);

  clang::ASTContext& context_;
  written_code& code_;
  type_rows& rows_;
  found_points& to_;
};

}  // namespace morph::source
